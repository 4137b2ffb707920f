/** Builds the table into the server's package; in development, passes the API on to a running server. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { natoSymbols } from "./nato";

const server = process.env["GROGNARD_SERVER"] ?? "http://127.0.0.1:8000";
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  plugins: [natoSymbols()],
  build: {
    outDir: here("../src/grognard/server/static"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  server: { proxy: { "/api": server, "/ws": { target: server, ws: true } } },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
