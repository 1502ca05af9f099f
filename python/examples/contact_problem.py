"""A contact problem without any machine: a ball that is pushed into a corner of two walls.

Find impulses r and velocities u = W r + b that keep Signorini's and Coulomb's laws at both contacts. A point mass m touches
the floor (normal y) and a wall (normal x); its velocity without contact is (-1, -1). So W = J J^T/m with the rows of J the
directions (n, t) of both contacts.
"""

import numpy as np

import ricochet

mass = 2.0
J = np.array([[0, 1], [-1, 0], [1, 0], [0, 1]])  # floor: n, t = z x n; wall: n, t
velocity = np.array([-1.0, -1.0])
solution = ricochet.solve(J @ J.T / mass, J @ velocity, mu=[0.3, 0.3])
print(solution)
print("impulses  ", solution.r)
print("velocities", solution.u)

r, u = solution.r.reshape(2, 2), solution.u.reshape(2, 2)
assert solution.converged and solution.residual <= 1e-8
assert np.allclose(velocity + J.T @ solution.r / mass, 0, atol=1e-7)  # it stops in the corner
assert (r[:, 0] > 0).all() and (np.abs(r[:, 1]) <= 0.3 * r[:, 0] + 1e-7).all()  # within both cones

# Without the wall the ball goes on along the floor, and friction takes mu times what the floor gives.
sliding = ricochet.solve(J[:2] @ J[:2].T / mass, J[:2] @ velocity, mu=[0.3])
assert np.allclose(sliding.r, [mass, -0.3 * mass])
assert np.allclose(sliding.u, [0, 1 - 0.3])
for solver in ricochet.solvers():
    other = ricochet.solve(J[:2] @ J[:2].T / mass, J[:2] @ velocity, mu=[0.3], solver=solver)
    print(f"{solver:>16}: {other.status}")
    assert other.status == "not_applicable" or np.allclose(other.r, sliding.r)
