"""Contact problems from arrays and files."""

import tempfile
import unittest
from pathlib import Path

import numpy as np

import ricochet


def random_problem(contacts, size, seed=3):
    """Contacts of bodies that feel each other: W = H H^T with more columns than rows is positive definite."""
    random = np.random.default_rng(seed)
    H = random.normal(size=(contacts * size, contacts * size + 2))
    return H @ H.T, random.normal(size=contacts * size), random.uniform(0.1, 0.8, contacts)


class Problems(unittest.TestCase):
    def check_law(self, solution, W, b, mu, size):
        self.assertTrue(solution.converged, solution.message)
        np.testing.assert_allclose(solution.u, W @ solution.r + b, atol=1e-12)
        r, u = solution.r.reshape(-1, size), solution.u.reshape(-1, size)
        scale = np.abs(b).max()
        self.assertTrue((r[:, 0] >= 0).all() and (u[:, 0] >= -1e-7 * scale).all())
        np.testing.assert_allclose(r[:, 0] * u[:, 0], 0, atol=1e-6 * scale)
        tangential, slip = np.linalg.norm(r[:, 1:], axis=1), np.linalg.norm(u[:, 1:], axis=1)
        self.assertTrue((tangential <= mu * r[:, 0] * (1 + 1e-6) + 1e-9).all())
        # Slip is opposed with all that friction can do.
        np.testing.assert_allclose((r[:, 1:] * u[:, 1:]).sum(axis=1), -mu * r[:, 0] * slip, atol=1e-6 * scale)

    def test_dense_problems_of_several_sizes(self):
        for size in (2, 3):
            W, b, mu = random_problem(6, size)
            self.check_law(ricochet.solve(W, b, mu), W, b, mu, size)
        W, b, _ = random_problem(5, 1)
        self.check_law(ricochet.solve(W, b, 0, sizes=1), W, b, np.zeros(5), 1)

    def test_sizes_are_integers_of_any_kind_or_a_list(self):
        W, b, _ = random_problem(4, 3)
        for sizes in (3, np.int64(3), np.array(3), [3] * 4, np.full(4, 3)):
            problem = ricochet.Problem(W, b, 0.3, sizes=sizes)
            self.assertEqual((problem.contacts, problem.dimension), (4, 3), repr(sizes))

    def test_blocks_are_the_matrix(self):
        W, b, mu = random_problem(4, 3)
        blocks = {(i, j): W[3 * i : 3 * i + 3, 3 * j : 3 * j + 3] for i in range(4) for j in range(4)}
        dense, sparse = ricochet.Problem(W, b, mu), ricochet.Problem(blocks, b, mu)
        np.testing.assert_array_equal(dense.W, W)
        np.testing.assert_array_equal(sparse.W, W)
        np.testing.assert_array_equal(sparse.b, b)
        np.testing.assert_array_equal(sparse.mu, mu)
        np.testing.assert_array_equal(ricochet.solve(dense).r, ricochet.solve(sparse).r)
        self.assertEqual((dense.contacts, dense.dimension, dense.is_global), (4, 3, False))

    def test_rolling_and_bilateral(self):
        W, b, mu = random_problem(2, 5)
        solution = ricochet.solve(W, b, mu, rolling=[0.1, 0.2])
        self.assertTrue(solution.converged)
        r = solution.r.reshape(2, 5)
        self.assertTrue((np.linalg.norm(r[:, 3:], axis=1) <= np.array([0.1, 0.2]) * r[:, 0] + 1e-8).all())
        W, b, _ = random_problem(2, 3)
        solution = ricochet.solve(W, b, [0.3, 0], bilateral=[False, True])
        self.assertEqual((len(solution.r), len(solution.multipliers)), (3, 3))

    def test_files(self):
        W, b, mu = random_problem(3, 3)
        problem = ricochet.Problem(W, b, mu)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "problem.hdf5")
            problem.write(path)
            again = ricochet.read_problem(path)
            np.testing.assert_array_equal(again.W, W)
            np.testing.assert_array_equal(ricochet.solve(again).r, ricochet.solve(problem).r)
            broken = Path(folder, "broken.hdf5")
            broken.write_bytes(b"nothing")
            with self.assertRaisesRegex(ricochet.FileError, "broken.hdf5") as caught:
                ricochet.read_problem(broken)
            self.assertIsInstance(caught.exception, OSError)

    def test_all_solvers_agree(self):
        W, b, mu = random_problem(4, 3)
        reference, judged = ricochet.solve(W, b, mu, tolerance=1e-12), 0
        for solver in ricochet.solvers():
            solution = ricochet.solve(W, b, mu, solver=solver, tolerance=1e-10)
            self.assertEqual(solution.solver, solver)
            if solution.status == "not_applicable":
                self.assertTrue(solution.message)
                continue
            judged += 1
            np.testing.assert_allclose(solution.r, reference.r, atol=1e-6)
        self.assertGreaterEqual(judged, 4)

    def test_what_is_not_reached_is_told(self):
        W, b, mu = random_problem(30, 3)
        solution = ricochet.solve(W, b, mu, solver="gauss-seidel", max_iterations=1, tolerance=1e-12)
        self.assertEqual((solution.converged, solution.status), (False, "not_reached"))
        self.assertGreater(solution.residual, 1e-12)


class BadInput(unittest.TestCase):
    def test_sentences(self):
        W, b, mu = random_problem(2, 3)
        cases = (
            (lambda: ricochet.solve(W[:5], b, mu), "W must be a matrix of 6 rows and columns"),
            (lambda: ricochet.solve(W, b[:5], mu), "b has 5 numbers, which do not divide among 2 contacts"),
            (lambda: ricochet.solve(W, b, 0.3), "give their size"),
            (lambda: ricochet.solve(W, b, [0.3, -1]), "contact 1"),
            (lambda: ricochet.solve(W, b * np.nan, mu), "contact 0"),
            (lambda: ricochet.solve(W, b, mu, sizes=[3, 2]), "b has 6 numbers, but the contacts have 5"),
            (lambda: ricochet.solve({(0, 0): np.eye(3)}, b, mu), "contact 1"),
            (lambda: ricochet.solve({(0, 2): np.eye(3)}, b, mu), "there are 2 contacts"),
            (lambda: ricochet.solve({(0, 0): np.eye(2)}, b, mu), "must have 3 rows and 3 columns"),
            (lambda: ricochet.solve({(0, 0): np.ones((9, 1))}, b, mu), "must have 3 rows and 3 columns"),
            (lambda: ricochet.solve(W, b, 0.3, sizes=4), "b has 6 numbers, which do not divide among contacts of size 4"),
            (lambda: ricochet.solve(W, b, 0.3, sizes=0), "do not divide among contacts of size 0"),
            (lambda: ricochet.solve(W, b, [0.3] * 6), "contact 0 has one component, no tangent: friction needs 2 or 3"),
            (lambda: ricochet.solve(W, b, mu, solver="newtom"), "did you mean 'newton'"),
            (lambda: ricochet.solve(W, b, mu, tolerance=0), "between 0 and 1"),
            (lambda: ricochet.solve(W, b, mu, rolling=[1, 2, 3]), "one for each of 2 contacts"),
        )
        for work, words in cases:
            with self.assertRaisesRegex(ValueError, words):
                work()
        with self.assertRaises(TypeError):
            ricochet.solve(W, b)
        with self.assertRaises(TypeError):
            ricochet.solve(ricochet.Problem(W, b, mu), b)


if __name__ == "__main__":
    unittest.main()
