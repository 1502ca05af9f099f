"""The common plots of a result, with matplotlib (python3-matplotlib), which is imported when the first plot is drawn.

Every function takes a Result, from simulation.record() or open_result(), and returns the figure: show() or savefig() it.
With `axes` it draws into axes that are there already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from .results import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# What moves between kinetic and potential energy, and what else the ledger explains.
_STORED = ("kinetic", "potential", "total")
_MOVED = (
    "work_loads",
    "work_drivers",
    "dissipated_damping",
    "contact_normal",
    "contact_tangential",
    "contact_resistance",
    "joints",
    "numerical",
    "projection",
    "appeared",
)
_MOST_IN_LEGEND = 12  # bodies; a longer list would hide the paths
_STATUS_COLORS = ("0.6", "tab:blue", "tab:orange")  # open, stick, slip


def probes(result: Result, names: Sequence[str] | None = None) -> Figure:
    """Probes over time, one below the other; all of them unless `names` chooses."""
    chosen = list(result.probes if names is None else names)
    if not chosen:
        raise ValueError("the result has no probes")
    figure, rows = _new_figure(len(chosen))
    for axes, name in zip(rows, chosen):
        axes.plot(result.time, _probe(result, name))
        axes.set_ylabel(name)
    rows[-1].set_xlabel("time (s)")
    return figure


def energies(result: Result, axes: Axes | None = None) -> Figure:
    """The energy account: what the machine has, and what it got or lost by everything that is not zero."""
    figure, axes = _axes(axes)
    for name in _STORED:
        axes.plot(result.time, result.energies[name], label=name)
    scale = result.energies["scale"].max()
    for name in _MOVED:
        values = result.energies[name]
        if np.abs(values).max() > 1e-6 * scale:
            axes.plot(result.time, values, "--", label=name.replace("_", " "))
    axes.set_xlabel("time (s)")
    axes.set_ylabel("energy (J)")
    axes.legend()
    return figure


def phase_portrait(result: Result, position: str, velocity: str, axes: Axes | None = None) -> Figure:
    """One probe over another, such as speed over angle; jumps show where impacts were."""
    figure, axes = _axes(axes)
    x, y = _probe(result, position), _probe(result, velocity)
    axes.plot(x, y, linewidth=0.8)
    axes.plot(x[0], y[0], "o", markersize=5, label="start")
    axes.set_xlabel(position)
    axes.set_ylabel(velocity)
    axes.legend()
    return figure


def contact_impulses(result: Result, name: str | None = None, axes: Axes | None = None) -> Figure:
    """Normal impulses of contacts (of a rule, a pair or one identity) between rows, coloured by status."""
    figure, axes = _axes(axes)
    contacts = result.contacts if name is None else result.contacts_of(name)
    for status, label in enumerate(("open", "stick", "slip")):
        some = contacts[contacts["status"] == status]
        if len(some):
            axes.vlines(some["time"], 0, some["impulse"][:, 0], colors=_STATUS_COLORS[status], label=label)
    axes.axhline(0, color="0.8", linewidth=0.8, zorder=0)
    axes.set_xlim(result.time[0], result.time[-1])
    axes.set_xlabel("time (s)")
    axes.set_ylabel("normal impulse (N s)")
    if len(contacts):
        axes.legend()
    return figure


def contact_force(result: Result, name: str | None = None, axes: Axes | None = None) -> Figure:
    """The sum of normal impulses of a row over the time since the row before: a mean force, in which impacts are peaks
    that grow as rows come closer."""
    figure, axes = _axes(axes)
    contacts = result.contacts if name is None else result.contacts_of(name)
    sums = np.zeros(len(result.time))
    np.add.at(sums, np.searchsorted(result.time, contacts["time"]), contacts["impulse"][:, 0])
    axes.step(result.time[1:], sums[1:] / np.diff(result.time), where="pre")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("mean normal force (N)")
    return figure


def trajectories(
    result: Result,
    bodies: Sequence[str] | None = None,
    plane: tuple[str, str] = ("x", "y"),
    axes: Axes | None = None,
) -> Figure:
    """Paths of bodies in a plane: x and y, unless `plane` says otherwise. With gravity along y, ("x", "z") looks from above."""
    if len(plane) != 2 or len(set(plane)) != 2 or not set(plane) <= set("xyz"):
        raise ValueError(f"a plane has two of the axes x, y and z, not {plane!r}")
    columns = ["xyz".index(axis) for axis in plane]
    chosen = result.bodies if bodies is None else bodies
    figure, axes = _axes(axes)
    for name in chosen:
        path = result.position(name)[:, columns]
        (line,) = axes.plot(path[:, 0], path[:, 1], label=name)
        axes.plot(path[-1, 0], path[-1, 1], "o", color=line.get_color())
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(f"{plane[0]} (m)")
    axes.set_ylabel(f"{plane[1]} (m)")
    if len(chosen) <= _MOST_IN_LEGEND:
        axes.legend()
    return figure


def _probe(result: Result, name: str) -> Any:
    if name not in result.probes:
        raise KeyError(f"there is no probe '{name}'; there are {', '.join(result.probes)}")
    return result.probes[name]


def _new_figure(rows: int) -> tuple[Figure, Sequence[Axes]]:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(
        rows, 1, sharex=True, squeeze=False, figsize=(8, max(4, 1.8 * rows)), layout="constrained"
    )
    return figure, axes[:, 0]


def _axes(axes: Axes | None) -> tuple[Figure, Axes]:
    if axes is not None:
        return axes.figure, axes
    figure, rows = _new_figure(1)
    return figure, rows[0]
