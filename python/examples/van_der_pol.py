"""A force by a Python function: van der Pol's oscillator, whose limit cycle has an amplitude near 2.

    x'' = mu (1 - x^2) x' - x

The force gives energy while |x| < 1 and takes it beyond. Its work is in the ledger as work of loads, so the accounts close.
"""

import numpy as np

import ricochet

MU = 0.5


def law(time, body):
    x, speed = body.position[0], body.velocity[0]
    return [MU * (1 - x * x) * speed - x, 0, 0]


scene = ricochet.Scene(name="van-der-pol", time={"end": 60, "step": 1e-2})
scene.body("mass", mass=1, position=[0.1, 0, 0], fixed=["y", "z"])
scene.probe("x", "mass.position.x").probe("speed", "mass.velocity.x")
result = scene.case().simulation(forces=[ricochet.Force("mass", law)]).record()

late = result.time > 40
amplitude = np.abs(result.probes["x"][late]).max()
print(f"amplitude of the limit cycle: {amplitude:.4f}")
assert abs(amplitude - (2 + MU**2 / 96)) < 1e-3  # to second order in mu, by Poincare's and Lindstedt's expansion
gained = result.energies["kinetic"][-1] - result.energies["kinetic"][0]
assert abs(gained - result.energies["work_loads"][-1]) < 1e-10
assert np.abs(result.energies["closing_error"]).max() < 1e-10
