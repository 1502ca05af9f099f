#!/usr/bin/env python3
"""Heaps of many bodies with Ricochet, Siconos and Bullet, side by side: bench/peers/run boxes | spheres [COUNT]...

    heaps.py boxes | spheres [--step H] [--rounds N] [--seconds X] [--no-siconos] [--keep DIR] [COUNT]...

Common states. The bodies of a shipped scene fall from where the scene puts them; Bullet, which is fastest, brings them
to the instants below, with the step of the comparison. From each such heap (bench/heap_file.hpp) every simulator runs a
window of 50 steps with the same bodies, planes, friction, gravity and step, restitution 0, one thread on one core.

Time. That of the processor, of every step; the fastest of the rounds. The first 5 steps are cold for all and are not
counted. Siconos ends a window after --seconds (and 8 steps); ratios are over the steps that both have made. Every
program prints lines `step SECONDS CONTACTS MISSED ...`.

Siconos twice. Debian builds it with assertions, and those of its graphs look at every contact whenever one comes or
goes: they can take nearly all of its time. So it runs as it is installed, and again with these checks replaced by
functions that say yes; nothing else changes, and it makes the same steps. The goals are those for the package.

Depth. How deep bodies are in each other at the end of the window, measured by Ricochet for all three.

Exit code 1: a goal is missed, and the last lines say which. 77: a simulator is not installed. 2: wrong words.
"""
import argparse
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
WINDOW, COLD, BULLET_ITERATIONS = 50, 5, 100
KINDS = {  # the scene and its variants; after how many seconds the heap is falling, settling, at rest
    "boxes": {
        "scenes": {100: "box-pile", 500: "box-pile/boxes-500", 1000: "box-pile/boxes-1000"},
        "states": {"falling": 0.25, "settling": 0.5, "at rest": 8.0},
    },
    "spheres": {
        "scenes": {500: "sphere-container", 2000: "sphere-container/balls-2000"},
        "states": {"falling": 0.1, "settling": 0.4, "at rest": 4.0},
    },
}
TIMES_FASTER_THAN_SICONOS = {("boxes", 100): 30, ("boxes", 1000): 100}
TIMES_BULLET = 5


class Skipped(Exception):
    pass


class Window:
    """What a simulator printed, with the times of the fastest of several rounds."""

    def __init__(self, outputs, depth):
        rounds = [[line.split()[1:] for line in text.splitlines() if line.startswith("step ")] for text in outputs]
        self.steps = min(len(steps) for steps in rounds)
        self.seconds = [min(float(steps[i][0]) for steps in rounds) for i in range(self.steps)]
        counted = rounds[0][COLD : self.steps] or rounds[0]
        self.contacts = sum(int(step[1]) for step in counted) / len(counted)
        self.missed = sum(int(step[2]) for step in rounds[0][: self.steps])
        self.depth = depth

    def milliseconds(self, steps=WINDOW):
        counted = self.seconds[COLD : min(steps, self.steps)]
        return 1e3 * sum(counted) / len(counted) if counted else float("nan")


def run(*words):
    words = [str(word) for word in words]
    return subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE).stdout


class Simulators:
    def __init__(self, work, seconds, wants_siconos):
        self.work, self.seconds = work, seconds
        root = HERE.parent.parent
        self.ricochet = root / os.environ.get("RICOCHET_HEAP", "build/release/bench/ricochet_heap")
        if not os.access(self.ricochet, os.X_OK):
            raise Skipped(f"{self.ricochet} is not built (scripts/build release ricochet_heap)")
        self.bullet = self.compile_bullet()
        self.names = ["ricochet", "bullet"]
        self.skipped = []
        if wants_siconos and self.has_siconos():
            self.names += ["siconos", "unchecked"]
            self.no_checks = self.compile_no_checks()
        elif wants_siconos:
            self.skipped.append("Siconos is not installed (scripts/install-packages peers)")

    def compile_bullet(self):
        try:
            flags = shlex.split(run("pkg-config", "--cflags", "--libs", "bullet-float64"))
        except (OSError, subprocess.CalledProcessError):
            raise Skipped("Bullet is not installed (scripts/install-packages build)") from None
        program = self.work / "bullet_heap"
        run("g++", "-std=c++17", "-O3", "-march=native", "-w", HERE / "bullet_heap.cpp", "-o", program, *flags)
        return program

    def compile_no_checks(self):
        """A library that, loaded before Siconos, answers its checks of graphs."""
        kernel = run("/usr/bin/python3", "-c", "import siconos._kernel as kernel; print(kernel.__file__)").strip()
        names = [line.split()[-1] for line in run("nm", "-D", "--defined-only", kernel).splitlines()]
        checks = [name for name in names if "SiconosGraph" in name and name.endswith(("state_assertEv", "_okEv"))]
        source, library = self.work / "no_checks.c", self.work / "no_checks.so"
        source.write_text("".join(f"int {name}(void) {{ return 1; }}\n" for name in checks))
        run("gcc", "-O2", "-shared", "-fPIC", source, "-o", library)
        return library

    @staticmethod
    def has_siconos():
        words = ["/usr/bin/python3", "-c", "import numpy, siconos.mechanics.collision.bullet"]
        return subprocess.run(words, stderr=subprocess.DEVNULL).returncode == 0

    def begin(self, scene, step, heap):
        run(self.ricochet, "make", scene, step, heap)

    def window(self, name, heap, steps, end):
        if name == "ricochet":
            return run(self.ricochet, "window", heap, steps, end)
        if name == "bullet":
            return run(self.bullet, heap, steps, BULLET_ITERATIONS, end)
        before = ["env", f"LD_PRELOAD={self.no_checks}"] if name == "unchecked" else []
        return run(*before, "/usr/bin/python3", HERE / "siconos_heap.py", heap, steps, self.seconds, end)

    def depth(self, heap):
        return float(run(self.ricochet, "depth", heap))


def common_heaps(simulators, kind, count, step, folder):
    """Files of the states of a heap, by name; those that are there already are taken."""
    before, at = folder / f"{kind}-{count}-{step}-begin.heap", 0
    simulators.begin(KINDS[kind]["scenes"][count], step, before)
    heaps = {}
    for state, time in KINDS[kind]["states"].items():
        heaps[state] = folder / f"{kind}-{count}-{step}-{state.replace(' ', '-')}.heap"
        steps = round(time / step)
        if not heaps[state].exists():
            simulators.window("bullet", before, steps - at, heaps[state])
        before, at = heaps[state], steps
    return heaps


def measure(simulators, heap, rounds, work):
    outputs = {name: [] for name in simulators.names}
    for _ in range(rounds):
        for name in simulators.names:
            outputs[name].append(simulators.window(name, heap, WINDOW, work / f"{name}-end.heap"))
    return {name: Window(outputs[name], simulators.depth(work / f"{name}-end.heap")) for name in simulators.names}


COLUMNS = (
    "heap", "contacts R / S° / B", "R, ms/step", "S, ms/step", "S°, ms/step", "B, ms/step", "S : R", "S° : R", "R : B",
    "steps that missed 1e-4, R / S / S°", "deepest, mm: begin / R / S° / B",
)


def row(count, state, begin_depth, windows):
    """A line of the table; what was not run is a dash."""
    def of(name, text):
        return text(windows[name]) if name in windows else "–"

    def depth(name):
        return of(name, lambda window: f"{1e3 * window.depth:.1f}")

    def missed(name):
        return of(name, lambda window: f"{window.missed} of {window.steps}")

    contacts = [of(name, lambda window: f"{window.contacts:.0f}") for name in ("ricochet", "unchecked", "bullet")]
    order = ("ricochet", "siconos", "unchecked", "bullet")
    times = [of(name, lambda window: f"{window.milliseconds():.{2 if name in ('ricochet', 'bullet') else 0}f}")
             for name in order]
    ratios = [of(name, lambda window: f"{times_faster(window, windows):.1f}") for name in ("siconos", "unchecked")]
    cells = [f"{count:,}", state, " / ".join(contacts), *times, *ratios, f"{times_bullet(windows):.1f}",
             " / ".join(missed(name) for name in ("ricochet", "siconos", "unchecked")),
             " / ".join([f"{1e3 * begin_depth:.1f}", *(depth(name) for name in ("ricochet", "unchecked", "bullet"))])]
    return "| " + " | ".join(cells) + " |"


def times_faster(peer, windows):
    """How many times faster Ricochet is, over the steps that both have made."""
    return peer.milliseconds(peer.steps) / windows["ricochet"].milliseconds(peer.steps)


def times_bullet(windows):
    return windows["ricochet"].milliseconds() / windows["bullet"].milliseconds()


def missed_goals(kind, count, state, windows):
    where = f"{count:,} {kind}, {state}"
    goal = TIMES_FASTER_THAN_SICONOS.get((kind, count))
    # Written so that a ratio that is not a number misses its goal too.
    if goal and "siconos" in windows and not times_faster(windows["siconos"], windows) >= goal:
        yield f"{where}: {times_faster(windows['siconos'], windows):.1f} times faster than Siconos, not {goal}"
    if not times_bullet(windows) <= TIMES_BULLET:
        yield f"{where}: {times_bullet(windows):.1f} times as long as Bullet, not {TIMES_BULLET}"
    if windows["ricochet"].missed:
        yield f"{where}: {windows['ricochet'].missed} steps missed the tolerance"


def compare(options, work):
    simulators = Simulators(work, options.seconds, not options.no_siconos)
    for reason in simulators.skipped:
        print(f"bench/peers: skipped: {reason}")
    folder = pathlib.Path(options.keep) if options.keep else work
    folder.mkdir(parents=True, exist_ok=True)
    print(f"Heaps of {options.kind}, steps of {options.step} s, windows of {WINDOW} steps, one core, processor time")
    print("R Ricochet, S Siconos, S° Siconos without checks of its graphs, "
          f"B Bullet with {BULLET_ITERATIONS} iterations; Siconos ends after {options.seconds:g} s\n")
    print(f"| {options.kind} | " + " | ".join(COLUMNS) + " |")
    print("|" + "---|" * (1 + len(COLUMNS)), flush=True)
    missed = []
    for count in options.counts:
        for state, heap in common_heaps(simulators, options.kind, count, options.step, folder).items():
            windows = measure(simulators, heap, options.rounds, work)
            print(row(count, state, simulators.depth(heap), windows), flush=True)
            missed += missed_goals(options.kind, count, state, windows)
    print("\n" + "\n".join(["Goals that are missed:", *missed] if missed else ["All goals are met."]))
    return 1 if missed else 77 if simulators.skipped else 0


def parse():
    parser = argparse.ArgumentParser(prog="bench/peers/run", description="Heaps with Ricochet, Siconos and Bullet.")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("counts", nargs="*", type=int, metavar="COUNT", help="how many bodies (default: every scene)")
    parser.add_argument("--step", type=float, default=5e-3, help="s (default: 0.005)")
    parser.add_argument("--rounds", type=int, default=1, help="how often everything is run (default: once)")
    parser.add_argument("--seconds", type=float, default=100, help="for each window of Siconos (default: 100)")
    parser.add_argument("--no-siconos", action="store_true", help="leave Siconos, which takes most of the time, out")
    parser.add_argument("--keep", metavar="DIR", help="where the common heaps are kept, and taken from next time")
    options = parser.parse_args()
    scenes = KINDS[options.kind]["scenes"]
    options.counts = options.counts or list(scenes)
    unknown = [count for count in options.counts if count not in scenes]
    if unknown:
        parser.error(f"there is no scene with {unknown[0]} {options.kind}; there are {', '.join(map(str, scenes))}")
    return options


def main():
    options = parse()
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # one core, for all programs
    with tempfile.TemporaryDirectory() as work:
        try:
            return compare(options, pathlib.Path(work))
        except Skipped as reason:
            print(f"bench/peers: skipped: {reason}")
            return 77


if __name__ == "__main__":
    sys.exit(main())
