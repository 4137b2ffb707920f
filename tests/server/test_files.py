"""What never changes is compressed once and asked for once."""

from __future__ import annotations

import pytest

from tests.server.harness import Server


@pytest.mark.parametrize(
    "path", ["/api/games", "/api/games/bitw/map", "/api/games/bitw/texts", "/api/games/bitw/rules"]
)
def test_answers_are_packed_tagged_and_not_sent_twice(server: Server, path: str) -> None:
    person = server.visitor()
    first = person.http.get(path)
    assert first.headers["content-encoding"] == "gzip"
    assert first.headers["vary"] == "Accept-Encoding"
    again = person.http.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    plain = person.http.get(path, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == first.content


def test_pictures_are_served_from_their_folder_only(server: Server) -> None:
    person = server.visitor()
    art = person.get("/api/games/bitw/art").json()
    base = next(name for name in art if name.startswith("base") and name.endswith(".svg"))
    picture = person.get(f"/api/games/bitw/art/{base}")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    for path in ("/api/games/bitw/art/..%2fmap.json", "/api/games/bitw/art/none.svg", "/assets/..%2findex.html"):
        assert person.http.get(path).status_code == 404, path


def test_clients_are_spared_the_provenance(server: Server) -> None:
    person = server.visitor()
    board = person.get("/api/games/bitw/map").json()["maps"]["map"]
    assert "provenance" not in board
    assert not any("src" in facts for facts in board["hexes"].values())


def test_the_form_asks_which_seats_there_are(server: Server) -> None:
    person = server.visitor()
    two, three = (
        person.get("/api/games/normandie/seats", scenario="campaign", players=n).json()["sides"] for n in ("2", "3")
    )
    assert len(two) == 2
    assert three[:2] == two
    assert len(three) == 3
    assert person.get("/api/games/picket/seats", scenario="raid").json() == {"sides": ["red", "blue"]}
    for wrong in ({"players": "9"}, {"nothing": "on"}, {"scenario": "none"}):
        assert person.get("/api/games/normandie/seats", **wrong).status_code == 404, wrong
    assert person.get("/api/games/none/seats").status_code == 404


def test_a_broken_file_and_an_unknown_name_are_told_in_the_readers_language(server: Server) -> None:
    person = server.visitor()

    def told(path: str, content: str | None = None) -> str:
        headers = {"Accept-Language": "fr-FR,fr"}
        answer = (
            person.http.get(path, headers=headers)
            if content is None
            else person.http.post(path, content=content.encode(), headers=headers)
        )
        assert answer.status_code in (404, 422), answer.text
        return str(answer.json()["error"]["message"])

    assert "manque" in told("/api/import", "grognard: 1\n")
    assert told("/api/games/pickett/rules").startswith("jeu : « pickett » n’existe pas ; vouliez-vous dire :")
    assert "existe pas" in told("/api/games/pickett/map")
    assert "unknown" in person.get("/api/games/pickett/rules").json()["error"]["message"]
