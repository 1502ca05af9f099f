"""What a run left behind, as arrays: in memory (simulation.record) or in a directory (case.run, `ricochet run`)."""

from __future__ import annotations

import difflib
import json
from os import PathLike
from pathlib import Path
from typing import Any, Sequence

import numpy as np
from numpy.typing import NDArray

from ._ricochet import FileError, SceneError, read_result_file, read_scene_text

Floats = NDArray[np.float64]


class Result:
    """Rows of a run; n rows and b bodies.

    time          [n] s
    probes        by name: [n]
    energies      the ledger in J, by name: [n]
    bodies        names, in the order of the arrays; surfaces likewise
    positions     [n, b, 3] m, of the origins of the bodies
    quaternions   [n, b, 4] w x y z, body to world
    velocities    [n, b, 6] m/s in the world, then rad/s in the body
    contacts      structured array, one entry per active contact and row: time, identity, body_a, body_b, point, normal,
                  tangent1, gap, velocity, impulse, moment (about n, t1, t2), status (0 open, 1 stick, 2 slip), work;
                  impulse, moment and work are sums since the row before
    contact_names by contacts["identity"]
    summary       summary.json as a dict, and `directory`: of a result that was read from one, otherwise None
    """

    def __init__(
        self,
        *,
        time: Floats,
        probe_names: Sequence[str],
        probe_values: Floats,
        energy_names: Sequence[str],
        energy_values: Floats,
        bodies: Sequence[str],
        surfaces: Sequence[str],
        positions: Floats,
        quaternions: Floats,
        velocities: Floats,
        contacts: NDArray[Any],
        contact_names: Sequence[str],
        contact_rules: Sequence[str] | None = None,
        scene_id: str = "",
        scene: str = "",
        summary: dict[str, Any] | None = None,
        directory: Path | None = None,
    ):
        self.time = time
        self.probes: dict[str, Floats] = dict(zip(probe_names, np.ascontiguousarray(probe_values.T)))
        self.energies: dict[str, Floats] = dict(zip(energy_names, np.ascontiguousarray(energy_values.T)))
        self.bodies = list(bodies)
        self.surfaces = list(surfaces)
        self.positions = positions
        self.quaternions = quaternions
        self.velocities = velocities
        self.contacts = contacts
        self.contact_names = list(contact_names)
        self._contact_rules = contact_rules  # None: in the scene
        self.scene_id = scene_id
        self.scene = scene
        self.summary = summary
        self.directory = directory

    def position(self, body: str) -> Floats:
        """[n, 3] m, of the origin of one body."""
        return self.positions[:, self._index(body)]

    def quaternion(self, body: str) -> Floats:
        """[n, 4] w x y z of one body."""
        return self.quaternions[:, self._index(body)]

    def velocity(self, body: str) -> Floats:
        """[n, 6] of one body."""
        return self.velocities[:, self._index(body)]

    def contacts_of(self, name: str) -> NDArray[Any]:
        """The entries of contacts whose identity is, or begins with, this name: a rule, or a rule with a body.

        There are none if nothing touched; KeyError if the scene has no such rule.
        """
        wanted = [i for i, full in enumerate(self.contact_names) if _belongs(full, name)]
        if not wanted:
            self._require_rule(name.split(":")[0])
        return self.contacts[np.isin(self.contacts["identity"], wanted)]

    def _require_rule(self, name: str) -> None:
        rules = self._contact_rules
        if rules is None:
            try:
                rules = read_scene_text(self.scene, self.scene_id).contacts
            except SceneError:  # it lies elsewhere, with files that it needs: then nobody knows its rules
                return
        if name in rules:
            return
        near = difflib.get_close_matches(name, rules, 1)
        hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(rules) or 'none'}"
        raise KeyError(f"there is no contact rule '{name}'; {hint}")

    def _index(self, body: str) -> int:
        try:
            return self.bodies.index(body)
        except ValueError:
            raise KeyError(f"there is no body '{body}'; there are {', '.join(self.bodies)}") from None

    def __repr__(self) -> str:
        what = f" of '{self.scene_id}'" if self.scene_id else ""
        return f"<ricochet.Result{what}: {len(self.time)} rows to t = {self.time[-1]:.9g} s>"


def _belongs(identity: str, name: str) -> bool:
    """Identities are rule:bodyA.featureA|bodyB.featureB; a name ends where one of these marks is."""
    return identity.startswith(name) and (len(identity) == len(name) or identity[len(name)] in ":.|")


def open_result(directory: str | PathLike[str]) -> Result:
    """Reads a result directory whole; the path of the result.h5 in it will do, too."""
    path = Path(directory)
    if path.name == "result.h5" and path.is_file():
        path = path.parent
    if not path.is_dir():
        raise FileError(f"there is no directory '{path}'")
    columns = read_result_file(path / "result.h5")
    try:
        summary = json.loads((path / "summary.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FileError(f"{path / 'summary.json'}: {error}") from error
    return Result(**columns, summary=summary, directory=path)
