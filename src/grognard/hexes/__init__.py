"""Hex maps: coordinates, grid and hexsides, paths, regions, line of sight, and the map file. Knows no unit."""

from grognard.hexes.bits import BitMap
from grognard.hexes.board import Area, Board, BoardError, Data, Kind, Label, NodeId, Place, Text
from grognard.hexes.coords import Axial, Orientation, direction_named, opposite
from grognard.hexes.fields import field, flood, rings, way_back
from grognard.hexes.grid import CornerId, Grid, GridError, HexId, SideId
from grognard.hexes.loading import MapError, board_from_document, board_from_json, document_from_json, load_board
from grognard.hexes.numbering import NumberError, Numbering
from grognard.hexes.paths import (
    PROHIBITED,
    STOP,
    STOP_AND_NO_INFILTRATION,
    Reach,
    StepCosts,
    ZocRule,
    reach,
    shortest_path,
)
from grognard.hexes.regions import Lanes, Stage, over_costs, over_hexes, over_links, region_of, regions, trace
from grognard.hexes.sight import Span, can_see, first_block, sight_line
from grognard.hexes.sketch import board_from_rows, document_from_rows, draw_columns, draw_with_letters

__all__ = [
    "PROHIBITED",
    "STOP",
    "STOP_AND_NO_INFILTRATION",
    "Area",
    "Axial",
    "BitMap",
    "Board",
    "BoardError",
    "CornerId",
    "Data",
    "Grid",
    "GridError",
    "HexId",
    "Kind",
    "Label",
    "Lanes",
    "MapError",
    "NodeId",
    "NumberError",
    "Numbering",
    "Orientation",
    "Place",
    "Reach",
    "SideId",
    "Span",
    "Stage",
    "StepCosts",
    "Text",
    "ZocRule",
    "board_from_document",
    "board_from_json",
    "board_from_rows",
    "can_see",
    "direction_named",
    "document_from_json",
    "document_from_rows",
    "draw_columns",
    "draw_with_letters",
    "field",
    "first_block",
    "flood",
    "load_board",
    "opposite",
    "over_costs",
    "over_hexes",
    "over_links",
    "reach",
    "region_of",
    "regions",
    "rings",
    "shortest_path",
    "sight_line",
    "trace",
    "way_back",
]
