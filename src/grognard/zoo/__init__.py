"""Research environments: every game for PettingZoo and Gymnasium (extra `rl`).

from grognard.zoo import env
e = env("picket", "crossing")
e.reset(seed=7)
for agent in e.agent_iter():
    observation, reward, termination, truncation, info = e.last()
    over = termination or truncation
    e.step(None if over else e.action_space(agent).sample(observation["action_mask"]))
"""

from grognard.kernel.errors import GrognardError

try:
    from .aec import WarGame, env
    from .parallel import WarGameTogether, parallel_env
    from .single import Against
except ModuleNotFoundError as error:  # pragma: no cover
    raise GrognardError(f"{error.name} is missing: pip install 'grognard[rl]'") from None

__all__ = ["Against", "WarGame", "WarGameTogether", "env", "parallel_env"]
