/** Smoke, markers of artillery that ranges, aircraft: what hangs over a measured table. */
import { CM, QUARTER, quarter, type Cloud } from "../../model/tabletop";

const STEP = 2.1 * CM; // between puffs of a cloud

/** Cotton wool over the whole of a cloud: puffs on a loose lattice, small ones between; thin in its last turn. */
export function CloudShape({ cloud, seed }: { readonly cloud: Cloud; readonly seed: number }) {
  const [corner, wide, deep] = [quarter(cloud.box[0], cloud.box[1]), cloud.box[2] * QUARTER, cloud.box[3] * QUARTER];
  const [across, down] = [Math.max(2, Math.round(wide / STEP)), Math.max(2, Math.round(deep / STEP))];
  const puffs = Array.from({ length: across * down }, (_, i) => {
    const [col, row, wobble] = [i % across, Math.floor(i / across), Math.sin(i * 12.9898 + seed * 4.1)];
    return { x: corner.x + ((col + 0.5) * wide) / across + wobble * 5, y: corner.y + ((row + 0.5) * deep) / down + Math.cos(i * 7.3 + seed) * 5, r: STEP * (0.72 + 0.16 * wobble) };
  });
  return (
    <g class={cloud.thin ? "smoke cloud thin" : "smoke cloud"} data-smoke="">
      <rect x={corner.x} y={corner.y} width={wide} height={deep} class="cloud-edge" />
      {puffs.map((p, i) => <circle key={i} cx={p.x.toFixed(1)} cy={p.y.toFixed(1)} r={p.r.toFixed(1)} />)}
      {puffs.map((p, i) => <circle key={`s${i}`} cx={(p.x + STEP * 0.3).toFixed(1)} cy={(p.y - STEP * 0.28).toFixed(1)} r={(p.r * 0.55).toFixed(1)} class="cloud-light" />)}
    </g>
  );
}

/** Where a battery ranges: cross hairs, with the number of its tries. */
export function Ranging({ colour }: { readonly colour: string }) {
  return (
    <g class="ranging" style={{ color: colour }} data-ranging="">
      <rect x={-2.5 * CM} y={-2.5 * CM} width={5 * CM} height={5 * CM} />
      <path d={`M${-3.4 * CM} 0h${2 * CM}M${1.4 * CM} 0h${2 * CM}M0 ${-3.4 * CM}v${2 * CM}M0 ${1.4 * CM}v${2 * CM}`} />
      <circle r={1.1 * CM} />
    </g>
  );
}

const PLANE = "M0 -58C5 -58 7 -46 7 -34L8 -18L62 -6C66 -5 66 4 62 4L8 6L5 36L22 44C24 45 24 50 22 50L0 47L-22 50C-24 50 -24 45 -22 44L-5 36L-8 6L-62 4C-66 4 -66 -5 -62 -6L-8 -18L-7 -34C-7 -46 -5 -58 0 -58Z";

/** Two aircraft in a dive over their target, with their shadows on the ground. */
export function Aircraft({ colour }: { readonly colour: string }) {
  return (
    <g class="aircraft" data-aircraft="">
      {[[-46, -74], [54, -112]].map(([x, y], i) => (
        <g key={i}>
          <path d={PLANE} transform={`translate(${x! + 34} ${y! + 62}) rotate(160) scale(0.86)`} class="plane-shadow" />
          <g transform={`translate(${x} ${y}) rotate(160)`}>
            <path d={PLANE} class="plane" style={{ fill: colour }} />
            <path d="M-4 -30C-4 -38 4 -38 4 -30L4 -16L-4 -16Z" class="plane-glass" />
            <circle cx="-38" cy="-2" r="6" class="plane-mark" />
            <circle cx="38" cy="-2" r="6" class="plane-mark" />
            <ellipse cx="0" cy="-60" rx="17" ry="2.500" class="plane-blade" />
          </g>
        </g>
      ))}
    </g>
  );
}
