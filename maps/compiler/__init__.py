"""From real geography to a hex map, in named passes.

How to use it from another map (the short README)
-------------------------------------------------
A map is a folder ``maps/<name>/`` with

* ``map.toml``        projection, grid, numbering, sources, thresholds (schema: `config.MapConfig`);
* ``gazetteer.toml``  the places the rules know, by latitude and longitude (schema: `gazetteer.Place`), optional;
* ``features.toml``   things put on hexes, hexsides and links that no source has (`features`), optional;
* ``overrides.toml``  the last word, hex by hex, each with its reason (`overrides`), optional;
* ``allow.toml``      the findings of audits that we accept, each with its reason (`audit`), optional;
* ``rules.toml``      hexes and places that the rules name and what they must be (`audit`), optional.

``compile_map(name)`` (module `build`) runs the passes of `build.PASSES` in order. A pass is a pure function
``(HexMap, World) -> HexMap``: it takes the value, forks it, writes facts with their provenance, returns the fork.
`World` (module `sources`) gives projected source layers; nothing outside ``maps/`` is read.

A map with passes of its own names a module in ``map.toml`` (``passes = "maps.normandy.passes"``) which has a function
``passes(usual: list[Pass]) -> list[Pass]``; it may insert, replace or drop. It may also have
``projection(config: MapConfig) -> Projection`` to replace the one of `project` (a similarity fit with a rubber sheet
is already there: ``[projection] fit = "file.json"``).

The value
---------
`model.HexMap`: ``hexes[cell]``, ``sides[pair]``, ``links[pair]`` are dictionaries of facts as they will be written,
with ``src`` beside them. A *cell* is a pair of integers (doubled coordinates, module `grid`), a *pair* two
neighbouring cells in order of their printed numbers. `mesh.Mesh` knows corners and sides for rivers.
"""
