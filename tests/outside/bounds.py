"""A model with one parameter for each kind of support. If it gets a command-line
argument, it returns no gradients. tests/outside/bounds.sh lists its moments."""
import sys
from math import log



def answer(rate, p, low, up, a, b):
    logp = -rate + log(p + 1) - 2 * (low - 2) + (up + 1) - 0.5 * (a * a + b * b)
    return logp, -1, 1 / (p + 1), -2, 1, -a, -b


sys.stdin.readline()
print("chainscope 1")
print("parameter rate positive\nparameter p interval -1 3\nparameter low lower 2")
print("parameter up upper -1\nparameter x 2 real")
print("ready" if len(sys.argv) > 1 else "gradient\nready", flush=True)
for line in sys.stdin:
    what, n = line.split()
    for _ in range(int(n)):
        try:
            logp, *slopes = answer(*map(float, sys.stdin.readline().split()))
            print(logp.hex(), *(map(repr, slopes) if what == "gradient" else []))
        except (ArithmeticError, ValueError) as error:
            print("error", error)
    print("end", flush=True)
