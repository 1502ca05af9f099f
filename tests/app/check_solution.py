#!/usr/bin/env python3
"""Checks r and u of `ricochet solve --json FILE` against the problems themselves, sharing no code with the program.

    check_solution.py FILE      exit 1 if u is not W r + q, a law is broken, or a reported residual is another one

For dense text problems of dimension 2 or 3 in which all contacts feel each other (one island).
"""
import json, math, sys

norm = lambda x: math.sqrt(sum(a * a for a in x))
def project(mu, r):  # on the cone |r_T| <= mu r_N
    n, t = r[0], norm(r[1:])
    a = n if t <= mu * n else max(n + mu * t, 0) / (1 + mu * mu)
    return r if t <= mu * n else [a] + [mu * a * x / (t or 1) for x in r[1:]]

for p in json.load(open(sys.argv[1]))["problems"]:
    words = open(p["file"]).read().split()
    d, contacts, storage = map(int, words[:3])
    n, r, reported = d * contacts, p["r"], p["u"]
    assert storage == 0 and len(r) == len(reported) == n and p["contacts"] == contacts and p["dimension"] == d
    x = [float(w) for w in words[7:]]
    W, q, mu = [[x[j * n + i] for j in range(n)] for i in range(n)], x[n * n:][:n], x[n * n + n:][:contacts]
    u = [sum(map(float.__mul__, W[i], map(float, r))) + q[i] for i in range(n)]
    V = max(norm(q[k:k + d]) for k in range(0, n, d))
    squares, residual = 0, 0
    for c, k in enumerate(range(0, n, d)):
        rc, uc, rho = r[k:k + d], u[k:k + d], d / sum(W[i][i] for i in range(k, k + d))
        F = lambda rho: norm([a - b for a, b in zip(rc, project(
            mu[c], [a - rho * (b + mu[c] * norm(uc[1:]) * (i == 0)) for i, (a, b) in enumerate(zip(rc, uc))]))])
        squares, residual = squares + F(1) ** 2, max(residual, max(F(rho), -rho * uc[0]) / max(rho * V, 1e-4 * norm(rc), 1e-300))
        small = 10 * p["residual"] + 1e-12  # the law in its own words: u_N >= 0, cone, no work but that of sliding
        assert uc[0] > -small * V and norm(rc[1:]) <= mu[c] * rc[0] * (1 + 1e-12) + small * rho * V, (p["file"], c)
        power = sum(a * b for a, b in zip(rc, uc)) + mu[c] * norm(uc[1:]) * rc[0]
        assert abs(power) <= small * V * (rho * V + norm(rc) + rho * norm(uc)), (p["file"], c, power)
    assert norm([a - b for a, b in zip(u, reported)]) <= 1e-12 * (norm(u) + norm(q)), p["file"]
    for name, value in (("residual", residual), ("fclib_residual", math.sqrt(squares) / (1 + norm(q)))):
        assert abs(value - p[name]) <= 1e-4 * value + 1e-13, (p["file"], name, value, p[name])
print("independently checked:", len(json.load(open(sys.argv[1]))["problems"]), "solutions")
