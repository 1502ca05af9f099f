"""A controller in Python: a torque at a hinge brings a pendulum upright, and holds it against gravity.

The law is that of a spring and damper towards the target (proportional and derivative control), with the torque of gravity
added. Such a stiff law needs its stiffness and damping for the steps to converge.
"""

import numpy as np

import ricochet

LENGTH, MASS, GRAVITY = 0.5, 1.0, 9.81
STIFFNESS, DAMPING, TARGET = 400.0, 40.0, np.pi

scene = ricochet.Scene(name="pendulum", planar=True, gravity=[0, -GRAVITY, 0], time={"end": 1.5, "step": 1e-3})
scene.body("rod", mass=MASS, inertia=MASS * LENGTH**2 / 12, position=[0, -LENGTH / 2, 0])
scene.joint("hinge", type="revolute", second="rod", at=[0, 0, 0])
scene.probe("angle", "joint.hinge.coordinate").probe("speed", "joint.hinge.speed")


def controller(time, angle, speed):
    weight = MASS * GRAVITY * LENGTH / 2 * np.sin(angle)
    return STIFFNESS * (TARGET - angle) - DAMPING * speed + weight


torque = ricochet.JointForce("hinge", controller, stiffness=STIFFNESS, damping=DAMPING)
simulation = scene.case().simulation(forces=[torque])
result = simulation.record()

print(f"angle at the end: {result.probes['angle'][-1]:.6f} rad")
assert abs(result.probes["angle"][-1] - TARGET) < 1e-5
lift = MASS * GRAVITY * LENGTH  # the centre of mass goes up by the length
assert abs(result.energies["potential"][-1] - result.energies["potential"][0] - lift) < 1e-4
assert abs(result.energies["closing_error"][-1]) < 1e-8
# The controller makes it a linear oscillator, I a = k (target - a) - c a' with I = m l^2/3, which is overdamped.
inertia = MASS * LENGTH**2 / 3
rates = np.roots([inertia, DAMPING, STIFFNESS])
slow, fast = max(rates), min(rates)
exact = TARGET * (1 - (fast * np.exp(slow * result.time) - slow * np.exp(fast * result.time)) / (fast - slow))
assert np.abs(result.probes["angle"] - exact).max() < 5e-3
