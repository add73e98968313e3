"""A cart on a rail with a pole hinged to it: a world and its spec, for tests."""

import carom


def cart_pole(step_limit: int = 200) -> tuple[carom.World, carom.Spec]:
    world = carom.World(sleep=False)
    cart = world.add(carom.rect(0.6, 0.3), mass=1.0, name="cart")
    pole = world.add(carom.rect(0.06, 1.0), at=(0, 0.5), mass=0.1, name="pole")
    world.prismatic(None, cart, (1, 0), name="rail")
    world.revolute(cart, pole, at=(0, 0), name="hinge")
    spec = carom.Spec(world, step_limit=step_limit)
    spec.action("force", "cart", axis=(1, 0), range=(-1, 1), scale=20, name="push")
    spec.observe("position", cart, only="x", name="x").observe("velocity", cart, only="x", name="v")
    spec.observe("angle", pole, name="angle").observe("spin", "pole", name="spin")
    spec.vary("angle", pole, -0.05, 0.05, about=(0, -0.5))
    spec.end("angle_beyond", pole, limit=0.3, name="fallen")
    spec.end("outside", cart, min=(-3, -1), max=(3, 1), name="off the rail")
    return world, spec
