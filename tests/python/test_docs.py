"""Runs every block of docs/tutorial.md, docs/studies.md, docs/sweep.md and docs/python.md, in order, in a directory of its own; and the
Python of the README and of docs/systems.md.

    ```sh            lines for a shell; the first such block of a page that builds must be what scripts/test does
    ```yaml FILE     a file, or what is to be added to it: sections that are there get more lines, others come at the end
    ```python        statements; all of a page in one session
"""

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import ricochet

ROOT = Path(__file__).parents[2]
MODULES = Path(ricochet.__file__).absolute().parents[1]
BLOCK = re.compile(r"^```(\w+)(?: +(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks_of(page):
    text = page.read_text(encoding="utf-8")
    found = BLOCK.findall(text)
    if text.count("\n```") != 2 * len(found):
        raise AssertionError(f"{page.name} has a block without a language")
    return found


def sections_of(text):
    """[(key, lines)] of the top level of a YAML file; what comes before the first key has the key ''."""
    sections = [("", [])]
    for line in text.splitlines():
        if key := re.match(r"([a-z]+):", line):
            sections.append((key.group(1), []))
        sections[-1][1].append(line)
    return sections


def add_to(path, text):
    if not path.exists():
        path.write_text(text, encoding="utf-8")
        return
    sections = sections_of(path.read_text(encoding="utf-8"))
    places = {key: lines for key, lines in sections}
    for key, lines in sections_of(text):
        if key in places:
            lines = lines[1:] if key else lines
            while places[key] and not places[key][-1].strip():
                places[key].pop()
            places[key].extend(lines)
        else:
            sections.append((key, lines))
    path.write_text("\n".join(line for _, lines in sections for line in lines) + "\n", encoding="utf-8")


class Pages(unittest.TestCase):
    def run_page(self, name):
        if importlib.util.find_spec("matplotlib") is None:
            self.skipTest("matplotlib is not installed")
        blocks = blocks_of(ROOT / "docs" / name)
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(Path(folder, "build"))
            os.symlink(MODULES.parent, Path(folder, "build", "release"))
            script = []
            for language, file, text in blocks:
                if language == "yaml":
                    self.assertTrue(file, f"{name}: a YAML block must name its file")
                    add_to(Path(folder, file), text)
                elif language == "sh" and "./scripts/" in text:
                    self.check_build(text)
                elif language == "sh":
                    self.execute(["bash", "-euo", "pipefail", "-c", text], folder)
                else:
                    self.assertEqual(language, "python", f"{name}: nobody runs {language}")
                    script.append(text)
            self.execute([sys.executable, "-c", "\n".join(script)], folder)
            return sorted(path.relative_to(folder).as_posix() for path in Path(folder).glob("out/*"))

    def execute(self, command, folder):
        environment = {**os.environ, "PYTHONPATH": "build/release/python", "MPLBACKEND": "Agg"}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, f"{command[-1]}\n{done.stdout}{done.stderr}")

    def check_build(self, text):
        """Building takes minutes: that these lines work is shown by scripts/test, which begins with them."""
        test = (ROOT / "scripts" / "test").read_text(encoding="utf-8").splitlines()
        for line in text.splitlines():
            self.assertTrue(any(other.strip().startswith(line) for other in test), line)

    def test_tutorial(self):
        self.assertEqual(self.run_page("tutorial.md"), ["out/pusher", "out/slippery", "out/windy"])

    def test_studies(self):
        studies = ["bouncing-ball-compare", "bouncing-ball-converge", "fall", "orders.json", "spring-pendulum-3d-converge"]
        self.assertEqual(self.run_page("studies.md"), [f"out/{name}" for name in studies])

    def test_sweep(self):
        sweeps = ["bouncing-ball-sweep", "heights", "swing-sweep"]
        self.assertEqual(self.run_page("sweep.md"), [f"out/{name}" for name in sweeps])

    def test_python(self):
        self.assertEqual(self.run_page("python.md"), ["out/block"])

    def test_systems(self):
        scripts = [text for language, _, text in blocks_of(ROOT / "docs" / "systems.md") if language == "python"]
        self.assertEqual(len(scripts), 1)
        environment = {**os.environ, "PYTHONPATH": str(MODULES)}
        check = scripts[0] + "\nassert 0 < result.probes['x'][-1] < 0.3 and len(result.contacts) > 900\n"
        done = subprocess.run([sys.executable, "-c", check], env=environment, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_readme(self):
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        ball, script = (re.search(rf"^```{language}\n(.*?)^```$", text, re.M | re.S) for language in ("yaml", "python"))
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(Path(folder, "build"))
            os.symlink(MODULES.parent, Path(folder, "build", "release"))
            Path(folder, "ball.yaml").write_text(ball.group(1), encoding="utf-8")
            self.execute([sys.executable, "-c", script.group(1)], folder)


class Reading(unittest.TestCase):
    """The tools of this file themselves."""

    def test_sections_grow(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.yaml")
            add_to(path, "x: 1\n\nbodies:\n  a: 1\n\nend: 2\n")
            add_to(path, "bodies:\n  b: 2\nmore: 3\n")
            self.assertEqual(path.read_text(), "x: 1\n\nbodies:\n  a: 1\n  b: 2\nend: 2\nmore: 3\n")

    def test_a_block_that_fails_is_noticed(self):
        pages = Pages()
        with self.assertRaises(AssertionError):
            pages.execute([sys.executable, "-c", "assert False"], ".")
        with self.assertRaises(AssertionError):
            pages.check_build("./scripts/never\n")


if __name__ == "__main__":
    unittest.main()
