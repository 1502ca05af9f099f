"""Runs every script of python/examples, each in a directory of its own. They check themselves by assertions."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import ricochet

EXAMPLES = Path(__file__).parents[2] / "python" / "examples"
MODULES = Path(ricochet.__file__).absolute().parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(MODULES), "MPLBACKEND": "Agg"}


class Examples(unittest.TestCase):
    def test_all(self):
        scripts = sorted(EXAMPLES.glob("*.py"))
        self.assertGreaterEqual(len(scripts), 7)
        for script in scripts:
            with self.subTest(script=script.name), tempfile.TemporaryDirectory() as folder:
                text = script.read_text(encoding="utf-8")
                self.assertIn("assert ", text)
                if "plots" in text and importlib.util.find_spec("matplotlib") is None:
                    self.skipTest("matplotlib is not installed")
                run = subprocess.run(
                    [sys.executable, script], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120
                )
                self.assertEqual(run.returncode, 0, run.stderr)

    def test_the_first_has_ten_lines(self):
        lines = (EXAMPLES / "bouncing_ball.py").read_text(encoding="utf-8").splitlines()
        self.assertEqual(len(lines), 10)


if __name__ == "__main__":
    unittest.main()
