"""Drawing a compiled map: SVG layers that look like a printed wargame map, in several styles and two languages."""
