/** The report of a finished game, asked for until it is made. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api } from "../net/api";
import { capital, sentence } from "../model/words";
import { fine, inNumber, lang, t } from "../text";
import type { GameReport } from "../wire";

const ASK_AGAIN = 700; // ms

export interface Reporting {
  readonly report: GameReport | null;
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly failed: string | null;
}

/** Ask for the report once it is wanted; in the reader's language. */
export function useReport(id: string, wanted = true): Reporting {
  const now = useSignal<Reporting>({ report: null, progress: null, failed: null });
  useEffect(() => {
    let gone = false;
    const load = async (): Promise<void> => {
      try {
        for (;;) {
          const answer = await api.report(id);
          if (gone) return;
          if (!("done" in answer)) {
            now.value = { report: answer, progress: null, failed: null };
            return;
          }
          now.value = { ...now.peek(), progress: answer };
          await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN));
        }
      } catch (error) {
        if (!gone) now.value = { ...now.peek(), failed: error instanceof Error ? error.message : String(error) };
      }
    };
    if (wanted) void load();
    return () => {
      gone = true;
    };
  }, [id, wanted, lang.value]);
  return now.value;
}

/** How far it is. */
export function Working({ progress }: { readonly progress: { readonly done: number; readonly total: number } | null }) {
  return (
    <div class="working" role="status">
      <p>{t("report.working")}</p>
      <progress max={progress?.total || 1} value={progress?.done ?? 0} />
    </div>
  );
}

/** The turn in which an entry was made. */
export const turnAt = (report: GameReport, n: number): number => report.curve.reduce((turn, point) => (point.n <= n ? point.turn : turn), report.curve[0]?.turn ?? 1);

/** What was done at an entry and what came of it, in one line. */
export const whatCame = ({ text, came }: { readonly text: string; readonly came: string }): string => fine([capital(text), came ? sentence(came) : ""].filter(Boolean).join(": "));

/** An amount with its sign: hundredths of a win as they are, points of judgement whole. */
export const signedAmount = (value: number, measure: GameReport["measure"]): string => `${value > 0 ? "+" : value < 0 ? "−" : "±"}${measure === "chance" ? inNumber(Math.abs(value)) : Math.round(Math.abs(value))}`;
