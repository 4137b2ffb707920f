/** The force builder: what may be bought, what it costs, what one has; what the rules refuse says why, with its rule. */
import { ModelIcon } from "../tabletop/models";
import { useState } from "preact/hooks";
import { ordersFor, readForce, writeForce } from "../../model/force";
import { capital } from "../../model/words";
import { t } from "../../text";
import type { TableStore } from "../../table/store";
import { RuleLink } from "../parts";
import type { Action, Piece } from "../../wire";

interface Offer {
  readonly id: string;
  readonly model: string;
  readonly unit?: string;
  readonly face?: { readonly [fact: string]: unknown };
  readonly formation: string;
  readonly quality: string;
  readonly cost: number;
  readonly had: number;
  readonly most: number;
  readonly why?: { readonly rule: string; readonly reason: string };
}

interface Muster {
  readonly nation: string;
  readonly year: number;
  readonly points: number;
  readonly spent: number;
  readonly offers: readonly Offer[];
}

const isMuster = (value: unknown): value is Muster => typeof value === "object" && value !== null && Array.isArray((value as { offers?: unknown }).offers);

/** Shown while a side buys; null otherwise. */
export function MusterPanel({ store }: { readonly store: TableStore }) {
  const context = store.context.value;
  const given = context?.view["muster"];
  if (!context || !isMuster(given) || store.replay.value) return null;
  const { words } = context;
  const legal = new Set((store.state.value?.legal ?? []).map((action) => action.join(" ").trim()));
  const groups = [...new Set(given.offers.map((offer) => offer.formation))];
  const left = given.points - given.spent;
  return (
    <section class="muster" aria-label={t("muster.title")}>
      <header>
        <h3>{t("muster.title")}</h3>
        <p class="muster-sum" role="status">{t("muster.sum", { spent: given.spent, points: given.points, left })}</p>
        <Lists store={store} given={given} />
        <meter min={0} max={given.points} value={given.spent} aria-label={t("muster.sum", { spent: given.spent, points: given.points, left })} />
      </header>
      {groups.map((group) => (
        <div key={group} class="muster-group">
          <h4>{group ? words.name(group) : t("muster.batteries")}</h4>
          {given.offers.filter((offer) => offer.formation === group).map((offer) => (
            <OfferRow key={offer.id} store={store} offer={offer} may={legal.has(`buy ${offer.id}`)} back={legal.has(`sell ${offer.id}`)} />
          ))}
        </div>
      ))}
      <button type="button" class="primary" disabled={!legal.has("mustered")} data-order="mustered" onClick={() => void store.act(["mustered", ""])}>
        {capital(words.verb("mustered"))}
      </button>
    </section>
  );
}

/** A list from a file, bought; what one has, as a file. */
function Lists({ store, given }: { readonly store: TableStore; readonly given: Muster }) {
  const [told, tell] = useState("");
  const load = async (file: File | undefined) => {
    if (!file) return;
    const list = readForce(await file.text());
    if (!list || list.nation !== given.nation) {
      tell(t(list ? "muster.other-nation" : "muster.no-list", { nation: list?.nation ?? "" }));
      return;
    }
    const { orders, missing } = ordersFor(given.offers, list.lines);
    const refused: string[] = [];
    for (const order of orders) {
      const legal = (store.state.value?.legal ?? []).some((action) => action[0] === order[0] && action[1] === order[1]);
      if (legal) await store.act(order);
      else refused.push(store.context.value?.words.name(order[1]) ?? order[1]);
    }
    const left = [...missing, ...refused];
    tell(left.length ? t("muster.left-out", { names: left.join(", ") }) : t("muster.loaded"));
  };
  const keep = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([writeForce(given.nation, given.year, given.points, given.offers)], { type: "text/plain" }));
    link.download = `force-${given.nation.toLowerCase()}-${given.year}.toml`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <div class="muster-lists">
      <label class="button">
        {t("muster.load")} <input type="file" accept=".toml,.txt" onChange={(e) => void load(e.currentTarget.files?.[0])} />
      </label>
      <button type="button" disabled={!given.spent} data-order="save-force" onClick={keep}>{t("muster.save")}</button>
      <small role="status">{told}</small>
    </div>
  );
}

function OfferRow({ store, offer, may, back }: { readonly store: TableStore; readonly offer: Offer; readonly may: boolean; readonly back: boolean }) {
  const context = store.context.value!;
  const name = context.words.name(offer.id).replace(/ \(.*\)$/, "");
  const why = offer.why ? context.words.find(`refusal.${offer.why.reason}`) : undefined;
  const act = (action: Action) => () => void store.act(action);
  return (
    <div class={`offer${offer.had ? " had" : ""}`} data-offer={offer.id}>
      {offer.unit && (
        <svg viewBox="-20 -32 40 64" class="offer-icon" aria-hidden="true">
          <ModelIcon piece={{ ...offer.face, id: offer.unit } as Piece} side={null} x={0} y={0} size={56} />
        </svg>
      )}
      <span class="offer-name">
        {name}
        <small>{t("muster.each", { cost: offer.cost })}{offer.quality !== "regular" && offer.unit ? ` · ${context.words.name(offer.quality)}` : ""}</small>
        {!may && offer.why && <small class="offer-why">{why} <RuleLink store={store} rule={offer.why.rule} /></small>}
      </span>
      <button type="button" aria-label={t("muster.less", { name })} disabled={!back} onClick={act(["sell", offer.id])}>−</button>
      <output>{offer.had}/{offer.most}</output>
      <button type="button" aria-label={t("muster.more", { name })} disabled={!may} onClick={act(["buy", offer.id])}>+</button>
    </div>
  );
}
