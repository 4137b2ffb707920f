/** The chances of what can be chosen now, asked before anybody asks: once a position and action, and only where dice are. */
import { signal } from "@preact/signals";
import { nounsOf, type Verbs } from "../model/kinds";
import type { Action } from "../wire";

export type Answer = Record<string, unknown>;
export type Ask = (action: Action) => Promise<Answer | null>;

export const WEIGHED = 6; // choices of one decision whose chances stand beside them without being asked for
export const IN_BATTLE = 16; // the same where one decides who fights
const PAUSE = 120; // a decision that is answered at once is not asked about

const named = (action: Action): string => action.join(" ");

export class Forecast {
  /** Answers for the present position by action; null where no dice hang on it. */
  readonly answers = signal<ReadonlyMap<string, Answer | null>>(new Map());
  /** What is known of each verb of each decision: whether dice hang on it. */
  private readonly dice = new Map<string, boolean>();
  private readonly asked = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private round = 0;

  constructor(private readonly request: Ask) {}

  of(action: Action): Answer | null | undefined {
    return this.answers.value.get(named(action));
  }

  /** Another position: nothing that was told holds any more. Ask about the choices that stand side by side. */
  begin(decision: string, legal: readonly Action[], verbs: Verbs, most = WEIGHED): void {
    this.round++;
    this.asked.clear();
    if (this.answers.peek().size) this.answers.value = new Map();
    clearTimeout(this.timer);
    if (legal.length) this.timer = setTimeout(() => void this.weigh(decision, legal, verbs, most), PAUSE);
  }

  stop(): void {
    this.round++;
    clearTimeout(this.timer);
  }

  /** Ask about these, where dice may hang on them. */
  async look(decision: string, actions: readonly Action[]): Promise<void> {
    const round = this.round;
    for (const action of actions) {
      if (round !== this.round || this.dice.get(`${decision} ${action[0]}`) === false || this.asked.has(named(action))) continue;
      this.asked.add(named(action));
      try {
        const answer = await this.request(action);
        if (round !== this.round) return;
        this.dice.set(`${decision} ${action[0]}`, answer !== null);
        this.answers.value = new Map([...this.answers.peek(), [named(action), answer]]);
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
