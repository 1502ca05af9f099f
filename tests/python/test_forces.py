"""User-defined forces: closed-form answers, energy, stiff laws, and what happens when a law is wrong."""

import unittest

import numpy as np
from support import ball_scene, free_mass, pendulum

import ricochet


class Forces(unittest.TestCase):
    def test_a_spring_of_python_is_a_spring_of_the_scene(self):
        by_law = free_mass().case().simulation(forces=[ricochet.Force("mass", lambda t, m: -50 * m.position)])
        spring = free_mass().spring("pull", start="world", end="mass", stiffness=50, free_length=0, axis=[1, 0, 0])
        by_scene = spring.case().simulation()
        first, second = by_law.record(), by_scene.record()
        np.testing.assert_allclose(first.positions, second.positions, atol=1e-11)
        # The energy of the spring is in the work of the law.
        work = first.energies["work_loads"]
        np.testing.assert_allclose(-work, second.energies["strain"] - second.energies["strain"][0], atol=1e-10)
        # 100 steps of 25 J, each solved to a relative motion_tolerance of 1e-12
        self.assertLess(np.abs(first.energies["closing_error"]).max(), 100 * 25 * 1e-12)

    def test_order_of_convergence(self):
        """x'' = -x - x^3 with x(0) = 1, x'(0) = 0: the scheme is of second order for laws, too."""
        law = ricochet.Force("mass", lambda t, m: -2 * (m.position + m.position**3))
        ends = []
        for step in (0.05, 0.025, 0.0125, 0.0015625):
            simulation = free_mass().case(set={"time.step": step}).simulation(forces=[law])
            simulation.run()
            ends.append(simulation.positions[0, 0])
        errors = np.abs(np.array(ends[:3]) - ends[3])
        np.testing.assert_allclose(np.log2(errors[:-1] / errors[1:]), 2, atol=0.1)

    def test_time_torque_and_point(self):
        scene = free_mass().body("box", mass=2, inertia=[3, 3, 4], position=[0, 3, 0])
        pushes = [
            ricochet.Force("mass", lambda t, m: [6 * t, 0, 0]),
            ricochet.Force("box", lambda t, m: np.array([[0, 0, 0], [0, 0, 8]])),  # force, torque
            ricochet.Force("box", lambda t, m: (m.rotation @ [0, 2, 0]), at=[0.5, 0, 0]),  # turns with the body
        ]
        simulation = scene.case().simulation(forces=pushes)
        simulation.run()
        self.assertAlmostEqual(simulation.velocities[0, 0], 1.5, places=12)  # 6 t^2/2 over the mass
        self.assertAlmostEqual(simulation.velocities[1, 5], (8 + 0.5 * 2) / 4, places=12)

    def test_a_law_on_two_bodies(self):
        """Two masses that attract each other keep their momentum; on a circle they keep their distance."""

        def attraction(time, a, b):
            apart = b.position - a.position
            pull = apart / np.linalg.norm(apart) ** 3
            return [pull, -pull]

        scene = ricochet.Scene(time={"end": 4, "step": 1e-2})
        scene.body("sun", mass=1, position=[0.5, 0, 0], velocity=[0, np.sqrt(0.5), 0])
        scene.body("twin", mass=1, position=[-0.5, 0, 0], velocity=[0, -np.sqrt(0.5), 0])
        result = scene.case().simulation(forces=[ricochet.Force(["sun", "twin"], attraction)]).record()
        momentum = result.velocities[:, :, :3].sum(axis=1)
        np.testing.assert_allclose(momentum, 0, atol=1e-12)
        distance = np.linalg.norm(result.position("sun") - result.position("twin"), axis=1)
        np.testing.assert_allclose(distance, 1, atol=1e-3)

    def test_stiff_laws_need_their_tangents(self):
        stiffness = 1e7  # the period is a quarter of a step

        def simulation(**tangents):
            force = ricochet.Force("mass", lambda t, m: -stiffness * m.position, **tangents)
            return free_mass().case().simulation(forces=[force])

        with self.assertRaisesRegex(ricochet.SimulationError, "did not solve the equations of motion|not finite"):
            # So stiff that parts of a step are too long, too.
            free_mass().case().simulation(forces=[ricochet.Force("mass", lambda t, m: -1e12 * m.position)]).step()
        for tangent in (
            stiffness,
            stiffness * np.eye(3),
            np.diag([stiffness] * 3 + [0] * 3),
            lambda t, m: stiffness * np.eye(3),
        ):
            result = simulation(stiffness=tangent).record()
            energy = result.energies["kinetic"] + stiffness * (result.positions**2).sum(axis=(1, 2)) / 2
            np.testing.assert_allclose(energy, stiffness / 2, rtol=1e-6)

    def test_laws_and_contacts(self):
        """A ball pressed down by a law: the ground carries weight and push."""
        scene = ball_scene()
        case = scene.case(set={"bodies.ball.position": [0, 0.1, 0], "bodies.ball.velocity": [0, 0, 0]})
        simulation = case.simulation(forces=[ricochet.Force("ball", lambda t, m: [0, -30, 0])])
        simulation.step(10)
        self.assertAlmostEqual(simulation.contacts["impulse"][0, 0], (2 * 10 + 30) * 1e-3, places=12)

    def test_joint_force(self):
        weight, length, inertia = 10.0, 0.5, 1 / 12 + 0.25
        simulation = pendulum().case().simulation(
            forces=[ricochet.JointForce("hinge", lambda t, angle, speed: 3 + weight * length * np.sin(angle))]
        )
        simulation.run(until=0.5)
        self.assertAlmostEqual(simulation.value("joint.hinge.coordinate"), 3 * 0.5**2 / 2 / inertia, places=5)
        self.assertAlmostEqual(simulation.value("joint.hinge.speed"), 3 * 0.5 / inertia, places=5)
        self.assertLess(abs(simulation.energies["closing_error"]), 1e-10)
        self.assertGreater(simulation.energies["work_loads"], 1)

    def test_runs_into_files_take_forces(self):
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            result = free_mass().case().run(
                f"{folder}/mass", forces=[ricochet.Force("mass", lambda t, m: [2, 0, 0])], report=False
            )
        self.assertAlmostEqual(result.velocity("mass")[-1, 0], 1, places=12)

    def test_what_a_law_sees(self):
        seen = []
        scene = ricochet.Scene(time={"end": 1, "step": 0.1})
        half_turn = {"axis": [0, 0, 1], "angle": "pi/2"}
        scene.body("box", mass=1, inertia=1, position=[1, 2, 3], orientation=half_turn, velocity=[4, 5, 6],
                   angular_velocity=[0.5, 0, 0])

        def law(time, motion):
            seen.append(motion)
            return [0, 0, 0]

        scene.case().simulation(forces=[ricochet.Force("box", law, at=[1, 0, 0])]).step()
        # The first look is at the middle of the step, as if nothing changed.
        first = seen[0]
        np.testing.assert_allclose(first.velocity, [4, 5, 6], atol=1e-12)  # the point is on the axis of rotation
        np.testing.assert_allclose(first.position - [0.2, 0.25, 0.3], [1, 3, 3], atol=1e-12)
        np.testing.assert_allclose(first.angular_velocity, [0.5, 0, 0], atol=1e-12)
        np.testing.assert_allclose(first.angular_velocity_world, [0, 0.5, 0], atol=1e-12)
        np.testing.assert_allclose(first.rotation @ [1, 0, 0], [0, 1, 0], atol=1e-12)
        w, x, y, z = first.orientation
        self.assertAlmostEqual(w, z, delta=1e-12)
        self.assertAlmostEqual(x, y, delta=1e-12)


class BadLaws(unittest.TestCase):
    def simulation(self, law, **tangents):
        return free_mass().case().simulation(forces=[ricochet.Force("mass", law, name="wind", **tangents)])

    def test_exceptions_come_through_as_they_are(self):
        class Odd(Exception):
            pass

        def law(time, motion):
            if time > 0.1:
                raise Odd("no more")
            return [1, 0, 0]

        simulation = self.simulation(law)
        with self.assertRaisesRegex(Odd, "no more"):
            simulation.run()
        self.assertEqual(simulation.steps, 10)  # the steps before are kept
        with self.assertRaises(Odd):
            simulation.step()

    def test_wrong_values(self):
        for value, words in (
            ([1, 2], "'wind' must give 3 numbers .* or 6 .*, but gave 2"),
            ("east", "'wind' must give numbers, but gave 'east'"),
            (None, "'wind' must give numbers, but gave None"),
            ([np.nan, 0, 0], "'wind' must give finite numbers, but gave .nan"),
        ):
            with self.assertRaisesRegex(ValueError, words):
                self.simulation(lambda t, m: value).step()
        for value in (None, np.nan):
            push = ricochet.JointForce("hinge", lambda t, angle, speed: value, name="motor")
            with self.assertRaisesRegex(ValueError, "'motor' must give"):
                pendulum().case().simulation(forces=[push]).step()
        with self.assertRaisesRegex(ValueError, "stiffness of the user-defined force 'wind' must be a number, or a matrix"):
            self.simulation(lambda t, m: [0, 0, 0], stiffness=np.eye(2)).step()
        with self.assertRaises(TypeError):
            self.simulation(lambda t: [0, 0, 0]).step()

    def test_names_that_do_not_exist(self):
        with self.assertRaisesRegex(ValueError, "there is no body 'mas'.*did you mean 'mass'"):
            free_mass().case().simulation(forces=[ricochet.Force("mas", print)])
        with self.assertRaisesRegex(ValueError, "there is no joint 'hing'.*did you mean 'hinge'"):
            pendulum().case().simulation(forces=[ricochet.JointForce("hing", print)])
        with self.assertRaises(ValueError):
            pendulum().case().simulation(forces=[ricochet.JointForce("hinge", print, coordinate=1)])
        with self.assertRaisesRegex(TypeError, "ricochet.Force or ricochet.JointForce"):
            free_mass().case().simulation(forces=[print])
        with self.assertRaisesRegex(ValueError, "three coordinates"):
            ricochet.Force("mass", print, at=[1, 2])
        with self.assertRaisesRegex(ValueError, "acts on no body"):
            free_mass().case().simulation(forces=[ricochet.Force([], print)])


if __name__ == "__main__":
    unittest.main()
