#!/usr/bin/env python3
"""How much faster a sweep is on all cores than on one.

    sweep_speed.py PROGRAM [SAMPLES] [ROUNDS]      default: 200 samples of bouncing-ball, 3 rounds

Each round runs the same sweep one sample at a time and with one sample per core, one after the other, so that both see
the same machine; the ratio is that of the shortest times. It means something only if nothing else runs: the load
before each round is printed beside it. Both tables must be the same but for the times.
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


def main(program, samples="200", rounds="3"):
    cores = len(os.sched_getaffinity(0))
    best = {1: float("inf"), cores: float("inf")}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(int(rounds)):
            load = os.getloadavg()[0]
            tables = {}
            for threads in best:
                seconds, tables[threads] = sweep(program, samples, threads, folder)
                best[threads] = min(best[threads], seconds)
                print(f"{samples} samples, {threads} at a time: {seconds:6.2f} s   (load before: {load:.1f})")
            if tables[1] != tables[cores]:
                sys.exit("the tables differ")
    print(f"{cores} cores are {best[1] / best[cores]:.2f} times as fast as one")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
