"""Systems that are written down in minimal coordinates.

    M(t, q) dv = f(t, q, v) dt + contacts,   dq/dt = v

docs/systems.md has the equations and what is checked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Sequence

from numpy.typing import ArrayLike, NDArray


class System(ABC):
    """A system in minimal coordinates, to derive from; any object with the same members does as well.

    coordinates      names of the n coordinates q; the rates v have the same
    contacts         names of what touches, or pairs of names (what touches, what it touches)
    size             a length (m) next to which a gap is nothing: rounding errors follow it

    mass(time, q)        M, n x n, symmetric and positive definite
    force(time, q, v)    f, n numbers: everything but contacts, with the terms of inertia that are quadratic in v
    potential(time, q)   J, of the part of f that has one; the rest counts as work of loads

    These a system may have (those of contacts it must have, if it has contacts; the first argument is their number):

    tangents(time, q, v)             (stiffness, damping): -df/dq and -df/dv, n x n each, or None
    displacements(contact, time, q)  the gap, then the tangential displacement (in space two), m
    gradients(contact, time, q)      their derivatives with respect to q: 2 x n (in space 3 x n)
    rates(contact, time, q)          their derivatives with respect to time alone, m/s; without it zero
    place(contact, time, q)          (point, normal) in the world, for pictures and result files

    q and v are arrays. All methods must depend on their arguments alone: a step asks several times, at states that it
    tries. Tangents help the iteration and do not change what it converges to.
    """

    coordinates: Sequence[str] = ()
    contacts: Sequence[str | tuple[str, str]] = ()
    size: float = 1.0

    @abstractmethod
    def mass(self, time: float, q: NDArray) -> ArrayLike:
        """The mass matrix, n x n."""

    @abstractmethod
    def force(self, time: float, q: NDArray, v: NDArray) -> ArrayLike:
        """The generalised forces, n numbers."""

    def potential(self, time: float, q: NDArray) -> float:
        """The potential energy, J."""
        return 0.0
