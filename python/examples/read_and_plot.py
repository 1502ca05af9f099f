"""Runs a shipped scene as `ricochet run` does, reads the result directory and draws it.

    read_and_plot.py [DIRECTORY]      (default: out/bouncing-ball)
"""

import sys
from pathlib import Path

import numpy as np

import ricochet
from ricochet import plots

directory = Path(sys.argv[1] if len(sys.argv) > 1 else "out/bouncing-ball")
case = ricochet.load("bouncing-ball", parameters={"restitution": 0.7})
case.run(directory)

result = ricochet.open_result(directory)
print(result)
assert result.summary["complete"] and all(fact["holds"] is not False for fact in result.summary["expectations"])

impulse = result.contacts_of("bounce")["impulse"][:, 0].sum()
weight = 1 * 9.81 * result.time[-1]
print(f"the ground gave {impulse:.6f} N s, gravity took {weight:.6f} N s")
assert abs(impulse - weight) < 1e-6 * weight  # the ball rests at the end: what it got is what it lost

figure = plots.energies(result)
figure.savefig(directory.parent / "energies.png")
figure = plots.probes(result, ["altitude", "velocity"])
figure.savefig(directory.parent / "probes.png")
plots.phase_portrait(result, "altitude", "velocity").savefig(directory.parent / "phase.png")
plots.contact_impulses(result, "bounce").savefig(directory.parent / "impulses.png")
assert np.all(np.diff(result.time) > 0)
