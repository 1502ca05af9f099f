"""Result directories: written by case.run as by the program, read back, and drawn."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from support import ball_scene

import ricochet


class Results(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = Path(self.folder.name, "ball")

    def test_files_and_memory_agree(self):
        case = ball_scene(output={"every": 10}).case()
        written = case.run(self.out, report=False)
        read, kept = ricochet.open_result(self.out), case.simulation().record(every=10)
        for one in (written, read):
            for name in ("time", "positions", "quaternions", "velocities", "contacts"):
                np.testing.assert_array_equal(getattr(one, name), getattr(kept, name), name)
            for group in ("probes", "energies"):
                first, second = getattr(one, group), getattr(kept, group)
                self.assertEqual(list(first), list(second))
                for name in first:
                    np.testing.assert_array_equal(first[name], second[name], name)
            self.assertEqual((one.bodies, one.surfaces, one.contact_names),
                             (kept.bodies, kept.surfaces, kept.contact_names))
        self.assertTrue(read.summary["complete"])
        self.assertEqual(read.directory, self.out)
        self.assertEqual(read.scene, case.source)
        self.assertEqual(read.scene_id, "ball")
        self.assertIsNone(kept.summary)

    def test_the_program_writes_the_same(self):
        program = Path(ricochet.__file__).parents[2] / "ricochet"
        if not program.exists():
            self.skipTest("the program is not built")
        ricochet.load("bouncing-ball", set={"time.end": 1}).run(self.out)
        other = self.out.with_name("other")
        command = [program, "run", "bouncing-ball", "--end", "1", "--out", other, "--quiet"]
        told = subprocess.run(command, capture_output=True)
        self.assertIn(told.returncode, (0, 4))  # facts are for the whole run
        for name in ("history.csv", "contacts.csv"):
            self.assertEqual((self.out / name).read_text(), (other / name).read_text())
        self.assertEqual(sorted(path.name for path in self.out.iterdir()), sorted(path.name for path in other.iterdir()))
        first, second = ricochet.open_result(self.out).summary, ricochet.open_result(other).summary
        self.assertEqual(first["state_hash"], second["state_hash"])
        self.assertEqual(first["expectations"], second["expectations"])

    def test_progress_may_stop_a_run(self):
        times = []
        result = ball_scene().case().run(
            self.out, report=False, every=50, progress=lambda time: times.append(time) or time < 0.19
        )
        np.testing.assert_allclose(times, [0.05, 0.1, 0.15, 0.2], rtol=1e-12)
        self.assertFalse(result.summary["complete"])
        result = ball_scene().case().run(self.out, report=False, progress=lambda time: np.bool_(False))
        self.assertFalse(result.summary["complete"])

        def fail(time):
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            ball_scene().case().run(self.out, report=False, progress=fail)

    def test_contacts_of(self):
        result = ball_scene().case().simulation().record()
        self.assertGreater(len(result.contacts), 0)
        for name in ("bounce", "bounce:ball", "bounce:ball.sphere|ground"):
            self.assertEqual(len(result.contacts_of(name)), len(result.contacts), name)
        self.assertEqual(len(result.contacts_of("bounce:bal")), 0)
        read = ball_scene().case().run(self.out, report=False)
        for each in (result, read):
            with self.assertRaisesRegex(KeyError, "there is no contact rule 'bounc'; did you mean 'bounce'"):
                each.contacts_of("bounc")
            with self.assertRaisesRegex(KeyError, "there is no contact rule 'ball'; there are bounce"):
                each.contacts_of("ball")
        early = {"time.end": 0.1}  # before the ball touches anything
        self.assertEqual(len(ball_scene().case(set=early).simulation().record().contacts_of("bounce")), 0)
        self.assertEqual(len(ball_scene().case(set=early).run(self.out, report=False).contacts_of("bounce")), 0)

    def test_bad_files(self):
        with self.assertRaisesRegex(ricochet.FileError, "there is no directory"):
            ricochet.open_result(self.out)
        ball_scene().case().run(self.out, report=False)
        self.assertEqual(ricochet.open_result(self.out / "result.h5").directory, self.out)
        (self.out / "summary.json").write_text("{")
        with self.assertRaisesRegex(ricochet.FileError, "summary.json"):
            ricochet.open_result(self.out)
        (self.out / "result.h5").write_bytes(b"nothing")
        with self.assertRaisesRegex(ricochet.FileError, "result.h5"):
            ricochet.open_result(self.out)
        foreign = Path(self.folder.name, "foreign")
        foreign.mkdir()
        (foreign / "letter.txt").write_text("mine")
        with self.assertRaisesRegex(ricochet.FileError, "foreign"):
            ball_scene().case().run(foreign)
        self.assertEqual((foreign / "letter.txt").read_text(), "mine")


class Plots(unittest.TestCase):
    def setUp(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not installed")
        matplotlib.use("Agg")
        self.result = ball_scene().probe("speed", "ball.velocity.y").case().simulation().record(every=5)

    def lines(self, figure):
        return {line.get_label(): line.get_xydata() for axes in figure.axes for line in axes.get_lines()}

    def test_energies_show_what_moved(self):
        from ricochet import plots

        lines = self.lines(plots.energies(self.result))
        self.assertEqual(set(lines), {"kinetic", "potential", "total", "contact normal"})
        np.testing.assert_array_equal(lines["total"][:, 1], self.result.energies["total"])

    def test_probes_and_phase(self):
        from ricochet import plots

        self.assertEqual(len(plots.probes(self.result).axes), 2)
        figure = plots.probes(self.result, ["speed"])
        np.testing.assert_array_equal(figure.axes[0].get_lines()[0].get_ydata(), self.result.probes["speed"])
        portrait = plots.phase_portrait(self.result, "height", "speed").axes[0]
        self.assertEqual((portrait.get_xlabel(), portrait.get_ylabel()), ("height", "speed"))
        with self.assertRaisesRegex(KeyError, "there is no probe 'spee'; there are height, speed"):
            plots.probes(self.result, ["spee"])

    def test_forces_have_the_impulse_of_the_contacts(self):
        from ricochet import plots

        (line,) = plots.contact_force(self.result, "bounce").axes[0].get_lines()
        impulse = (line.get_ydata() * np.diff(self.result.time)).sum()
        self.assertAlmostEqual(impulse, self.result.contacts["impulse"][:, 0].sum(), places=9)
        drawn = plots.contact_impulses(self.result).axes[0].collections
        self.assertEqual(sum(len(part.get_segments()) for part in drawn), len(self.result.contacts))

    def test_trajectories_into_given_axes(self):
        from matplotlib import pyplot
        from ricochet import plots

        figure, axes = pyplot.subplots()
        self.assertIs(plots.trajectories(self.result, ["ball"], axes=axes), figure)
        np.testing.assert_array_equal(axes.get_lines()[0].get_xydata(), self.result.position("ball")[:, :2])
        for plane in (("x", "w"), ("x", "x"), ("x",), ("x", "y", "z"), "xyz"):
            with self.assertRaisesRegex(ValueError, "a plane has two of the axes"):
                plots.trajectories(self.result, plane=plane)

    def test_a_long_legend_is_left_out(self):
        from ricochet import plots

        for count in (12, 13):
            scene = ricochet.Scene(time={"end": 0.02, "step": 0.01})
            for i in range(count):
                scene.body(f"mass{i}", mass=1, position=[i, 0, 0])
            axes = plots.trajectories(scene.case().simulation().record()).axes[0]
            self.assertEqual(axes.get_legend() is None, count > 12)

    def test_matplotlib_is_imported_by_plots_only(self):
        code = "import sys, ricochet, ricochet.plots; sys.exit('matplotlib' in sys.modules)"
        subprocess.run([sys.executable, "-c", code], check=True)


if __name__ == "__main__":
    unittest.main()
