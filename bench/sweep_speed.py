#!/usr/bin/env python3
"""How much faster a sweep is on all cores than on one.

    sweep_speed.py PROGRAM [SAMPLES] [ROUNDS]      default: 200 samples of bouncing-ball, 3 rounds

Each round runs the same sweep one sample at a time and with one sample per core, one after the other, so that both see
the same machine; the ratio is that of the shortest times. What else runs takes its share of the cores, so each round
also measures what the machine gives to plain loops: as many at a time as there are cores, against one. That is the
most that a sweep can reach. Both tables must be the same but for the times.
"""

import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def sweep(program, samples, threads, folder):
    out = Path(folder, f"{threads}")
    words = ["sweep", "bouncing-ball", "--vary", f"parameters.restitution=uniform(0,1):{samples}", "--quiet"]
    start = time.monotonic()
    subprocess.run([program, *words, "--threads", str(threads), "--out", out], check=True)
    seconds = time.monotonic() - start
    with open(out / "sweep.csv", newline="", encoding="utf-8") as file:
        rows = [{**row, "wall_seconds": None} for row in csv.DictReader(file)]
    return seconds, rows


def loops(count):
    """Seconds that so many busy processes take side by side."""
    start = time.monotonic()
    busy = [subprocess.Popen([sys.executable, "-c", "for i in range(60_000_000): pass"]) for _ in range(count)]
    for process in busy:
        process.wait()
    return time.monotonic() - start


def main(program, samples="200", rounds="3"):
    cores = len(os.sched_getaffinity(0))
    best = {1: float("inf"), cores: float("inf")}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(int(rounds)):
            tables = {}
            for threads in best:
                seconds, tables[threads] = sweep(program, samples, threads, folder)
                best[threads] = min(best[threads], seconds)
                print(f"{samples} samples, {threads} at a time: {seconds:6.2f} s")
            print(f"plain loops: {cores * loops(1) / loops(cores):.2f} times as fast on {cores} cores as on one")
            if tables[1] != tables[cores]:
                sys.exit("the tables differ")
    print(f"{cores} cores are {best[1] / best[cores]:.2f} times as fast as one")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
