/** The battle being fought: both sides' tallies, the dice as they fall and what came of them. */
import { battleLines, rollsOf, type Roll } from "../../model/happenings";
import type { Frame, Piece, Side } from "../../wire";
import { fine, t } from "../../text";
import { capital, sentence, type Words } from "../../model/words";
import type { TableStore } from "../../table/store";
import { PieceFace } from "../board/piece";
import { RuleLink } from "../parts";
import { newestReport } from "./newest";

const SKIPPED = new Set(["sequence", "at", "hex", "target", "attacker", "round", "side", "place", "defender", "row_asked", "shots", "kind"]); // the last three are the referee's own

/** The dice of the battle being fought, newest first; of no battle, those that fell just now. */
export function BattleDice({ store }: { readonly store: TableStore }) {
  const [battle, context, state] = [store.battle.value, store.context.value, store.shown.value];
  if (!context || !state) return null;
  if (!battle && newestReport(store)) return null; // its card has the dice
  const rolls = battle ? rollsOf(battleLines(state.log, battle), context.sides).slice(-8).reverse() : rollsOf(store.fresh.value, context.sides);
  if (!rolls.length) return null;
  return (
    <section class="battle dice" aria-label={t("battle.dice")}>
      <h3>{t("battle.dice")}</h3>
      <Rolls store={store} rolls={rolls} />
    </section>
  );
}

export function BattlePanel({ store }: { readonly store: TableStore }) {
  const [battle, context, state, board] = [store.battle.value, store.context.value, store.shown.value, store.board.value];
  if (!context || !state || !board || !battle) return null;
  const { frame } = battle;
  const stack = fighters(battle.hex ? (store.stacks.value.get(battle.hex) ?? []) : [], frame, store.byId.value);
  const leader = typeof frame["attacker"] === "string" ? store.byId.value.get(frame["attacker"]) : undefined;
  const attacker = leader ? store.skin.value.sideOf(leader, context.sides) : sideName(frame["attacker"] ?? frame["side"], context.sides);
  const title = battle.hex ? t("battle.in", { hex: board.sheet.has(battle.hex) ? board.describe(battle.hex, context.words) : store.nameOf(battle.hex) }) : (context.words.find(`sequence.${frame.sequence}`) ?? capital(frame.sequence));
  const involved = context.sides.filter((side) => stack.some((p) => store.skin.value.sideOf(p, context.sides) === side) || side === attacker);
  return (
    <section class="battle" aria-label={title}>
      <h3>
        {title}
        {typeof frame["round"] === "number" && <span class="round">{t("battle.round", { round: frame["round"] })}</span>}
      </h3>
      <div class="armies">
        {involved.map((side) => (
          <Army key={side} store={store} side={side} attacking={side === attacker} pieces={stack.filter((p) => store.skin.value.sideOf(p, context.sides) === side)} hits={hitsOf(frame["hits"], side, context.sides, state.prompt.waiting)} />
        ))}
      </div>
      <dl class="facts battle-facts">
        {Object.entries(frame)
          .filter(([key, value]) => !SKIPPED.has(key) && isTold(key, value, context.words) && !isSeen(value, stack))
          .map(([key, value]) => (
            <div key={key}>
              <dt>{context.words.fact(key)}</dt>
              <dd>{Array.isArray(value) ? value.flat(2).filter((v) => v !== null && v !== "").map((v) => store.nameOf(String(v))).join(", ") : store.nameOf(String(value))}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

/** Who stands in the hex, and whoever else the battle names: attackers from the hexes around. */
function fighters(stack: readonly Piece[], frame: Frame, byId: ReadonlyMap<string, Piece>): readonly Piece[] {
  const named = Object.values(frame).flat(2);
  const others = named.flatMap((id) => (typeof id === "string" ? (byId.get(id) ?? []) : []));
  return [...new Set([...stack, ...others])];
}

/** Names of things are told; bare words and numbers only where the game has a word for them. */
function isTold(key: string, value: unknown, words: Words): boolean {
  if (typeof value === "string") return value !== "" && (words.has(`field.${key}`) || words.has(`fact.${key}`) || words.has(`name.${value}`));
  if (Array.isArray(value)) return value.flat(2).some((v) => typeof v === "string" && v !== "");
  return typeof value === "number" && value > 0 && words.has(`field.${key}`);
}

/** Pieces that are drawn above need no list of names below. */
function isSeen(value: unknown, stack: readonly Piece[]): boolean {
  return (Array.isArray(value) ? value.flat(2).filter((id) => id !== null && id !== "") : [value]).every((id) => stack.some((p) => p.id === id));
}

function Army({ store, side, pieces, attacking, hits }: { readonly store: TableStore; readonly side: Side; readonly pieces: readonly Piece[]; readonly attacking: boolean; readonly hits: number }) {
  const context = store.context.value!;
  const steps = pieces.reduce((sum, p) => sum + (typeof p["steps"] === "number" ? p["steps"] : 0), 0);
  const unknown = pieces.filter((p) => p.known === false).length;
  return (
    <div class="army" style={{ borderColor: store.skin.value.colours(side, context.sides).fill }}>
      <h4>
        {context.words.side(side)} <small>{attacking ? t("battle.attacker") : t("battle.defender")}</small>
      </h4>
      <div class="army-pieces">
        {pieces.map((p) => (
          <svg key={p.id} width="50" height="52" role="img" aria-label={store.skin.value.describe(p, context)}>
            <title>{store.skin.value.describe(p, context)}</title>
            <PieceFace face={store.skin.value.face(p, context)} x={23} y={25} size={42} />
          </svg>
        ))}
      </div>
      <p class="tally">
        {steps > 0 && <span>{t("battle.steps", { n: steps })}</span>} {unknown > 0 && <span>{t("battle.unknown", { n: unknown })}</span>} {hits > 0 && <strong>{t("battle.hits", { hits })}</strong>}
      </p>
    </div>
  );
}

function Rolls({ store, rolls }: { readonly store: TableStore; readonly rolls: readonly Roll[] }) {
  const context = store.context.value!;
  const newest = store.fresh.value[0]?.n ?? Infinity;
  return (
    <ol class="rolls">
      {rolls.map((roll, i) => (
        <li key={`${roll.n} ${i}`} class={roll.n >= newest ? "roll new" : "roll"}>
          <div class="dice-row">
            {roll.side !== null && <span class="chip" style={{ background: store.skin.value.colours(roll.side, context.sides).fill }} title={t("battle.rolled", { side: context.words.side(roll.side) })} />}
            {roll.dice.map((die, j) => (
              <Die key={j} value={die} faces={roll.faces} turn={j} />
            ))}
            <RuleLink store={store} rule={roll.rule} />
          </div>
          {roll.outcome?.text && <p class="outcome">{fine(sentence(roll.outcome.text))}</p>}
        </li>
      ))}
    </ol>
  );
}

const SPOTS: { readonly [value: number]: readonly (readonly [number, number])[] } = {
  1: [[12, 12]],
  2: [[7, 7], [17, 17]],
  3: [[6, 6], [12, 12], [18, 18]],
  4: [[7, 7], [17, 7], [7, 17], [17, 17]],
  5: [[6, 6], [18, 6], [12, 12], [6, 18], [18, 18]],
  6: [[7, 6], [7, 12], [7, 18], [17, 6], [17, 12], [17, 18]],
};

export function Die({ value, faces, turn, size = 26 }: { readonly value: number; readonly faces: number; readonly turn: number; readonly size?: number }) {
  const spots = faces === 6 ? SPOTS[value] : undefined;
  return (
    <svg class="die" width={size} height={size} viewBox="0 0 24 24" role="img" aria-label={String(value)} style={{ animationDelay: `${turn * 60}ms` }}>
      <rect x="1" y="1" width="22" height="22" rx={faces === 6 ? 4.5 : 11} />
      {spots ? spots.map(([x, y], i) => <circle key={i} cx={x} cy={y} r="2.1" />) : <text x="12" y="16.500">{value}</text>}
    </svg>
  );
}

function sideName(value: unknown, sides: readonly Side[]): Side | null {
  if (typeof value === "number") return sides[value] ?? null;
  return typeof value === "string" && sides.includes(value) ? value : null;
}

/** Hits by side, or one number for the side that is being asked. */
function hitsOf(hits: unknown, side: Side, sides: readonly Side[], waiting: readonly Side[]): number {
  if (Array.isArray(hits)) {
    const value: unknown = hits[sides.indexOf(side)];
    return typeof value === "number" ? value : 0;
  }
  return typeof hits === "number" && waiting.includes(side) ? hits : 0;
}
