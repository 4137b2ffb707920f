"""Hex maps: coordinates, grid and hexsides, paths, regions, line of sight, and the map file. Knows no unit."""

from grognard.hexes.board import Area, Board, BoardError, Data, Kind, Label, NodeId, Place, Text
from grognard.hexes.coords import Axial, Orientation
from grognard.hexes.grid import CornerId, Grid, GridError, HexId, SideId
from grognard.hexes.loading import MapError, board_from_document, board_from_json, load_board
from grognard.hexes.numbering import NumberError, Numbering
from grognard.hexes.sketch import board_from_rows

__all__ = [
    "Area",
    "Axial",
    "Board",
    "BoardError",
    "CornerId",
    "Data",
    "Grid",
    "GridError",
    "HexId",
    "Kind",
    "Label",
    "MapError",
    "NodeId",
    "NumberError",
    "Numbering",
    "Orientation",
    "Place",
    "SideId",
    "Text",
    "board_from_document",
    "board_from_json",
    "board_from_rows",
    "load_board",
]
