/** A game's own map as its picture. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Board } from "../model/board";
import { api, once } from "../net/api";
import { lang } from "../text";
import { Terrain } from "./board/terrain";

export function MapThumb({ game, art, table = "" }: { readonly game: string; readonly art: readonly string[]; readonly table?: string }) {
  const board = useSignal<Board | null>(null);
  const painted = art.find((name) => name === `table.${table}.ground.webp`) ?? art.find((name) => /^table\..*\.ground\.webp$/.test(name));
  useEffect(() => {
    once(`map ${game}`, () => api.maps(game)).then(
      ({ maps }) => {
        const [name, file] = Object.entries(maps).find(([, f]) => Object.values(f.hexes ?? {}).some((hex) => hex.kind !== "out")) ?? [];
        if (name && file) board.value = new Board(name, file);
      },
      () => undefined,
    );
  }, [game]);
  if (painted) return <Painted game={game} ground={painted} />;
  if (!board.value) return null;
  const { width, height } = board.value.sheet;
  const scale = Math.max(420 / width, 190 / height);
  return (
    <div class="thumb" style={{ width: `${width}px`, height: `${height}px`, transform: `translate(-50%, -50%) scale(${scale})` }}>
      <Terrain board={board.value} art={art} game={game} lang={lang.value} numbers={false} style="classic" />
    </div>
  );
}

/** A measured table is a photograph of itself. */
function Painted({ game, ground }: { readonly game: string; readonly ground: string }) {
  return (
    <div class="thumb-table">
      <img src={`/api/games/${game}/art/${ground}`} alt="" loading="lazy" />
      <img src={`/api/games/${game}/art/${ground.replace(".ground.", ".standing.")}`} alt="" loading="lazy" />
    </div>
  );
}
