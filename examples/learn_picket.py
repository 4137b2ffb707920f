"""Learn to play Red of `picket` from nothing, by policy gradient on a table of (verb, noun) preferences.

pip install 'grognard[rl]'; a minute on one core. Prints the share won before and after, on games not learnt from.
"""

import sys

import numpy as np

from grognard.zoo import Against

env = Against("picket", "crossing", side="red", level="random")
likes = np.zeros((len(env.inner.schema.verbs), 1024))
luck = np.random.default_rng(0)


def play(seed: int, learn: float) -> float:
    """One game; afterwards what was chosen is liked more or less, by how the game ended."""
    seen, _ = env.reset(seed=seed)
    over, reward, path = False, 0.0, []
    while not over:
        legal = seen["actions"][: int(seen["action_mask"].sum())]
        cells = (legal[:, 0], legal[:, 1] % 1024)
        chance = np.exp(likes[cells] - likes[cells].max())
        chance /= chance.sum()
        place = int(luck.choice(len(legal), p=chance))
        path.append((cells, chance, place))
        seen, reward, over, cut, _ = env.step(place)
        over = over or cut
    for cells, chance, place in path if learn else ():
        np.add.at(likes, cells, -learn * (reward - play.usual) * chance)
        likes[cells[0][place], cells[1][place]] += learn * (reward - play.usual)
    play.usual += 0.02 * (reward - play.usual)
    return float(reward > 0)


play.usual = -1.0
games = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
before = np.mean([play(seed, 0.0) for seed in range(100)])
for seed in range(10_000, 10_000 + games):
    play(seed, 0.3)
after = np.mean([play(seed, 0.0) for seed in range(100)])
print(f"won before learning {before:.0%}, after {after:.0%}")
