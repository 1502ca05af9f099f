"""Cases: load, change, build in code; what is wrong is told as by the program."""

import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
from support import ball_scene

import ricochet


class Cases(unittest.TestCase):
    def test_shipped_scene_with_parameters(self):
        case = ricochet.load("bouncing-ball", parameters={"restitution": 0.5})
        self.assertEqual(case.id, "bouncing-ball")
        self.assertEqual(case.parameters["restitution"], 0.5)
        self.assertEqual(case.parameters["gravity"], 9.81)
        self.assertEqual(case.bodies, ["ball"])
        self.assertEqual(case.surfaces, ["ground"])
        self.assertEqual(case.contacts, ["bounce"])
        self.assertEqual(case.probes, ["altitude", "velocity", "reach", "impulse", "energy"])
        self.assertIn("bounce 1", case.facts)
        self.assertEqual(case.gravity, (0, -9.81, 0))
        self.assertFalse(case.planar)
        self.assertIn("bouncing-ball", ricochet.scenes())

    def test_variants_in_both_ways(self):
        by_name = ricochet.load("bouncing-ball", "moon")
        self.assertEqual(by_name.parameters["gravity"], 1.62)
        self.assertEqual(ricochet.load("bouncing-ball/moon").parameters, by_name.parameters)

    def test_values_of_all_kinds_can_be_set(self):
        case = ball_scene().case(
            set={
                "gravity": np.array([0, -1.5, 0.25]),
                "time.end": np.float64(0.5),
                "output.every": 7,
                "planar": np.bool_(False),
                "bodies.ball.mass": "2*3",
            }
        )
        self.assertEqual(case.gravity, (0, -1.5, 0.25))
        self.assertEqual(case.end, 0.5)
        self.assertEqual(case.overrides[-1], "bodies.ball.mass=2*3")
        self.assertEqual(case.overrides[3:5], ["time.end=0.5", "output.every=7"])
        tiny = 0.1 + 0.2  # all digits arrive
        self.assertEqual(ball_scene().case(parameters={"restitution": tiny}).parameters["restitution"], tiny)

    def test_changed_is_another_case(self):
        case = ball_scene().case(set={"time.end": 2})
        other = case.changed(parameters={"restitution": 0.25})
        self.assertEqual((case.parameters["restitution"], other.parameters["restitution"]), (0.5, 0.25))
        self.assertEqual(other.end, 2)
        self.assertEqual(other.changed(set={"time.end": 3}).end, 3)
        moon = ricochet.load("bouncing-ball/moon").changed(parameters={"height": 2})
        self.assertEqual(moon.parameters["gravity"], 1.62)

    def test_scene_of_code_and_file_are_the_same(self):
        scene = ball_scene()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "ball.yaml")
            scene.save(path)
            from_file, from_code = ricochet.load(path), scene.case()
        first, second = from_file.simulation(), from_code.simulation()
        first.run()
        second.run()
        self.assertEqual(first.state_hash, second.state_hash)
        self.assertEqual(from_file.source, scene.text())

    def test_all_sections_of_the_builder(self):
        scene = ricochet.Scene({"description": "everything"}, time={"end": 0.1, "step": 0.01})
        scene.material("steel", density=7800)
        scene.body("arm", mass=1, inertia=np.array([1, 1, 1]), position=[1, 0, 0])
        scene.body("cart", mass=1, position=[0, 5, 0], shape={"type": "sphere", "radius": 0.5})
        scene.joint("hinge", type="revolute", second="arm", at=[0, 0, 0])
        scene.spring("string", start="arm", end="world", stiffness=2)
        scene.load("push", on="arm", force=[0, "sin(t)", 0])
        scene.driver("pull", body="cart", velocity=[1, 0, 0])
        scene.surface("floor", type="plane", normal=[0, 1, 0])
        scene.contact("touch", between=["cart", "floor"], friction=0.3)
        scene.probe("x", "cart.position.x")
        scene.expect(fact="it moves", probe="x", value=0.1, tolerance={"absolute": 1e-12}, source="derived")
        case = scene.case()
        names = (case.joints, case.springs, case.loads, case.drivers, case.facts, case.description)
        self.assertEqual(names, (["hinge"], ["string"], ["push"], ["pull"], ["it moves"], "everything"))
        simulation = case.simulation()
        simulation.run()
        self.assertAlmostEqual(simulation.probes["x"], 0.1, delta=1e-12)


class BadInput(unittest.TestCase):
    def message(self, kind, work):
        with self.assertRaises(kind) as caught:
            work()
        return str(caught.exception), caught.exception

    def test_scene_errors_say_where(self):
        scene = ball_scene()
        scene.data["bodies"]["ball"]["mass"] = -1
        message, error = self.message(ricochet.SceneError, scene.case)
        self.assertIsInstance(error, ValueError)
        self.assertIn("'bodies.ball.mass' must be greater than 0, but is -1", message)
        self.assertEqual(error.origin, "ball")
        self.assertIn('"mass": -1', scene.text().splitlines()[error.line - 1])
        self.assertGreater(error.column, 0)

    def test_overrides_and_ids(self):
        message, error = self.message(
            ricochet.SceneError, lambda: ricochet.load("bouncing-ball", parameters={"restitutoin": 1})
        )
        self.assertIn("did you mean 'restitution'?", message)
        self.assertIsNone(error.line)
        message, _ = self.message(ricochet.SceneError, lambda: ricochet.load("bouncing-bal"))
        self.assertIn("did you mean 'bouncing-ball'?", message)
        message, _ = self.message(ricochet.SceneError, lambda: ricochet.load("bouncing-ball/mon"))
        self.assertIn("moon", message)
        message, _ = self.message(ricochet.SceneError, lambda: ricochet.load("nowhere/ball.yaml"))
        self.assertIn("nowhere/ball.yaml", message)

    def test_the_message_is_that_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "bad.yaml")
            path.write_text("ricochet: 1\ntime: {end: 1, step: 0.1}\nboddies: {}\n", encoding="utf-8")
            message, _ = self.message(ricochet.SceneError, lambda: ricochet.load(path))
            program = Path(ricochet.__file__).parents[2] / "ricochet"
            if not program.exists():
                self.skipTest("the program is not built")
            told = subprocess.run([program, "check", path], capture_output=True, text=True)
        self.assertEqual(told.returncode, 2)
        self.assertIn(message, told.stderr)

    def test_builder(self):
        message, _ = self.message(ValueError, lambda: ball_scene().body("ball", mass=1))
        self.assertIn("bodies has 'ball' already", message)
        self.message(TypeError, lambda: ricochet.Scene(name=object()).text())
        message, _ = self.message(ValueError, ricochet.Scene(gravity=[0, float("nan"), 0]).text)
        self.assertEqual(message, "'gravity[1]' is nan; it must be a finite number")
        message, _ = self.message(ValueError, ricochet.Scene().body("block", mass=np.float64("nan")).text)
        self.assertEqual(message, "'bodies.block.mass' is nan; it must be a finite number")

    def test_a_scene_does_not_write_into_what_it_was_made_from(self):
        data = {"bodies": {"one": {"mass": 1}}}
        ricochet.Scene(data).body("two", mass=1).data["bodies"]["one"]["mass"] = 2
        self.assertEqual(data, {"bodies": {"one": {"mass": 1}}})


if __name__ == "__main__":
    unittest.main()
