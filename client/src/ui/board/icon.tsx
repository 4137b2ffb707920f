/** A piece beside its words in a panel: its face, or its model where it stands on a measured table. */
import { TableBoard } from "../../model/tabletop";
import type { TableStore } from "../../table/store";
import type { Piece } from "../../wire";
import { ModelIcon } from "../tabletop/models";
import { PieceFace } from "./piece";

export function PieceIcon({ store, piece, x, y, size }: { readonly store: TableStore; readonly piece: Piece; readonly x: number; readonly y: number; readonly size: number }) {
  const context = store.context.value;
  if (!context) return null;
  const skin = store.skin.value;
  if (store.board.value instanceof TableBoard && piece.known !== false) return <ModelIcon piece={piece} side={skin.sideOf(piece, context.sides)} x={x} y={y} size={size} />;
  return <PieceFace face={skin.face(piece, context)} x={x} y={y} size={size} />;
}
