"""Scenes for the tests of this folder."""

import ricochet


def ball_scene(**keys):
    """A ball that falls from one metre."""
    scene = ricochet.Scene(name="ball", gravity=[0, -10, 0], time={"end": 1, "step": 1e-3}, **keys)
    scene.parameter("restitution", 0.5)
    scene.body("ball", mass=2, shape={"type": "sphere", "radius": 0.1}, position=[0, 1.1, 0], velocity=[1, 0, 0])
    scene.surface("ground", type="plane", normal=[0, 1, 0])
    scene.contact("bounce", between=["ball", "ground"], restitution="restitution")
    scene.probe("height", "ball.position.y - 0.1")
    return scene


def free_mass(**keys):
    """A point without any force on it."""
    scene = ricochet.Scene(name="mass", time={"end": 1, "step": 1e-2}, **keys)
    return scene.body("mass", mass=2, position=[1, 0, 0])


def pendulum(**keys):
    """A rod that hangs from a hinge at the origin."""
    scene = ricochet.Scene(name="rod", planar=True, gravity=[0, -10, 0], time={"end": 1, "step": 1e-3}, **keys)
    scene.body("rod", mass=1, inertia=1 / 12, position=[0, -0.5, 0])
    scene.joint("hinge", type="revolute", second="rod", at=[0, 0, 0])
    return scene
