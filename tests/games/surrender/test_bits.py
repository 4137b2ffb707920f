"""Ground as bits: the same as counting hex by hex, on the drill ground and on the real map."""

from random import Random

import pytest

from grognard.games.surrender.rules.lines import near, touches
from grognard.games.surrender.theatre import theatre_named


def distances(theatre, ground, starts, most):
    """Hex by hex: how far each open hex is from the starts."""
    found = {hex: 0 for hex in starts if hex in ground}
    edge = list(found)
    for distance in range(1, most + 1):
        edge = list(dict.fromkeys(o for h in edge for o in theatre.passable[h] if o in ground and o not in found))
        found |= dict.fromkeys(edge, distance)
    return found


@pytest.mark.rule("supply-land")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("real", [True, False])
def test_bits_agree_with_counting(drill, real, seed):
    theatre = theatre_named("map") if real else drill().world.theatre
    random, size = Random(seed), len(theatre.grid)
    mask = bytes(bool(theatre.land[h]) and random.random() < 0.7 for h in range(size))
    ground = {h for h in range(size) if mask[h]}
    starts = random.sample(sorted(ground), 3)
    bits = theatre.bits
    assert bits.hexes(bits.of_mask(mask)) == sorted(ground)
    assert bits.of(ground) == bits.of_mask(mask)
    everything = distances(theatre, ground, starts, size)
    assert bits.hexes(bits.region(bits.of(ground), bits.of(starts))) == sorted(everything)
    close = near(bits, bits.of(ground), bits.of(starts))
    assert bits.hexes(close.within) == sorted(h for h, far in everything.items() if far <= 6)
    assert bits.hexes(close.inner) == sorted(h for h, far in everything.items() if far <= 5)
    for hex in random.sample(range(size), 40):
        beside = [other for other in theatre.passable[hex] if everything.get(other, 9) <= 5]
        assert touches(bits, close, hex) == (everything.get(hex, 9) <= 6 or bool(beside))
