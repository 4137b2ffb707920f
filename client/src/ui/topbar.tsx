/** The line at the top of every page. */
import { lang, setLanguage, t } from "../text";
import { theme, type Theme } from "../table/settings";
import type { TableStore } from "../table/store";

const NEXT: { readonly [now in Theme]: Theme } = { auto: "light", light: "dark", dark: "auto" };
const SIGNS: { readonly [now in Theme]: string } = { auto: "◐", light: "☀", dark: "☾" };

export function TopBar({ title, store }: { readonly title?: string; readonly store?: TableStore }) {
  return (
    <header class="top">
      <a href="/" class="brand" aria-label={`Grognard, ${t("nav.lobby")}`}>
        <svg width="26" height="26" viewBox="0 0 64 64" aria-hidden="true">
          <path d="M32 3 57 17.500v29L32 61 7 46.500v-29z" class="brand-hex" />
          <rect x="17" y="22" width="30" height="20" class="brand-box" />
          <path d="m17 22 30 20m0-20L17 42" class="brand-cross" />
        </svg>
        <span>Grognard</span>
      </a>
      {title !== undefined && <h1 class="table-title">{title}</h1>}
      <span class="spring" />
      {store && <button type="button" class="plain" onClick={() => (store.ruleShown.value = "?keys")} aria-label={t("help.title")} title={t("help.title")}>?</button>}
      <div class="language" role="group" aria-label={t("nav.language")}>
        {(["fr", "en"] as const).map((code) => (
          <button key={code} type="button" class="plain" aria-pressed={lang.value === code} onClick={() => setLanguage(code)} lang={code}>
            {code.toUpperCase()}
          </button>
        ))}
      </div>
      <button type="button" class="plain theme-button" onClick={() => (theme.value = NEXT[theme.value])} aria-label={t("rule.titled", { name: t("nav.theme"), title: t(`nav.theme.${theme.value}`) })} title={t(`nav.theme.${theme.value}`)}>{SIGNS[theme.value]}</button>
      <label class="theme">
        <span class="unseen">{t("nav.theme")}</span>
        <select value={theme.value} onChange={(e) => (theme.value = e.currentTarget.value as Theme)} title={t("nav.theme")}>
          <option value="auto">{t("nav.theme.auto")}</option>
          <option value="light">{t("nav.theme.light")}</option>
          <option value="dark">{t("nav.theme.dark")}</option>
        </select>
      </label>
    </header>
  );
}
