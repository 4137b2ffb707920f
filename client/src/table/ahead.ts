/** What lies behind an action: asked of the server, which carries it out on a position that we could not tell from ours. */
import { signal } from "@preact/signals";
import type { Action, Foreseen } from "../wire";

const named = (orders: readonly Action[]): string => orders.map((order) => order.join(" ")).join("\n");

export class Ahead {
  /** Answers for the present position, by what was asked; null where the rules refuse it or nothing can be said. */
  readonly answers = signal<ReadonlyMap<string, Foreseen | null>>(new Map());
  private readonly asked = new Map<string, Promise<Foreseen | null>>();
  private round = 0;

  constructor(private readonly request: (orders: readonly Action[]) => Promise<Foreseen>) {}

  /** Another position: nothing that was told holds any more. */
  begin(): void {
    this.round++;
    this.asked.clear();
    if (this.answers.peek().size) this.answers.value = new Map();
  }

  of(orders: readonly Action[]): Foreseen | null | undefined {
    return orders.length ? this.answers.value.get(named(orders)) : undefined;
  }

  /** Ask once a position. */
  look(orders: readonly Action[]): Promise<Foreseen | null> {
    const name = named(orders);
    const known = this.asked.get(name);
    if (known) return known;
    const round = this.round;
    const answer = this.request(orders).catch(() => null);
    this.asked.set(name, answer);
    return answer.then((found) => {
      if (round === this.round) this.answers.value = new Map([...this.answers.peek(), [name, found]]);
      return found;
    });
  }
}
