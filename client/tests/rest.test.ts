/** A page that nobody touches costs nothing: no movement goes on for ever. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL("../src/styles/", import.meta.url);

test("every animation comes to rest", () => {
  const sheets = readdirSync(folder).filter((name) => name.endsWith(".css"));
  expect(sheets).toContain("board.css");
  for (const name of sheets) {
    expect(readFileSync(new URL(name, folder), "utf8"), name).not.toMatch(/animation[^;]*\binfinite\b/);
  }
});
