"""What can go wrong in a compilation, said with file, line, hex and reason."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class MapError(Exception):
    """Bad input: the message names the file, the line where known, and the way out."""

    def __init__(self, reason: str, *, file: Path | str | None = None, line: int | None = None) -> None:
        self.reason, self.file, self.line = reason, file, line
        where = "" if file is None else f"{_short(file)}{f':{line}' if line else ''}: "
        super().__init__(where + reason)


class AuditError(MapError):
    """The map contradicts itself, its rules or its gazetteer: lists every finding."""

    def __init__(self, findings: list[Finding]) -> None:
        self.findings = findings
        lines = "\n".join(f"  {finding}" for finding in findings)
        super().__init__(f"{len(findings)} finding(s) of the audits stop the build:\n{lines}")


@dataclass(frozen=True, order=True)
class Finding:
    """One thing an audit does not accept; `key` is what an entry of allow.toml would name."""

    audit: str
    key: str
    reason: str

    def __str__(self) -> str:
        return f"[{self.audit}] {self.key}: {self.reason}"


def _short(file: Path | str) -> str:
    path = Path(file)
    parts = path.parts
    if "maps" in parts:
        return str(Path(*parts[len(parts) - 1 - parts[::-1].index("maps") :]))
    return str(path)
