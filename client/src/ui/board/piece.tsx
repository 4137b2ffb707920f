/** One piece: a wooden block or a cardboard counter, drawn from its face. */
import type { Face } from "../../skins/skin";
import { symbolOf } from "../../skins/symbols";

interface Props {
  readonly face: Face;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Under another piece: only its edge is seen, so nothing is printed on it. */
  readonly under?: boolean;
}

export function PieceFace({ face, x, y, size, under }: Props) {
  const half = size / 2;
  const round = face.shape === "round" ? size * 0.24 : face.shape === "block" ? size * 0.11 : size * 0.05;
  return (
    <g transform={`translate(${(x - half).toFixed(1)} ${(y - half).toFixed(1)})`} class={`piece-face ${face.shape}${face.spent ? " spent" : ""}`}>
      {face.shape === "block" && <rect x={size * 0.05} y={size * 0.07} width={size} height={size} rx={round} fill={face.fill} />}
      <rect x={size * (face.shape === "block" ? 0.05 : 0.025)} y={size * (face.shape === "block" ? 0.07 : 0.045)} width={size} height={size} rx={round} class="shadow" />
      <rect width={size} height={size} rx={round} fill={face.fill} class="body" />
      {face.spent && <rect width={size} height={size} rx={round} class={isDark(face.ink) ? "veil pale" : "veil"} />}
      {face.stripe && <rect x={size * 0.03} y={size * 0.03} width={size * 0.94} height={size * 0.13} fill={face.stripe} rx={round / 2} />}
      {!under && (face.hidden ? <Back face={face} size={size} /> : <Front face={face} size={size} />)}
      <rect width={size} height={size} rx={round} class="edge" />
      {(under ? [] : (face.marks ?? [])).map((mark, i) => (
        <g key={i} transform={`translate(${size - 2 - i * size * 0.28} 2)`} class={`mark ${mark.tone ?? "plain"}`}>
          <title>{mark.title}</title>
          <circle r={size * 0.16} />
          <text y={size * 0.075} font-size={size * 0.21}>
            {mark.text}
          </text>
        </g>
      ))}
    </g>
  );
}

function Back({ face, size }: { readonly face: Face; readonly size: number }) {
  return (
    <g>
      <rect x={size * 0.12} y={size * 0.12} width={size * 0.76} height={size * 0.76} rx={size * 0.05} fill="none" stroke={face.ink} stroke-opacity="0.28" stroke-width="1.2" />
      {face.ghost ? (
        <g class="ghost" fill={face.ink}>
          <text x={size / 2} y={size * 0.46} font-size={size * 0.3}>
            ?
          </text>
          <text x={size / 2} y={size * 0.72} font-size={fitted(face.ghost, size, 0.19)} class="small">
            {face.ghost}
          </text>
        </g>
      ) : (
        <path d={star(size / 2, size / 2, size * 0.17)} fill={face.ink} fill-opacity="0.34" />
      )}
    </g>
  );
}

function Front({ face, size }: { readonly face: Face; readonly size: number }) {
  const symbol = face.branch ? symbolOf(face.branch, face.echelon) : null;
  const bottom = face.bottom ?? "";
  const pips = face.steps !== undefined && !bottom;
  const wide = size * (face.side ? 0.56 : face.echelon ? 0.54 : 0.62);
  const tall = symbol ? wide / Math.max(symbol.ratio, 0.9) : 0;
  return (
    <g style={{ color: face.ink }} fill={face.ink}>
      {face.top && (
        <text x={size / 2} y={size * 0.2} font-size={fitted(face.top, size, 0.18)} class="top">
          {face.top}
        </text>
      )}
      {symbol ? (
        <svg x={(size - wide) / 2 + (face.side ? size * 0.07 : 0)} y={size * (face.top ? 0.5 : face.echelon ? 0.42 : 0.46) - tall / 2} width={wide} height={tall} viewBox={symbol.viewBox} class="nato" dangerouslySetInnerHTML={{ __html: symbol.body }} />
      ) : (
        <text x={size / 2} y={size * 0.56} font-size={fitted(face.middle ?? face.branch ?? "", size, 0.26)} class="middle">
          {face.middle ?? face.branch}
        </text>
      )}
      {bottom && (
        <text x={size / 2} y={size * 0.91} font-size={fitted(bottom, size, 0.23)} class="values">
          {bottom}
        </text>
      )}
      {face.corner && (
        <text x={size * (face.shape === "round" ? 0.25 : 0.2)} y={size * 0.94} font-size={size * (face.corner.length > 1 ? 0.23 : 0.28)} class="values">
          {face.corner}
        </text>
      )}
      {face.side && (
        <text transform={`translate(${size * 0.14} ${size * 0.44}) rotate(-90)`} font-size={fitted(face.side, size * 0.72, 0.17)} class="top">
          {face.side}
        </text>
      )}
      {pips && <Pips steps={face.steps!} full={face.full ?? face.steps!} size={size} ink={face.ink} from={face.corner ? 0.38 : 0} gap={face.shape === "round" ? 0.125 : 0.15} />}
    </g>
  );
}

function Pips({ steps, full, size, ink, from, gap: share }: { readonly steps: number; readonly full: number; readonly size: number; readonly ink: string; readonly from: number; readonly gap: number }) {
  const gap = size * share;
  const start = (size * (1 + from)) / 2 - ((full - 1) * gap) / 2;
  return (
    <g>
      {Array.from({ length: full }, (_, i) => (
        <circle key={i} cx={start + i * gap} cy={size * 0.87} r={size * 0.052} fill={i < steps ? ink : "none"} stroke={ink} stroke-width="1" stroke-opacity="0.8" />
      ))}
    </g>
  );
}

/** Ink that a dark veil would swallow: `#rrggbb`. */
const isDark = (ink: string): boolean => parseInt(ink.slice(1, 3), 16) + parseInt(ink.slice(3, 5), 16) + parseInt(ink.slice(5, 7), 16) < 384;

/** Letters shrink until the word fits the piece. */
const fitted = (text: string, size: number, most: number): number => Math.min(size * most, (size * 1.5) / Math.max(text.length, 1));

function star(x: number, y: number, r: number): string {
  const points = Array.from({ length: 10 }, (_, i) => {
    const angle = -Math.PI / 2 + (i * Math.PI) / 5;
    const reach = i % 2 ? r * 0.42 : r;
    return `${(x + Math.cos(angle) * reach).toFixed(1)} ${(y + Math.sin(angle) * reach).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}
