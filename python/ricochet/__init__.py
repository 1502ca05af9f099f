"""Ricochet: machines and bodies that touch, strike, stick and slide.

    import ricochet

    case = ricochet.load("bouncing-ball", parameters={"restitution": 0.5})
    result = case.simulation().record()
    print(result.probes["altitude"].max())

A *case* is what a scene describes; it does not change. A *simulation* is a case in motion. A *result* is what a run left
behind, in memory or in a directory. Scenes are files (load), or made in code (Scene). Everything is in SI units and
radians; docs/python.md is the reference.
"""

from ._ricochet import (
    Case,
    FileError,
    Force,
    JointForce,
    Motion,
    Problem,
    SceneError,
    Simulation,
    SimulationError,
    Solution,
    SystemStart,
    __version__,
    load,
    read_problem,
    scenes,
    solvers,
)
from .problems import solve
from .results import Result, open_result
from .scene import Scene
from .systems import System

__all__ = [
    "Case",
    "FileError",
    "Force",
    "JointForce",
    "Motion",
    "Problem",
    "Result",
    "Scene",
    "SceneError",
    "Simulation",
    "SimulationError",
    "Solution",
    "System",
    "SystemStart",
    "__version__",
    "load",
    "open_result",
    "read_problem",
    "scenes",
    "solve",
    "solvers",
]
