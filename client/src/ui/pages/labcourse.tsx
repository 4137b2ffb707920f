/** Of the designer's page: how an estimate narrowed, game by game. */
import { t } from "../../text";
import { shareSaid, signedSaid } from "./labsaid";

/** Games (or pairs), the estimate, the lower and the upper end of its interval. */
export type Look = readonly [number, number, number, number];

interface CourseProps {
  readonly course: readonly Look[];
  readonly most: number;
  readonly centre: number; // where nobody is ahead: a half of the points, or no difference
  readonly signed: boolean;
  readonly side: string;
}

const [LEFT, RIGHT, TOP, BOTTOM] = [64, 720, 14, 190];

/** A band that closes in on a line: the interval and the estimate after each game. */
export function Course({ course, most, centre, signed, side }: CourseProps) {
  const last = course[course.length - 1];
  if (!last || course.length < 2) return null;
  const said = signed ? signedSaid : shareSaid;
  const settled = course.filter(([n]) => n >= Math.min(8, last[0])); // the first games know nothing: they would flatten the rest
  const far = Math.max(0.1, ...settled.flatMap(([, , low, high]) => [centre - low, high - centre]));
  const reach = Math.min(signed ? 2 : 0.5, far);
  const end = Math.max(last[0], Math.min(most, last[0] * 2));
  const x = (n: number): number => LEFT + (n / end) * (RIGHT - LEFT);
  const y = (value: number): number => (TOP + BOTTOM) / 2 - (Math.max(-reach, Math.min(reach, value - centre)) / reach) * ((BOTTOM - TOP) / 2);
  const path = (points: readonly (readonly [number, number])[]): string => points.map(([n, v], i) => `${i ? "L" : "M"}${x(n).toFixed(1)} ${y(v).toFixed(1)}`).join("");
  const band = path([...course.map(([n, , , high]) => [n, high] as const), ...[...course].reverse().map(([n, , low]) => [n, low] as const)]);
  const label = t("lab.narrowed", { side, games: String(last[0]), share: said(last[1]), low: said(last[2]), high: said(last[3]) });
  return (
    <figure class="lab-course">
      <figcaption>{t("lab.course", { side })}</figcaption>
      <svg viewBox="0 0 740 222" role="img" aria-label={label}>
        {[-reach, 0, reach].map((v) => (
          <g key={v}>
            <line x1={LEFT} y1={y(centre + v)} x2={RIGHT} y2={y(centre + v)} class={v ? "lab-grid" : "lab-zero"} />
            <text x={LEFT - 8} y={y(centre + v) + 5} text-anchor="end">{said(centre + v, 0)}</text>
          </g>
        ))}
        <path d={`${band}Z`} class="lab-band" />
        <path d={path(course.map(([n, mean]) => [n, mean] as const))} class="lab-line" />
        <circle cx={x(last[0])} cy={y(last[1])} r="6" class="lab-mean" />
        {[0, last[0], ...(end > last[0] * 1.15 ? [end] : [])].map((n) => <text key={n} x={x(n)} y={BOTTOM + 24} text-anchor="middle">{n}</text>)}
      </svg>
    </figure>
  );
}
