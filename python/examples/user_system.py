"""A system in a coordinate of its own: a pendulum that swings against a wall.

    m l^2 angle'' = -m g l sin(angle),   gap = l sin(angle) >= 0

It strikes the wall where it hangs straight down, and an impact leaves the part e^2 of its energy: that is how high it
swings the next time.
"""

import numpy as np

import ricochet

LENGTH, MASS, GRAVITY, RESTITUTION, START = 0.5, 2.0, 9.81, 0.8, 1.2


class Pendulum(ricochet.System):
    coordinates = ["angle"]
    contacts = [("bob", "wall")]
    size = LENGTH

    def mass(self, time, q):
        return MASS * LENGTH**2

    def force(self, time, q, v):
        return -MASS * GRAVITY * LENGTH * np.sin(q)

    def potential(self, time, q):
        return MASS * GRAVITY * LENGTH * (1 - np.cos(q[0]))

    def displacements(self, contact, time, q):  # away from the wall, and along it
        return [LENGTH * np.sin(q[0]), -LENGTH * np.cos(q[0])]

    def gradients(self, contact, time, q):
        return [[LENGTH * np.cos(q[0])], [LENGTH * np.sin(q[0])]]

    def place(self, contact, time, q):
        return [LENGTH * np.sin(q[0]), -LENGTH * np.cos(q[0]), 0], [1, 0, 0]


scene = ricochet.Scene(name="pendulum", planar=True, time={"end": 5, "step": 1e-3})
pendulum = ricochet.SystemStart("pendulum", Pendulum(), q=[START], restitution=RESTITUTION)
probes = {"angle": "system.pendulum.coordinate.angle", "impulse": "contact.pendulum.impulse.normal"}
simulation = scene.case().simulation(systems=[pendulum], probes=probes)
result = simulation.record()

strikes = result.time[result.probes["impulse"] > 0]
swings = [(result.time > a) & (result.time < b) for a, b in zip(strikes[:-1], strikes[1:])]
heights = np.array([LENGTH * (1 - np.cos(result.probes["angle"][swing].max())) for swing in swings])
expected = LENGTH * (1 - np.cos(START)) * RESTITUTION ** (2 * np.arange(1, len(swings) + 1))
for height, exact in zip(heights, expected):
    print(f"swings {height:.4f} m high, expected {exact:.4f} m")
assert len(swings) > 3
assert np.abs(heights - expected).max() < 1e-3
assert np.abs(result.energies["work_loads"]).max() < 1e-6  # the force is that of the potential
assert np.abs(result.energies["closing_error"]).max() < 1e-10
