/** Updates on top of a state give the state that the server would have sent whole. */
import { describe, expect, it } from "vitest";
import { applyUpdate, fits, mergeLog, mergePieces } from "../src/model/apply";
import type { Piece, StateMessage } from "../src/wire";
import { recorded } from "./fixture";

const byId = (state: StateMessage): Map<string, Piece> => new Map((state.view.pieces ?? []).map((p) => [p.id, p]));

describe("a recorded game", () => {
  it("ends in the recorded position", () => {
    let state = recorded.states[0];
    for (const update of recorded.updates) {
      expect(fits(state, update)).toBe(true);
      state = applyUpdate(state, update);
    }
    const last = recorded.states[1];
    expect(byId(state)).toEqual(byId(last));
    expect({ ...state.view, pieces: [] }).toEqual({ ...last.view, pieces: [] });
    expect(state.log).toEqual(last.log);
    expect(state.legal).toEqual(last.legal);
    expect(state.digest).toBe(last.digest);
    expect(state.actions).toBe(last.actions);
  });
  it("notices a gap", () => {
    expect(fits(recorded.states[0], recorded.updates[1]!)).toBe(false);
  });
});

describe("parts", () => {
  it("replaces, adds and removes pieces", () => {
    const old = [{ id: "a", at: "0101" }, { id: "b", at: "0102" }];
    expect(mergePieces(old, [{ id: "b", at: "0103" }, { id: "#4" }], ["a"])).toEqual([{ id: "b", at: "0103" }, { id: "#4" }]);
  });
  it("forgets keys that a view no longer has", () => {
    const state = { ...recorded.states[0], view: { turn: 1, odd: true } };
    const next = applyUpdate(state, { ...recorded.updates[0]!, set: {}, pieces: [], gone: [], unset: ["odd"] });
    expect("odd" in next.view).toBe(false);
  });
  it("keeps a log without doubles", () => {
    const line = (n: number, text: string) => ({ n, side: "red", text, events: [] });
    expect(mergeLog([line(1, "a"), line(2, "b")], [line(2, "B"), line(3, "c")]).map((l) => l.text)).toEqual(["a", "B", "c"]);
  });
});
