"""Scenes that are made in code.

A scene is the same tree of keys as in a YAML file, and it is read by the same reader: what docs/scene.md says of a section
holds for the method of its name, and mistakes give the same messages. Values may be numbers, expressions (texts such as
"2*radius"), lists and arrays.
"""

from __future__ import annotations

import copy
import json
import math
from os import PathLike, fspath
from typing import Any, Mapping

from ._ricochet import Case, read_scene_text


class Scene:
    """A scene under construction. Methods return the scene, so that calls can be chained.

    Keyword arguments are the keys of the top level: Scene(planar=True, gravity=[0, -9.81, 0], time={...}).
    """

    def __init__(self, data: Mapping[str, Any] | None = None, **keys: Any):
        # Copies, all the way down: what is added to a scene must not appear in the data that it was made from.
        self.data: dict[str, Any] = {"ricochet": 1, **copy.deepcopy(dict(data or {})), **copy.deepcopy(keys)}

    def _add(self, section: str, name: str, fields: Mapping[str, Any]) -> Scene:
        elements = self.data.setdefault(section, {})
        if name in elements:
            raise ValueError(f"{section} has '{name}' already")
        elements[name] = dict(fields)
        return self

    def parameter(self, name: str, value: Any) -> Scene:
        """A number with a name, for expressions and for `parameters` of load and changed."""
        self.data.setdefault("parameters", {})[name] = value
        return self

    def material(self, name: str, **fields: Any) -> Scene:
        return self._add("materials", name, fields)

    def body(self, name: str, **fields: Any) -> Scene:
        return self._add("bodies", name, fields)

    def surface(self, name: str, **fields: Any) -> Scene:
        return self._add("surfaces", name, fields)

    def contact(self, name: str, **fields: Any) -> Scene:
        return self._add("contacts", name, fields)

    def joint(self, name: str, **fields: Any) -> Scene:
        return self._add("joints", name, fields)

    def velocity_condition(self, name: str, **fields: Any) -> Scene:
        return self._add("velocity_conditions", name, fields)

    def spring(self, name: str, **fields: Any) -> Scene:
        return self._add("springs", name, fields)

    def load(self, name: str, **fields: Any) -> Scene:
        return self._add("loads", name, fields)

    def clearance(self, name: str, **fields: Any) -> Scene:
        return self._add("clearances", name, fields)

    def system(self, name: str, **fields: Any) -> Scene:
        """A system that the program knows by its type; those of Python are given to `Case.simulation`."""
        return self._add("systems", name, fields)

    def driver(self, name: str, **fields: Any) -> Scene:
        return self._add("drivers", name, fields)

    def probe(self, name: str, expression: str) -> Scene:
        """A column of the result: a source or arithmetic over sources."""
        self.data.setdefault("probes", {})[name] = expression
        return self

    def expect(self, **fact: Any) -> Scene:
        """A fact that must come out of a run."""
        self.data.setdefault("expect", []).append(fact)
        return self

    def text(self) -> str:
        """The scene as a file has it (JSON, which is YAML)."""
        _require_finite(self.data, "")
        return json.dumps(self.data, indent=1, default=_plain, allow_nan=False) + "\n"

    def save(self, path: str | PathLike[str]) -> None:
        """Writes a file for `ricochet run`."""
        with open(fspath(path), "w", encoding="utf-8") as file:
            file.write(self.text())

    def case(
        self,
        variant: str = "",
        *,
        parameters: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None,
    ) -> Case:
        """Reads and checks the scene. SceneError names the line of `text()`."""
        origin = str(self.data.get("name", "scene"))
        return read_scene_text(self.text(), origin, variant, parameters=dict(parameters or {}), set=dict(set or {}))


def _require_finite(value: Any, path: str) -> None:
    """JSON has no words for numbers that are not finite, and a scene has no use for them."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"'{path}' is {value}; it must be a finite number")
    if isinstance(value, Mapping):
        for key, part in value.items():
            _require_finite(part, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)):
        for i, part in enumerate(value):
            _require_finite(part, f"{path}[{i}]")


def _plain(value: Any) -> Any:
    """Arrays and numbers of NumPy as JSON knows them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a scene cannot hold {value!r}")
