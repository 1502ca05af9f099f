"""Solving contact problems that are given as arrays."""

from __future__ import annotations

from typing import Any

from ._ricochet import Problem, Solution, solve_problem


def solve(
    W: Any,
    b: Any = None,
    mu: Any = None,
    *,
    solver: str = "auto",
    tolerance: float = 1e-8,
    max_iterations: int = 10_000,
    **law: Any,
) -> Solution:
    """Finds impulses r and velocities u = W r + b that keep Coulomb's law at every contact.

    solve(problem) takes a Problem, as read_problem gives it; solve(W, b, mu) makes one, and `rolling`, `spinning`, `sizes`
    and `bilateral` are those of Problem. Whether the tolerance was reached is in the solution: look at `converged`.
    """
    if isinstance(W, Problem):
        if b is not None or mu is not None or law:
            raise TypeError("a Problem has its own b and laws: give nothing else but how to solve it")
        problem = W
    else:
        if b is None or mu is None:
            raise TypeError("solve needs a Problem, or W, b and mu")
        problem = Problem(W, b, mu, **law)
    return solve_problem(problem, solver=solver, tolerance=tolerance, max_iterations=max_iterations)
