/** The chances of what can be chosen now, asked before anybody asks: once a position and action, and only where dice are. */
import { signal } from "@preact/signals";
import { nounsOf, type Verbs } from "../model/kinds";
import type { Action } from "../wire";

export type Answer = Record<string, unknown>;
export type Ask = (action: Action, after: readonly Action[]) => Promise<Answer | null>;

export const WEIGHED = 6; // choices of one decision whose chances stand beside them without being asked for
export const IN_BATTLE = 16; // the same where one decides who fights
const PAUSE = 120; // a decision that is answered at once is not asked about

const named = (action: Action, after: readonly Action[] = []): string => [...after, action].map((one) => one.join(" ")).join("\n");

export class Forecast {
  /** Answers for the present position by action; null where no dice hang on it. */
  readonly answers = signal<ReadonlyMap<string, Answer | null>>(new Map());
  /** The same of what could be chosen after others: no choice of the present decision. */
  readonly later = signal<ReadonlyMap<string, Answer | null>>(new Map());
  /** What is known of each verb of each decision: whether dice hang on it. */
  private readonly dice = new Map<string, boolean>();
  private readonly asked = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private round = 0;

  constructor(private readonly request: Ask) {}

  of(action: Action, after: readonly Action[] = []): Answer | null | undefined {
    return (after.length ? this.later : this.answers).value.get(named(action, after));
  }

  /** Another position: nothing that was told holds any more. Ask about the choices that stand side by side. */
  begin(decision: string, legal: readonly Action[], verbs: Verbs, most = WEIGHED): void {
    this.round++;
    this.asked.clear();
    if (this.answers.peek().size) this.answers.value = new Map();
    if (this.later.peek().size) this.later.value = new Map();
    clearTimeout(this.timer);
    if (legal.length) this.timer = setTimeout(() => void this.weigh(decision, legal, verbs, most), PAUSE);
  }

  stop(): void {
    this.round++;
    clearTimeout(this.timer);
  }

  /** Ask about these, where dice may hang on them; `after`: what would be done before, if they are not yet to be chosen. */
  async look(decision: string, actions: readonly Action[], after: readonly Action[] = []): Promise<void> {
    const round = this.round;
    const asks = [decision, ...after.map(([verb]) => verb)].join(" > ");
    for (const action of actions) {
      const name = named(action, after);
      if (round !== this.round || this.dice.get(`${asks} ${action[0]}`) === false || this.asked.has(name)) continue;
      this.asked.add(name);
      try {
        const answer = await this.request(action, after);
        if (round !== this.round) return;
        this.dice.set(`${asks} ${action[0]}`, answer !== null);
        const told = after.length ? this.later : this.answers;
        told.value = new Map([...told.peek(), [name, answer]]);
      } catch {
        return; // the table moved on, or is not there: nothing to tell
      }
    }
  }

  /** Buttons, and lists short enough to compare; of a long list whatever one points at is asked then. */
  private async weigh(decision: string, legal: readonly Action[], verbs: Verbs, most: number): Promise<void> {
    const byVerb = new Map<string, Action[]>();
    for (const action of legal) byVerb.set(action[0], [...(byVerb.get(action[0]) ?? []), action]);
    const round = this.round;
    for (const [, list] of byVerb) {
      if (round !== this.round) return;
      const bare = nounsOf(list[0]!, verbs)[0].kind === "none";
      if (bare || list.length <= most) await this.look(decision, list);
    }
  }
}
