/** A recorded game, as the server told it (see record.py). */
import { readFileSync } from "node:fs";
import { Board } from "../src/model/board";
import type { MapFile } from "../src/model/mapfile";
import type { StateMessage, UpdateMessage } from "../src/wire";

interface Recorded {
  readonly map: MapFile;
  readonly states: readonly [StateMessage, StateMessage];
  readonly updates: readonly UpdateMessage[];
}

export const recorded = JSON.parse(readFileSync(new URL("./fixtures/picket.json", import.meta.url), "utf8")) as Recorded;
export const board = new Board("map", recorded.map);
