/** Reconnecting and resynchronising. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection, type Listener, type Socket } from "../src/net/connection";
import type { StateMessage } from "../src/wire";
import { recorded } from "./fixture";

class Wire implements Socket {
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  readyState = 0;
  sent: { type: string; id?: string }[] = [];
  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string });
  }
  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

let wires: Wire[] = [];
let states: StateMessage[] = [];
let online: boolean[] = [];
const listener: Listener = {
  state: (s) => void states.push(s),
  status: (o) => void online.push(o),
  problem: () => undefined,
  rematch: () => undefined,
  thinking: () => undefined,
};
const connect = (): Connection =>
  new Connection(() => (wires.push(new Wire()), wires[wires.length - 1]!), listener, "red", "en");

beforeEach(() => {
  vi.useFakeTimers();
  [wires, states, online] = [[], [], []];
});
afterEach(() => vi.useRealTimers());

describe("a connection", () => {
  it("watches as soon as it is open and applies updates", () => {
    const c = connect();
    wires[0]!.open();
    expect(wires[0]!.sent[0]).toMatchObject({ type: "watch", as: "red" });
    wires[0]!.say(recorded.states[0]);
    wires[0]!.say(recorded.updates[0]!);
    expect(states.map((s) => s.version)).toEqual([0, 1]);
    c.close();
  });
  it("asks for everything when it missed something", () => {
    const c = connect();
    wires[0]!.open();
    wires[0]!.say(recorded.states[0]);
    wires[0]!.say(recorded.updates[3]!);
    expect(wires[0]!.sent.filter((m) => m.type === "watch")).toHaveLength(2);
    expect(states).toHaveLength(1);
    c.close();
  });
  it("ignores an update that it has already", () => {
    const c = connect();
    wires[0]!.open();
    wires[0]!.say(recorded.states[1]);
    wires[0]!.say(recorded.updates[0]!);
    expect(wires[0]!.sent.filter((m) => m.type === "watch")).toHaveLength(1);
    c.close();
  });
  it("comes back by itself after a loss and watches again", () => {
    const c = connect();
    wires[0]!.open();
    wires[0]!.close();
    expect(online).toEqual([true, false]);
    vi.advanceTimersByTime(300);
    expect(wires).toHaveLength(2);
    wires[1]!.open();
    expect(wires[1]!.sent[0]).toMatchObject({ type: "watch" });
    c.close();
    vi.advanceTimersByTime(60_000);
    expect(wires).toHaveLength(2);
  });
  it("settles an order by the answer to it, and never repeats a lost one", async () => {
    const c = connect();
    wires[0]!.open();
    const good = c.order("act", { verb: "done" });
    wires[0]!.say({ type: "done", reply_to: wires[0]!.sent[1]!.id, version: 1 });
    await good;
    const bad = c.order("act", { verb: "leap" });
    wires[0]!.say({ type: "error", code: "refused", message: "no", rule: "4.1", reply_to: wires[0]!.sent[2]!.id });
    await expect(bad).rejects.toMatchObject({ rule: "4.1" });
    const lost = c.order("act", { verb: "done" });
    wires[0]!.close();
    await expect(lost).rejects.toMatchObject({ code: "offline" });
    vi.advanceTimersByTime(300);
    wires[1]!.open();
    expect(wires[1]!.sent.map((m) => m.type)).toEqual(["watch"]);
    c.close();
  });
});
