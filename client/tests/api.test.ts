/** An answer that does not arrive whole is an error, never a value. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ServerError, api } from "../src/net/api";

beforeEach(() => vi.stubGlobal("location", { origin: "http://table.test" }));
afterEach(() => vi.unstubAllGlobals());

const answering = (body: string, status = 200): void => {
  vi.stubGlobal("fetch", async () => new Response(body, { status }));
};

test("a whole answer is given on, nothing included", async () => {
  answering('[{"id": "picket"}]');
  expect(await api.games()).toEqual([{ id: "picket" }]);
  answering("null");
  expect(await api.odds("t", "red", ["attack", "0101"])).toBeNull();
});

test("a line cut in the middle of a good answer is refused", async () => {
  answering('[{"id": "pic');
  await expect(api.games()).rejects.toBeInstanceOf(ServerError);
});

test("a refusal keeps its sentence", async () => {
  answering('{"error": {"code": "no", "message": "Not yours."}}', 403);
  await expect(api.games()).rejects.toThrow("Not yours.");
});
