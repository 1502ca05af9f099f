#!/usr/bin/env python3
"""A window of steps with Siconos from a heap (bench/heap_file.hpp), set up as the examples of Siconos are.

    siconos_heap.py HEAP STEPS SECONDS END

Collision by its SiconosBulletCollisionManager with default options, shapes with the margins that siconos.io gives
them, Moreau-Jean with theta = 1/2, one Newton iteration, NSGS with tolerance 1e-4 and 1,000 iterations on block-sparse
storage, started from the last solution; contacts that stay as they are rest for 10 iterations (as in its box_stacks
example; that is faster than without). Planes are faces of large boxes, as in its examples: what falls on a SiconosPlane
sinks into it. Ends after SECONDS of processor time, but makes at least 8 steps.

Prints, of each step: `step`, seconds (of the processor), contacts of the problem, 1 if the solver missed its tolerance
by its own measure, that measure, iterations. Writes the heap after the last step to END.
"""
import sys
import time

import numpy
import siconos.kernel as kernel
import siconos.numerics as numerics
from siconos.mechanics.collision import (
    RigidBodyDS,
    SiconosBox,
    SiconosContactor,
    SiconosContactorSet,
    SiconosSphere,
)
from siconos.mechanics.collision.bullet import SiconosBulletCollisionManager, SiconosBulletOptions

TOLERANCE, ITERATIONS, FREEZING = 1e-4, 1000, 10
LEAST_STEPS = 8
WALL = [100.0, 100.0, 1.0]  # m


def read_heap(path):
    heap = {"planes": [], "bodies": [], "header": []}
    for line in open(path):
        word, *numbers = line.split()
        numbers = [float(x) for x in numbers]
        if word in ("box", "ball"):
            heap["bodies"].append((word, numbers))
            continue
        heap["header"].append(line)
        if word == "plane":
            heap["planes"].append((numbers[:3], numbers[3:]))
        else:
            heap[word] = numbers if word == "gravity" else numbers[0]
    return heap


def write_heap(heap, bodies, path):
    with open(path, "w") as file:
        file.writelines(heap["header"])
        for (word, numbers), body in zip(heap["bodies"], bodies):
            moved = [*numbers[:4], *body.q(), *body.twist()]
            print(word, *(f"{x:.17g}" for x in moved), file=file)


def with_margins(shape, smallest):
    """As siconos.io.mechanics_run does."""
    shape.setInsideMargin(0.02 * smallest)
    shape.setOutsideMargin(0)
    return shape


def contactors(shape):
    result = SiconosContactorSet()
    result.append(SiconosContactor(shape))
    return result


def rotation_to(normal):
    """The quaternion that takes z to `normal`."""
    z = numpy.array([0.0, 0.0, 1.0])
    normal = numpy.array(normal) / numpy.linalg.norm(normal)
    if normal @ z < -1 + 1e-12:
        return [0.0, 1.0, 0.0, 0.0]
    quaternion = numpy.array([1 + normal @ z, *numpy.cross(z, normal)])
    return list(quaternion / numpy.linalg.norm(quaternion))


def make_body(word, numbers, gravity, shapes):
    mass, size, place, velocity = numbers[0], tuple(numbers[1:4]), numbers[4:11], numbers[11:]
    if (word, size) not in shapes:
        edges = [2 * x for x in size]
        shapes[word, size] = (
            with_margins(SiconosSphere(size[0]), size[0])
            if word == "ball"
            else with_margins(SiconosBox(edges), min(edges))
        )
    if word == "ball":
        inertia = [0.4 * mass * size[0] ** 2] * 3
    else:
        squares = [x * x for x in size]
        inertia = [mass / 3 * (sum(squares) - x) for x in squares]
    body = RigidBodyDS(place, velocity, mass, numpy.diag(inertia))
    body.setUseContactorInertia(False)
    body.setContactors(contactors(shapes[word, size]))
    body.setFExtPtr([mass * x for x in gravity])
    return body


def build(heap, steps):
    step = heap["step"]
    machine = kernel.NonSmoothDynamicalSystem(0, (steps + 1) * step)
    manager = SiconosBulletCollisionManager(SiconosBulletOptions())
    manager.useEqualityConstraints(False)  # as siconos.io does where there are no joints
    shapes = {}
    bodies = [make_body(word, numbers, heap["gravity"], shapes) for word, numbers in heap["bodies"]]
    for body in bodies:
        machine.insertDynamicalSystem(body)
    for point, normal in heap["planes"]:
        centre = [x - n * WALL[2] / 2 for x, n in zip(point, normal)]
        wall = contactors(with_margins(SiconosBox(WALL), min(WALL)))
        manager.insertStaticContactorSet(wall, [*centre, *rotation_to(normal)])
    manager.insertNonSmoothLaw(kernel.NewtonImpactFrictionNSL(0.0, 0.0, heap["friction"], 3), 0, 0)

    options = kernel.solver_options_create(numerics.SICONOS_FRICTION_3D_NSGS)
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = ITERATIONS
    options.dparam[numerics.SICONOS_DPARAM_TOL] = TOLERANCE
    options.iparam[numerics.SICONOS_FRICTION_3D_NSGS_FREEZING_CONTACT] = FREEZING
    problem = kernel.FrictionContact(3, options)
    problem.setMaxSize(0)
    problem.setMStorageType(numerics.NM_SPARSE_BLOCK)
    problem.setKeepLambdaAndYState(True)

    simulation = kernel.TimeStepping(machine, kernel.TimeDiscretisation(0, step))
    simulation.insertIntegrator(kernel.MoreauJeanOSI(0.5))
    simulation.insertNonSmoothProblem(problem)
    simulation.insertInteractionManager(manager)
    simulation.setNewtonOptions(kernel.SICONOS_TS_NONLINEAR)
    simulation.setNewtonMaxIteration(1)
    simulation.setNewtonTolerance(1e-10)
    return machine, manager, bodies, problem, simulation


def main():
    heap = read_heap(sys.argv[1])
    steps, limit, end = int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
    machine, manager, bodies, problem, simulation = build(heap, steps)
    start = time.process_time()
    for index in range(steps):
        begin = time.process_time()
        if begin - start > limit and index >= LEAST_STEPS:
            break
        simulation.computeOneStep()
        simulation.clearNSDSChangeLog()
        simulation.nextStep()
        seconds = time.process_time() - begin
        options = problem.numericsSolverOptions()
        contacts = problem.getSizeOutput() // 3
        error = options.dparam[numerics.SICONOS_DPARAM_RESIDU] if contacts else 0.0
        iterations = options.iparam[numerics.SICONOS_IPARAM_ITER_DONE]
        print(f"step {seconds:.9f} {contacts} {int(not error <= TOLERANCE)} {error:.3e} {iterations}", flush=True)
    write_heap(heap, bodies, end)


if __name__ == "__main__":
    main()
