"""Twins of Gymnasium's environments: the same observations, actions and rewards, on carom's worlds.

`lunar_lander(4096)`, `bipedal_walker(4096)` and `car_racing(4096)` make vector environments;
importing this module also registers `carom/LunarLander-v0`, `carom/BipedalWalker-v0` and
`carom/CarRacing-v0` with Gymnasium:

    import carom.twins
    env = gymnasium.make_vec(
        "carom/LunarLander-v0", 4096, vectorization_mode="vector_entry_point"
    )
"""

from __future__ import annotations

import gymnasium

from .bipedal_walker import BipedalWalker, bipedal_walker, ground
from .car_racing import CarRacing, car_racing
from .lunar_lander import LunarLander, lunar_lander

__all__ = [
    "BipedalWalker",
    "CarRacing",
    "LunarLander",
    "bipedal_walker",
    "car_racing",
    "ground",
    "lunar_lander",
]

for _name, _steps in (("LunarLander", 1000), ("BipedalWalker", 1600), ("CarRacing", 1000)):
    gymnasium.register(
        f"carom/{_name}-v0",
        vector_entry_point=f"carom.twins:{_name}",
        max_episode_steps=_steps,
    )
