"""Systems of Python in minimal coordinates: closed forms, the shipped ones again, and what is told of wrong ones."""

import tempfile
import unittest

import numpy as np
from support import ball_scene, free_mass

import ricochet


class MassAtWall(ricochet.System):
    """A mass that slides along a line towards a wall that moves with constant speed."""

    coordinates = ["x"]
    contacts = ["front"]

    def __init__(self, wall_speed=0.0, gravity=0.0):
        self.wall_speed, self.gravity = wall_speed, gravity

    def mass(self, time, q):
        return 2.0

    def force(self, time, q, v):
        return [-2 * self.gravity]

    def potential(self, time, q):
        return 2 * self.gravity * q[0]

    def displacements(self, contact, time, q):
        return [q[0] - self.wall_speed * time, 0]

    def gradients(self, contact, time, q):
        return [1, 0]

    def rates(self, contact, time, q):
        return [-self.wall_speed, 0]

    def place(self, contact, time, q):
        return [q[0], 0, 0], [1, 0, 0]


class Pair(ricochet.System):
    """Two coordinates, for shapes."""

    coordinates = ["x", "y"]
    contacts = [("tip", "floor")]

    def mass(self, time, q):
        return np.eye(2)

    def force(self, time, q, v):
        return np.zeros(2)

    def displacements(self, contact, time, q):
        return [q[1], -q[0]]

    def gradients(self, contact, time, q):
        return [[0, 1], [-1, 0]]


class SliderCrank:
    """The shipped slider-crank (Flores, Leine & Glocker 2010, sec. 6) once more; derived from nothing."""

    coordinates = ("crank", "rod", "slider")
    contacts = (("corner1", "upper"), ("corner2", "upper"), ("corner3", "lower"), ("corner4", "lower"))

    def __init__(self, p):
        self.l1, self.l2 = p["crank_length"], p["rod_length"]
        self.a, self.b, self.c = p["slider_length"] / 2, p["slider_width"] / 2, p["clearance"]
        m1, m2, m3 = p["crank_mass"], p["rod_mass"], p["slider_mass"]
        self.inertia1 = p["crank_inertia"] + (m1 / 4 + m2 + m3) * self.l1**2
        self.inertia2 = p["rod_inertia"] + (m2 / 4 + m3) * self.l2**2
        self.inertia3 = p["slider_inertia"]
        self.coupling = (m2 / 2 + m3) * self.l1 * self.l2
        self.weights = p["gravity"] * np.array([(m1 / 2 + m2 + m3) * self.l1, (m2 / 2 + m3) * self.l2, 0])
        self.size = self.l1 + self.l2

    def mass(self, time, q):
        c = self.coupling * np.cos(q[1] - q[0])
        return [[self.inertia1, c, 0], [c, self.inertia2, 0], [0, 0, self.inertia3]]

    def force(self, time, q, v):
        s = self.coupling * np.sin(q[1] - q[0])
        return np.array([s * v[1] ** 2, -s * v[0] ** 2, 0]) - self.weights * np.cos(q)

    def tangents(self, time, q, v):
        s, c = self.coupling * np.sin(q[1] - q[0]), self.coupling * np.cos(q[1] - q[0])
        w = self.weights * np.sin(q)
        stiffness = [[c * v[1] ** 2 - w[0], -c * v[1] ** 2, 0], [-c * v[0] ** 2, c * v[0] ** 2 - w[1], 0], [0, 0, 0]]
        return stiffness, [[0, -2 * s * v[1], 0], [2 * s * v[0], 0, 0], [0, 0, 0]]

    def potential(self, time, q):
        return self.weights @ np.sin(q)

    def corner(self, contact):
        return (self.a if contact % 2 else -self.a), (self.b if contact < 2 else -self.b), (1 if contact < 2 else -1)

    def place(self, contact, time, q):
        along, up, side = self.corner(contact)
        c, s = np.cos(q), np.sin(q)
        x = self.l1 * c[0] + self.l2 * c[1] + along * c[2] - up * s[2]
        y = self.l1 * s[0] + self.l2 * s[1] + along * s[2] + up * c[2]
        return (x, y, 0), (0, -side, 0)

    def displacements(self, contact, time, q):
        side = self.corner(contact)[2]
        x, y, _ = self.place(contact, time, q)[0]
        return self.b + self.c - side * y, side * x

    def gradients(self, contact, time, q):
        along, up, side = self.corner(contact)
        c, s = np.cos(q), np.sin(q)
        dy = [self.l1 * c[0], self.l2 * c[1], along * c[2] - up * s[2]]
        dx = [-self.l1 * s[0], -self.l2 * s[1], -along * s[2] - up * c[2]]
        return np.array([np.multiply(-side, dy), np.multiply(side, dx)])


def empty_scene(step=1e-2, **keys):
    return ricochet.Scene(name="empty", planar=True, time={"end": 1, "step": step}, **keys)


def simulate(system, name="cart", scene=None, probes={}, **start):
    start.setdefault("q", np.ones(len(system.coordinates)))
    return (scene or empty_scene()).case().simulation(
        systems=[ricochet.SystemStart(name, system, **start)], probes=probes
    )


class Systems(unittest.TestCase):
    def test_a_mass_at_a_moving_wall(self):
        """The impact reverses the relative velocity times e; free motion is exact."""
        for scheme in ("moreau-jean", "moreau-midpoint", "nonsmooth-generalized-alpha"):
            with self.subTest(scheme=scheme):
                scene = empty_scene(integrator={"scheme": scheme})
                probes = {"x": "system.cart.coordinate.x", "gap": "system.cart.gap.front",
                          "impulse": "contact.cart.impulse.normal"}
                simulation = simulate(MassAtWall(wall_speed=0.5), scene=scene, probes=probes, v=-1, restitution=0.5)
                self.assertEqual(simulation.systems, ["cart"])
                result = simulation.record()
                strike = 1 / 1.5
                before = result.time < strike - 0.02
                np.testing.assert_allclose(result.probes["x"][before], 1 - result.time[before], atol=1e-12)
                self.assertAlmostEqual(simulation.value("system.cart.speed.x"), 1.25, places=12)  # (1 + e) w - e v
                self.assertAlmostEqual(result.probes["impulse"].sum(), 2 * 2.25, places=11)
                exact = 1 - strike + 1.25 * (1 - strike)
                self.assertLess(abs(result.probes["x"][-1] - exact), 2.25 * 0.02)  # within two steps of the true time
                self.assertEqual(result.probes["gap"][-1], simulation.value("system.cart.coordinate.x - 0.5*time"))
                self.assertEqual(result.contact_names, ["cart:cart.front|cart.obstacle"])
                self.assertAlmostEqual(result.energies["total"][-1], 2 * 1.25**2 / 2, places=11)
                if scheme != "nonsmooth-generalized-alpha":
                    self.assertLess(np.abs(result.energies["closing_error"]).max(), 1e-12)

    def test_the_slider_crank_of_the_program(self):
        shipped_case = ricochet.load("flores-6-slider-crank-clearance")
        p = shipped_case.parameters
        scene = ricochet.Scene(planar=True, gravity=[0, -p["gravity"], 0], time={"end": 0.003, "step": 1e-5},
                               solver={"name": "lemke"}, integrator={"scheme": "moreau-midpoint", "projection": "none"})
        v = [p["speed"], -p["speed"] * p["crank_length"] / p["rod_length"], p["spin"]]
        start = ricochet.SystemStart("mechanism", SliderCrank(p), v=v, friction=p["friction"],
                                     restitution=p["restitution"])
        self.assertEqual(shipped_case.systems, ["mechanism"])
        for scheme in ("moreau-midpoint", "moreau-jean"):
            with self.subTest(scheme=scheme):
                ours = scene.case(set={"integrator.scheme": scheme}).simulation(systems=[start])
                shipped = shipped_case.changed(set={"integrator.scheme": scheme}).simulation()
                struck = 0
                for _ in range(300):
                    ours.step()
                    shipped.step()
                    struck += len(shipped.contacts)
                    np.testing.assert_allclose(ours.q, shipped.q, atol=1e-12, rtol=0)
                    np.testing.assert_allclose(ours.v, shipped.v, atol=1e-12 * 150, rtol=0)
                    self.assertEqual(len(ours.contacts), len(shipped.contacts))
                self.assertGreater(struck, 0)
                np.testing.assert_allclose(ours.energies["total"], shipped.energies["total"], rtol=1e-12)
                self.assertEqual(set(ours.contact_names), set(shipped.contact_names))

    def test_the_shipped_ones_by_name(self):
        scene = empty_scene(gravity=[0, -10, 0])
        scene.system("block", type="rocking-block", width=0.2, height=0.4, mass=3, inertia=0.05, position=[0, 0.2])
        case = scene.case()
        self.assertEqual(case.systems, ["block"])
        simulation = case.simulation()
        simulation.step(10)
        self.assertAlmostEqual(simulation.value("contact.block.impulse.normal"), 3 * 10 * 1e-2, places=12)

    def test_state_by_name_beside_bodies(self):
        scene = free_mass(planar=True)
        simulation = simulate(Pair(), name="pair", scene=scene, q=[3, 4], v=[5, 6])
        np.testing.assert_array_equal(simulation.q[simulation.coordinates_of("pair")], [3, 4])
        np.testing.assert_array_equal(simulation.v[simulation.velocities_of("pair")], [5, 6])
        self.assertEqual(simulation.bodies, ["mass"])
        simulation.run(until=0.5)
        np.testing.assert_allclose(simulation.q[simulation.coordinates_of("pair")], [5.5, 7], atol=1e-12)
        v = simulation.v.copy()
        v[simulation.velocities_of("pair")] = 0
        simulation.set_state(v=v)
        self.assertEqual(simulation.energies["kinetic"], 0)

    def test_snapshots_tell_systems_apart(self):
        simulation = simulate(MassAtWall(0.5), v=-1, restitution=0.5)
        simulation.step(50)
        snapshot = simulation.snapshot()
        simulation.run()
        end = simulation.state_hash
        simulation.restore(snapshot)
        simulation.run()
        self.assertEqual(simulation.state_hash, end)
        with self.assertRaisesRegex(ValueError, "another machine"):
            simulate(MassAtWall(0.5), name="wagon").restore(snapshot)

    def test_in_space_there_are_two_directions(self):
        class Ball(ricochet.System):
            coordinates = ["x", "y", "z"]
            contacts = ["ball"]

            def mass(self, time, q):
                return 3 * np.eye(3)

            def force(self, time, q, v):
                return [0, -30, 0]

            def displacements(self, contact, time, q):
                return [q[1], q[2], q[0]]

            def gradients(self, contact, time, q):
                return np.eye(3)[[1, 2, 0]]

        scene = ricochet.Scene(time={"end": 0.1, "step": 1e-2})
        simulation = simulate(Ball(), scene=scene, q=[0, 0, 0], v=[3, 0, 4], friction=0.5)
        simulation.run()
        np.testing.assert_allclose(simulation.v, np.multiply([3, 0, 4], 1 - 0.5 * 10 * 0.1 / 5), atol=1e-9)
        self.assertGreater(simulation.energies["work_loads"], -1e-12)

    def test_runs_into_files(self):
        start = ricochet.SystemStart("cart", MassAtWall(0.5), q=1, v=-1, restitution=0.5)
        probes = {"x": "system.cart.coordinate.x", "speed": "system.cart.speed.x"}
        live = empty_scene().case().simulation(systems=[start], probes=probes).record()
        with tempfile.TemporaryDirectory() as folder:
            result = empty_scene().case().run(f"{folder}/cart", systems=[start], probes=probes)
        np.testing.assert_array_equal(result.probes["x"], live.probes["x"])
        self.assertEqual(result.contact_names, live.contact_names)
        np.testing.assert_array_equal(result.contacts["impulse"], live.contacts["impulse"])

    def test_probes_of_cases(self):
        simulation = ball_scene().case().simulation(probes={"twice": "2*ball.position.y + restitution"})
        self.assertEqual(simulation.probes, {"height": 1.0, "twice": 2.7})
        for name, text, words in (("height", "time", "height"), ("new", "bal.position.y", "bal"), ("new", "2*(", "2")):
            with self.assertRaisesRegex(ValueError, words):
                ball_scene().case().simulation(probes={name: text})


class BadSystems(unittest.TestCase):
    def wrong(self, base=Pair, **members):
        return type("Wrong", (base,), members)()

    def refused(self, error, words, system, **start):
        with self.assertRaisesRegex(error, words):
            simulate(system, **start)

    def test_a_wrong_gradient_is_named(self):
        wrong = self.wrong(gradients=lambda self, contact, t, q: [[0, 1], [1, 0]])
        self.refused(ValueError, "system 'cart': the gradient of the tangential displacement of contact 'tip' along 'x' is "
                                 "given as 1, but differences of the displacement give -1", wrong)
        still = MassAtWall(0.5)
        still.rates = lambda contact, time, q: [0, 0]
        self.refused(ValueError, "derivative of the gap of contact 'front' with respect to time is given as 0", still)
        self.refused(ValueError, "the mass matrix is not symmetric", self.wrong(mass=lambda s, t, q: [[1, 2], [0, 1]]))

    def test_exceptions_come_through_as_they_are(self):
        class Odd(Exception):
            pass

        def late(self, time, q, v):
            if time > 0.1:
                raise Odd("no more")
            return [0, 0]

        simulation = simulate(self.wrong(force=late))
        with self.assertRaisesRegex(Odd, "no more"):
            simulation.run()
        self.assertEqual(simulation.steps, 10)  # the steps before are kept
        with self.assertRaises(Odd):
            simulation.step()

        def fail(self, *arguments):
            raise Odd("never")

        for method in ("mass", "force", "displacements", "gradients", "rates"):  # at the start
            self.refused(Odd, "never", self.wrong(**{method: fail}))
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(Odd, "never"):
            start = ricochet.SystemStart("cart", self.wrong(mass=fail))
            empty_scene().case().run(f"{folder}/cart", systems=[start])
        for method in ("tangents", "place"):  # when somebody asks
            with self.assertRaisesRegex(Odd, "never"):
                simulate(self.wrong(**{method: fail}), q=[0, 0]).step()
        self.refused(TypeError, "positional argument", self.wrong(mass=lambda self: 1))

    def test_exceptions_outside_of_steps(self):
        class Odd(Exception):
            pass

        failing = []

        def displacements(self, contact, time, q):
            if failing:
                raise Odd("gap")
            return Pair.displacements(self, contact, time, q)

        simulation = simulate(self.wrong(displacements=displacements), q=[0, 1], probes={"gap": "system.cart.gap.tip"})
        failing.append(True)
        for look in (lambda: simulation.value("system.cart.gap.tip"), lambda: simulation.probes, simulation.record):
            with self.assertRaisesRegex(Odd, "gap"):
                look()
        failing.clear()
        self.assertEqual(simulation.value("system.cart.gap.tip"), 1)
        simulation.step()

    def test_wrong_values(self):
        for method, value, words in (
            ("mass", np.eye(3), r"mass\(time, q\) must give 2 x 2 numbers, but gave 3 x 3 numbers"),
            ("mass", [1, 1], r"mass\(time, q\) must give 2 x 2 numbers, but gave 2 numbers"),
            ("mass", None, r"mass\(time, q\) must give numbers, but gave None"),
            ("force", [1], r"force\(time, q, v\) must give 2 numbers, but gave 1 number$"),
            ("force", [np.nan, 0], r"force\(time, q, v\) must give finite numbers, but gave \[nan, 0\]"),
            ("force", "down", r"force\(time, q, v\) must give numbers, but gave 'down'"),
            ("displacements", 1.0, r"displacements\(contact, time, q\) of contact 'tip' must give 2 numbers, but gave one"),
            ("gradients", [[0, 1]], "gradients.* of contact 'tip' must give 2 x 2 numbers, but gave 1 x 2 numbers"),
            ("rates", [0, 0, 0], "rates.* of contact 'tip' must give 2 numbers, but gave 3 numbers"),
            ("potential", [1, 2], r"potential\(time, q\) must give one number, but gave 2 numbers"),
            ("tangents", np.eye(3), r"tangents\(time, q, v\) must give \(stiffness, damping\), but gave"),
            ("tangents", (1, None), r"the stiffness of tangents\(time, q, v\) must give 2 x 2 numbers, but gave one"),
            ("place", 1, r"place.* of contact 'tip' must give \(point, normal\), but gave 1"),
            ("place", ([0, 0], [0, 1, 0]), "the point of place.* of contact 'tip' must give 3 numbers, but gave 2"),
            ("place", ([0, 0, 0], [0, 2, 0]), "the normal of place.* must be a unit vector in the plane"),
            ("place", ([0, 0, 0], [0, 0, 1]), "the normal of place.* must be a unit vector in the plane"),
        ):
            with self.subTest(method=method, value=value), self.assertRaisesRegex(ValueError, "system 'cart': " + words):
                simulate(self.wrong(**{method: lambda *arguments: value}), q=[0, 0]).step()

    def test_tangents_may_be_told_in_part(self):
        for tangents in ((None, None), (np.eye(2), None), (None, np.eye(2))):
            simulate(self.wrong(tangents=lambda *arguments: tangents)).step()

    def test_members_that_are_missing_or_wrong(self):
        class Nothing:
            coordinates = ["x"]

        self.refused(TypeError, r"system 'cart' has no method mass\(time, q\)", Nothing())
        self.refused(TypeError, r"has contacts, but no method gradients", self.wrong(gradients=None))
        self.refused(TypeError, "tangents is no method", self.wrong(tangents=3))
        self.refused(TypeError, "the coordinates of system 'cart' must be a list of names", self.wrong(coordinates="xy"))
        self.refused(TypeError, "must be names, but one is 3", self.wrong(coordinates=["x", 3]))
        self.refused(ValueError, "'a b' is no name", self.wrong(coordinates=["x", "a b"]))
        self.refused(ValueError, "has two coordinates 'x'", self.wrong(coordinates=["x", "x"]))
        self.refused(ValueError, "has no coordinates", self.wrong(coordinates=[]))
        self.refused(ValueError, "has two contacts 'a'", self.wrong(contacts=["a", ("a", "b")]))
        self.refused(TypeError, "pairs of names", self.wrong(contacts=[("a", "b", "c")]))
        self.refused(ValueError, "size must be a length above 0", self.wrong(size=0))
        with self.assertRaises(TypeError):  # Python itself: the method is abstract
            type("Incomplete", (ricochet.System,), {"mass": lambda *arguments: 1})()

    def test_starts_that_cannot_be(self):
        self.refused(ValueError, "system 'cart' needs 2 numbers for q, but was given \\[1\\]", Pair(), q=[1])
        self.refused(ValueError, "needs 1 number for v, but was given 'x'", MassAtWall(), v="x")
        self.refused(ValueError, "must be finite", Pair(), q=[0, np.nan])
        self.refused(ValueError, "the restitution of contact 'cart' must lie between 0 and 1", Pair(), restitution=2)
        self.refused(ValueError, "the friction of contact 'cart'", Pair(), friction=-1)
        self.refused(ValueError, "'1st' is no name", Pair(), name="1st")
        scene = ball_scene(planar=True)
        self.refused(ValueError, "system 'ball' has the name of a body", Pair(), name="ball", scene=scene)
        self.refused(ValueError, "system 'bounce' has the name of a contact rule", Pair(), name="bounce", scene=scene)
        twice = [ricochet.SystemStart("cart", Pair()), ricochet.SystemStart("cart", Pair())]
        with self.assertRaisesRegex(ValueError, "system 'cart' has the name of a system that is there already"):
            empty_scene().case().simulation(systems=twice)
        with self.assertRaisesRegex(TypeError, "systems must be ricochet.SystemStart"):
            empty_scene().case().simulation(systems=[Pair()])
        with self.assertRaisesRegex(ValueError, "system 'cart' has no coordinate 'z'"):
            simulate(Pair()).value("system.cart.coordinate.z")


if __name__ == "__main__":
    unittest.main()
