#!/usr/bin/env python3
"""A model for chainscope: the bioassay of Racine and others (1986), as in
Bayesian Data Analysis, section 3.7. assets/doc/models.md has the protocol."""
import sys
from math import exp, log1p

DOSE = [-0.86, -0.30, -0.05, 0.73]
DEATHS = [0, 1, 3, 5]
ANIMALS = 5


def log1pexp(x):
    return max(x, 0) + log1p(exp(-abs(x)))


def gradient(alpha, beta):
    """The log density, and its slopes by alpha and beta."""
    logp, by_alpha, by_beta = -(alpha**2) / 50 - beta**2 / 800, -alpha / 25, -beta / 400
    for x, y in zip(DOSE, DEATHS):
        eta = alpha + beta * x
        logp += y * eta - ANIMALS * log1pexp(eta)
        by_alpha += y - ANIMALS * exp(-log1pexp(-eta))
        by_beta += x * (y - ANIMALS * exp(-log1pexp(-eta)))
    return logp, by_alpha, by_beta


sys.stdin.readline()  # chainscope 1
print("chainscope 1\nname bioassay\nparameter alpha real\nparameter beta real\ngradient\nready", flush=True)
for line in sys.stdin:
    what, n = line.split()
    for _ in range(int(n)):
        try:
            answer = gradient(*map(float, sys.stdin.readline().split()))
            print(*map(repr, answer if what == "gradient" else answer[:1]))
        except (ArithmeticError, ValueError) as error:
            print("error", error)
    print("end", flush=True)
