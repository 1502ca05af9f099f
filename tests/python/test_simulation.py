"""Simulations: live views, steps, callbacks, states, contacts and energies."""

import gc
import unittest

import numpy as np
from support import ball_scene, free_mass, pendulum

import ricochet


class Views(unittest.TestCase):
    def test_state_is_seen_without_copies(self):
        simulation = ball_scene().case().simulation()
        views = {name: getattr(simulation, name) for name in ("q", "v", "a", "positions", "quaternions", "velocities")}
        addresses = {name: view.__array_interface__["data"][0] for name, view in views.items()}
        for steps in (1, 2, 700):
            simulation.step(steps)
            for name, view in views.items():
                self.assertEqual(getattr(simulation, name).__array_interface__["data"][0], addresses[name], name)
                self.assertTrue(np.shares_memory(view, getattr(simulation, name)), name)
                self.assertFalse(view.flags.owndata, name)
            height = simulation.value("ball.position.y")
            self.assertEqual(views["q"][1], height)
            self.assertEqual(views["positions"][0, 1], height)
            self.assertEqual(views["velocities"][0, 1], simulation.value("ball.velocity.y"))
            self.assertEqual(views["v"][1], simulation.value("ball.velocity.y"))
        self.assertEqual(views["q"].shape, (7,))
        self.assertEqual(views["velocities"].shape, (1, 6))

    def test_views_cannot_be_written(self):
        simulation = ball_scene().case().simulation()
        for name in ("q", "v", "a", "positions", "quaternions", "velocities"):
            with self.assertRaises(ValueError):
                getattr(simulation, name)[...] = 0

    def test_views_outlive_the_name_of_the_simulation(self):
        simulation = ball_scene().case().simulation()
        simulation.step(10)
        q, expected = simulation.q, simulation.q.copy()
        del simulation
        gc.collect()
        np.testing.assert_array_equal(q, expected)

    def test_views_in_a_callback_are_those_of_the_moment(self):
        simulation = ball_scene().case().simulation()
        positions, seen = simulation.positions, []
        simulation.run(0.1, lambda s: seen.append((s.time, positions[0, 1], s.probes["height"])), every=10)
        times, heights, probes = np.array(seen).T
        np.testing.assert_allclose(times, np.arange(1, 11) * 0.01, rtol=1e-12)
        np.testing.assert_allclose(heights, 1.1 - 5 * times**2, rtol=1e-12)
        np.testing.assert_allclose(probes, heights - 0.1, rtol=1e-12)

    def test_places_of_bodies(self):
        simulation = free_mass().body("box", mass=1, inertia=1, position=[4, 5, 6]).case().simulation()
        np.testing.assert_array_equal(simulation.q[simulation.coordinates_of("box")], [4, 5, 6, 1, 0, 0, 0])
        self.assertEqual(simulation.velocities_of("mass"), slice(0, 3, 1))
        self.assertEqual(simulation.velocities_of("box"), slice(3, 9, 1))
        with self.assertRaises(KeyError):
            simulation.coordinates_of("bx")


class Running(unittest.TestCase):
    def test_steps_and_times(self):
        simulation = ball_scene().case().simulation()
        self.assertEqual(simulation.step(), 1)
        self.assertEqual(simulation.step(4), 4)
        self.assertEqual(simulation.time, 0.005)
        self.assertEqual(simulation.run(until=0.1), 95)
        self.assertEqual(simulation.run(), 900)
        self.assertEqual(simulation.run(), 0)
        self.assertEqual(simulation.run(until=1.5), 500)  # beyond the end of the case
        self.assertEqual(simulation.steps, 1500)
        with self.assertRaisesRegex(ValueError, "is at t = 1.5 s already and cannot run until 1 s"):
            simulation.run(until=1)
        for until in (float("nan"), float("inf")):
            with self.assertRaisesRegex(ValueError, "`until` must be finite"):
                simulation.run(until=until)
        with self.assertRaises(ValueError):
            simulation.step(-1)
        with self.assertRaises(ValueError):
            simulation.run(until=2, callback=print, every=0)

    def test_callback_may_stop_but_not_move(self):
        simulation = ball_scene().case().simulation()
        self.assertEqual(simulation.run(callback=lambda s: s.time < 0.0105), 11)
        self.assertEqual(simulation.run(callback=lambda s: np.bool_(s.time < 0.0125)), 2)
        with self.assertRaisesRegex(ValueError, "ambiguous"):
            simulation.run(callback=lambda s: s.v > 0)
        for move in (lambda s: s.step(), lambda s: s.set_state(v=s.v), lambda s: s.restore(s.snapshot())):
            with self.assertRaisesRegex(RuntimeError, "may look at the simulation, but not move it"):
                simulation.run(callback=move)
        self.assertEqual(simulation.run(until=0.02), 3)  # three steps were made before the complaints

    def test_exceptions_of_callbacks_come_through(self):
        simulation = ball_scene().case().simulation()

        def fail(s):
            raise LookupError(f"at {s.steps}")

        with self.assertRaisesRegex(LookupError, "at 5"):
            simulation.run(callback=fail, every=5)
        self.assertEqual(simulation.steps, 5)

    def test_a_step_that_fails(self):
        scene = pendulum()
        scene.joint("motor", type="drive", joint="hinge", target="t < 0.01 ? 0 : 1")
        simulation = scene.case().simulation()
        with self.assertRaisesRegex(ricochet.SimulationError, "the step from t = .* could not close joint") as caught:
            simulation.run()
        self.assertIsInstance(caught.exception, RuntimeError)
        before = simulation.q.copy()
        with self.assertRaises(ricochet.SimulationError):
            simulation.step()
        np.testing.assert_array_equal(simulation.q, before)
        self.assertLess(simulation.time, 0.02)

    def test_record(self):
        simulation = ball_scene().case().simulation()
        result = simulation.record(until=1, every=10)
        self.assertEqual(len(result.time), 101)
        self.assertEqual(result.positions.shape, (101, 1, 3))
        np.testing.assert_array_equal(result.position("ball")[:, 1] - 0.1, result.probes["height"])
        total = result.contacts_of("bounce")["impulse"][:, 0].sum()
        change = 2 * (result.velocity("ball")[-1, 1] - result.velocity("ball")[0, 1])
        self.assertAlmostEqual(total, change + 2 * 10 * 1, places=9)  # impulses of all steps, not only of rows
        self.assertEqual(result.contact_names, ["bounce:ball.sphere|ground.plane"])
        self.assertLess(np.abs(result.energies["closing_error"]).max(), 1e-12)
        with self.assertRaisesRegex(KeyError, "there is no body 'bal'; there are ball"):
            result.position("bal")
        odd = simulation.record(until=1.015, every=10)  # the last row is there in any case
        np.testing.assert_allclose(odd.time, [1, 1.01, 1.015], rtol=1e-12)

    def test_threads_do_not_change_results(self):
        hashes = set()
        for threads in (1, 2):
            simulation = ricochet.load("box-stack").simulation(threads=threads)
            simulation.step(30)
            hashes.add(simulation.state_hash)
        self.assertEqual(len(hashes), 1)
        for threads in (0, -1, 1025):
            with self.assertRaisesRegex(ValueError, f"threads: Value {threads} not in range 1 to 1024"):
                ball_scene().case().simulation(threads=threads)

    def test_more_steps_than_can_be_counted(self):
        def stop(time, motion):
            if time > 0.055:
                raise LookupError("enough")
            return [0, 0, 0]

        simulation = free_mass().case().simulation(forces=[ricochet.Force("mass", stop)])
        simulation.step(2)
        with self.assertRaises(LookupError):  # and not zero steps, as after an overflow
            simulation.step(2**63 - 1)


class States(unittest.TestCase):
    def test_snapshots_restore_every_bit(self):
        simulation = ball_scene().case().simulation()
        simulation.step(440)
        snapshot = simulation.snapshot()
        simulation.run()
        first, q = simulation.state_hash, simulation.q.copy()
        simulation.restore(snapshot)
        self.assertEqual(simulation.steps, 440)
        simulation.run()
        self.assertEqual(simulation.state_hash, first)
        np.testing.assert_array_equal(simulation.q, q)
        for garbage in (snapshot[:-1], snapshot + b"x", b"", b"garbage", b"\xff" * 64, bytes(len(snapshot))):
            with self.assertRaisesRegex(ValueError, "the snapshot "):
                simulation.restore(garbage)
        self.assertEqual(simulation.state_hash, first)
        with self.assertRaisesRegex(ValueError, "another machine"):
            pendulum().case().simulation().restore(snapshot)
        renamed = ricochet.Scene(ball_scene().data)  # of the same size
        renamed.data["bodies"]["boulder"] = renamed.data["bodies"].pop("ball")
        renamed.data["contacts"]["bounce"]["between"] = ["boulder", "ground"]
        renamed.data["probes"] = {}
        with self.assertRaisesRegex(ValueError, "another machine"):
            renamed.case().simulation().restore(snapshot)

    def test_set_state(self):
        simulation = ball_scene().case().simulation()
        simulation.step(10)
        q = simulation.q.copy()
        q[:3] = [0, 5.1, 0]
        simulation.set_state(q=q, v=np.zeros(6))
        self.assertEqual(simulation.positions[0, 1], 5.1)
        self.assertEqual(simulation.energies["initial"], 2 * 10 * 5.1)
        simulation.run(until=0.51)
        self.assertAlmostEqual(simulation.positions[0, 1], 5.1 - 5 * 0.5**2, places=12)
        self.assertLess(abs(simulation.energies["closing_error"]), 1e-12)

    def test_states_that_cannot_be(self):
        ball = ball_scene().case().simulation()
        with self.assertRaisesRegex(ValueError, "q must be an array of 7 numbers, but has 3"):
            ball.set_state(q=[0, 0, 0])
        with self.assertRaisesRegex(ValueError, "unit quaternions"):
            ball.set_state(q=[0, 1, 0, 1, 1, 0, 0])
        with self.assertRaisesRegex(ValueError, "v must be finite"):
            ball.set_state(v=[0, np.inf, 0, 0, 0, 0])
        rod = pendulum().case().simulation()
        with self.assertRaisesRegex(ValueError, r"v\[2\] must be zero"):
            rod.set_state(v=[0, 0, 1, 0, 0, 0])
        with self.assertRaisesRegex(ValueError, "the joints are open by 0.25 m"):
            rod.set_state(q=[0, -0.25, 0, 1, 0, 0, 0])
        self.assertEqual(rod.positions[0, 1], -0.5)


class Looking(unittest.TestCase):
    def test_contacts(self):
        simulation = ball_scene().case(set={"bodies.ball.position": [0, 0.1, 0], "bodies.ball.velocity": [0, 0, 0],
                                            "contacts.bounce.friction": 0.5}).simulation()
        self.assertEqual(len(simulation.contacts), 0)
        simulation.step(3)
        contacts = simulation.contacts
        self.assertEqual(
            contacts.dtype.names,
            ("time", "identity", "body_a", "body_b", "point", "normal", "tangent1", "gap", "velocity", "impulse",
             "moment", "status", "work"),
        )
        self.assertEqual(contacts.shape, (1,))
        only = contacts[0]
        self.assertEqual(simulation.contact_names[only["identity"]], "bounce:ball.sphere|ground.plane")
        self.assertEqual((only["body_a"], only["body_b"], only["status"]), (0, 1, 1))
        np.testing.assert_array_equal(only["normal"], [0, 1, 0])
        np.testing.assert_allclose(only["point"], [0, 0, 0], atol=1e-15)
        self.assertAlmostEqual(only["impulse"][0], 2 * 10 * 1e-3, places=12)  # weight times step
        self.assertAlmostEqual(only["time"], 0.003)
        kept = contacts.copy()
        simulation.step(5)
        np.testing.assert_array_equal(contacts, kept)  # it is an array of its own

    def test_energies_and_statistics(self):
        simulation = ball_scene().case().simulation()
        simulation.run()
        energies = simulation.energies
        self.assertEqual(energies["total"], energies["kinetic"] + energies["potential"])
        self.assertLess(energies["contact_normal"], -1)
        self.assertLess(abs(energies["closing_error"]), 1e-12)
        self.assertEqual(simulation.statistics["steps"], 1000)
        self.assertEqual(simulation.statistics["contacts_max"], 1)

    def test_values_of_expressions(self):
        simulation = pendulum(parameters={"factor": 3}).case().simulation()
        for _ in range(2):
            self.assertEqual(simulation.value("factor*rod.position.y + time"), -1.5)
        self.assertEqual(simulation.value("joint.hinge.coordinate"), 0)
        with self.assertRaisesRegex(ValueError, "hing"):
            simulation.value("joint.hing.coordinate")
        with self.assertRaises(ValueError):
            simulation.value("2*(3")

    def test_words_for_people(self):
        simulation = ball_scene().case().simulation()
        self.assertEqual(repr(simulation), "<ricochet.Simulation of 'ball' at t = 0 s>")
        self.assertEqual(repr(ball_scene().case()), "<ricochet.Case 'ball': 1 bodies>")
        self.assertIn("11 rows to t = 0.01 s", repr(simulation.record(0.01)))


if __name__ == "__main__":
    unittest.main()
