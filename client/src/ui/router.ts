/** Where we are: the path of the address. Links inside the site do not load the page again. */
import { signal } from "@preact/signals";

export const place = signal(location.pathname + location.search);

export function navigate(to: string, replace = false): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  place.value = location.pathname + location.search;
}

export function startRouter(): void {
  addEventListener("popstate", () => (place.value = location.pathname + location.search));
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || link.hasAttribute("download") || link.target || url.hash || /\.\w+$/.test(url.pathname)) return;
    event.preventDefault();
    navigate(url.pathname + url.search);
    scrollTo(0, 0);
  });
}
