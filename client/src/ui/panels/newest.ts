/** Which card of a battle is in sight. */
import type { Report } from "../../model/reports";
import type { TableStore } from "../../table/store";

/** The battle that has just ended: until it is put away, the next one is fought, or one has acted again. */
export function newestReport(store: TableStore): Report | null {
  if (store.replay.value) return null;
  const ended = store.reports.value.filter((report) => !report.open || !store.battle.value); // one may be fought already while the last is read
  const newest = ended[ended.length - 1];
  if (!newest || newest.to <= store.reportSeen.value) return null;
  const acted = (store.state.value?.log ?? []).some((line) => line.n > newest.to && !store.unasked.value.has(line.n) && store.mine.value.includes(line.side));
  return acted ? null : newest;
}
