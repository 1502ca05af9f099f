#!/usr/bin/env python3
"""The rocking block with the Python interface of Siconos: what a user of that package would write.

The relations (gap and its gradient) are plug-ins in C, which bench/peers/run compiles from siconos_corner_plugin.c, so
that only the loop over the steps is Python; LD_LIBRARY_PATH must name their directory. siconos_rocking_block.cpp beside
it has no Python at all. Prints: steps per second of processor time in the fastest of ten runs, and
x, y and rotation at the end.
"""
import ctypes
import time

import siconos.kernel as kernel
import siconos.numerics as numerics

STEP, END = 1e-4, 1.0
MASS, INERTIA, GRAVITY = 1.0, 1.0 / 12.0, 10.0


def build():
    block = kernel.LagrangianLinearTIDS(
        [0, 0.6, 0], [0, -0.2, 1], [[MASS, 0, 0], [0, MASS, 0], [0, 0, INERTIA]]
    )
    block.setFExtPtr([0, -MASS * GRAVITY, 0])
    machine = kernel.NonSmoothDynamicalSystem(0, END)
    machine.insertDynamicalSystem(block)
    law = kernel.NewtonImpactFrictionNSL(1.0, 0.0, 0.1, 2)
    corners = []
    for side in ("left", "right"):
        relation = kernel.LagrangianScleronomousR(
            f"siconos_corner_plugin:{side}_gap", f"siconos_corner_plugin:{side}_gradient"
        )
        corners.append(kernel.Interaction(law, relation))
        machine.link(corners[-1], block)
    scheme = kernel.MoreauJeanOSI(0.5)
    scheme.setGamma(0.0)  # contacts closed at the start of the step, as in the paper
    solver = kernel.FrictionContact(2, numerics.SICONOS_FRICTION_2D_NSGS)
    solver.numericsSolverOptions().dparam[numerics.SICONOS_DPARAM_TOL] = 1e-10
    solver.numericsSolverOptions().iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 10000
    simulation = kernel.TimeStepping(machine, kernel.TimeDiscretisation(0, STEP), scheme, solver)
    simulation.setNewtonOptions(kernel.SICONOS_TS_LINEAR)
    return block, simulation


def run():
    block, simulation = build()
    ctypes.CDLL("siconos_corner_plugin.so").start()  # the block is where the first step starts
    steps = 0
    begin = time.process_time()
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        simulation.nextStep()
        steps += 1
    return steps / (time.process_time() - begin), *block.q()


if __name__ == "__main__":
    print("{:.0f} {:.12f} {:.12f} {:.12f}".format(*max(run() for _ in range(10))))
