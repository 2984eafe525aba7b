"""usage: warned.py PROGRAM
Tests the thresholds of warnings, just above and just below; see cli/warned.sh."""
import math
import sys

from runs import Runs, close, draws, end, expect

runs = Runs(sys.argv[1])


def about(arm, words):
    """Returns the warnings of an arm in summary.json that contain these words."""
    return [w for w in arm["warnings"] if words in w]


def sides(holds, arm, words, what):
    """Expects the warning if and only if its condition holds."""
    expect(bool(about(arm, words)) == holds,
           "%s, %s: %s" % (arm["arm"], what, arm["warnings"]))


def modes_of_unequal_mass():
    body = '''  target = cs.target.mixture { means = { { -20 }, { 0 }, { 25 } }, weights = { 0.07, 0.2, 0.73 } },
      start = %s, seed = 3, chains = %d, budget = { steps = %d }, warmup = 0,
      arms = { walk = cs.kernel.random_walk { step = 0.7 } },'''
    for start, missed in ("-20", "2 of 3 known modes were never visited, with 0.93 "), \
            ("0", "2 of 3 known modes were never visited, with 0.8 "), \
            ("25", "2 of 3 known modes were never visited, with 0.27 "):
        said, s = runs.run("unequal", body % ("{ %s }" % start, 1, 1000))
        expect(about(s["arms"][0], missed + "of the mass"),
               "from %s: %s" % (start, s["arms"][0]["warnings"]))
    # Mode 1 should have 70 of 1000 draws, too few to report that it was missed.
    for steps, some in (1000, "1 of 3 known modes were rarely or never visited by some "
                        "chains, mode 3 by 1 of 2"), \
            (2000, "2 of 3 known modes were rarely or never visited by some chains, mode 1 "
             "by 1 of 2"):
        said, s = runs.run("unequal", body % ("{ { 25 }, { -20 } }", 2, steps))
        arm = s["arms"][0]
        expect(about(arm, "1 of 3 known modes were never visited, with 0.2 of the mass"),
               "from both ends: %s" % arm["warnings"])
        expect(about(arm, some), "by some chains: %s" % arm["warnings"])
        expect(arm["mode_shares"] == [0.5, 0, 0.5] and arm["mode_chains"] == [1, 0, 1] and
               arm["mode_visits"] == [[0, 0, steps], [steps, 0, 0]],
               "shares, chains, visits: %s" % arm)


def energies():
    """E-BFMI is the minimum over chains, computed from the energies in the files."""
    body = '''  target = cs.target { space = cs.real(2), log_density = function(x)
        return -x[1]^2 / 18 - x[2]^2 / 2 * cs.math.exp(-x[1]) - x[1] / 2 end },
      seed = %d, chains = 4, warmup = 0, budget = { steps = 400 },
      arms = { a = cs.kernel.nuts { step = 0.5 }, b = cs.kernel.nuts { step = 0.9 },
        c = cs.kernel.hmc { step = 0.2, leapfrogs = 3 }, d = cs.kernel.nuts { step = 0.1 } },'''
    low = near = 0
    for seed in 2, 3:
        said, s = runs.run("energies", body % seed)
        for arm in s["arms"]:
            found = []
            for chain in range(1, 5):
                e = [row["energy__"] for row in draws("energies", arm["arm"], chain)]
                mean = sum(e) / len(e)
                found.append(sum((x - y) ** 2 for x, y in zip(e[1:], e)) /
                             sum((x - mean) ** 2 for x in e))
            close(arm["ebfmi"], min(found), 5, "E-BFMI of " + arm["arm"])
            sides(min(found) < 0.3, arm, "E-BFMI is %.2g in some chain, below 0.3" % min(found),
                  "E-BFMI")
            low += min(found) < 0.3 < found[-1]
            near += 0.3 <= min(found) < 0.32
            diverged = sum(row["divergent__"] for chain in range(1, 5)
                           for row in draws("energies", arm["arm"], chain)
                           if "divergent__" in row)
            expect(arm["divergent"] == diverged or arm["kernel"] == "hmc",
                   "%s: %g diverged of %g" % (arm["arm"], diverged, arm["divergent"]))
    expect(low and near, "no chain other than the last is low, or none is near the limit")


def acceptance():
    """The warning requires that fewer than 1 in 200 proposals are accepted."""
    body = '''  target = cs.target.gaussian { dim = 1 }, seed = 3, chains = 4, warmup = 0,
      start = { { -1 }, { -0.3 }, { 0.3 }, { 1 } }, budget = { steps = 4000 }, arms = { %s },'''
    arms = ", ".join("w%d = cs.kernel.random_walk { step = %d }" % (s, s)
                     for s in (180, 210, 240, 270, 300, 340, 380, 430, 480))
    said, s = runs.run("acceptance", body % arms)
    below = above = 0
    for arm in s["arms"]:
        share = arm["accepted"]
        sides(share < 0.005, arm, " % at step size", "accepted %g" % share)
        below += 0.003 < share < 0.005
        above += 0.005 <= share < 0.008
    expect(below and above, "acceptance: no arm is just below, or none just above")


def longer(times):
    """Returns the number rounded up to two digits."""
    unit = 0.1 if times < 10 else 10 ** math.floor(math.log10(times) - 1)
    return "%.6g" % (unit * math.ceil(times / unit))


def few_draws():
    """Bulk ESS below 100 per chain and R-hat above 1.01 are reported for the worst
    quantity."""
    body = '''  target = cs.target.gaussian { dim = 3, rho = 0.5 }, seed = 5, chains = 3, warmup = 0,
      budget = { steps = 2100 }, arms = { %s },'''
    arms = ", ".join("w%02d = cs.kernel.random_walk { step = 0.0%02d * 20 }" % (s, s)
                     for s in range(30, 98, 6))
    said, s = runs.run("few", body % arms)
    few = enough = tails = 0
    for arm in s["arms"]:
        least = min((v["ess_bulk"], name) for name, v in arm["variables"].items())
        worst = max((v["rhat"], name) for name, v in arm["variables"].items())
        sides(least[0] < 300, arm, "bulk ESS of %s is %.0f, below 100 per chain: run %s times "
              "as long" % (least[1], least[0], longer(300 / least[0])),
              "bulk ESS %g" % least[0])
        sides(worst[0] > 1.01, arm, "R-hat of %s is %.4g" % (worst[1], worst[0]),
              "R-hat %g" % worst[0])
        tail = min((v["ess_tail"], name) for name, v in arm["variables"].items())
        sides(tail[0] < 300 <= least[0], arm, "tail ESS of %s is %.0f, below 100 per chain: "
              "run %s times as long" % (tail[1], tail[0], longer(300 / tail[0])),
              "tail ESS %g" % tail[0])
        few += 200 < least[0] < 300
        tails += tail[0] < 300 <= least[0]
        enough += 300 <= least[0] < 400
    expect(few and enough and tails, "ESS: no arm is just below, or none just above")


def ladders():
    """A swap rate of 1 in 100 between temperatures gives no warning."""
    body = '''  target = cs.target.gaussian { dim = 6 }, seed = 3, chains = 3, warmup = 0,
      budget = { steps = 4000 }, arms = { %s },'''
    arms = ", ".join('''t%d = cs.kernel.parallel_tempering { temperatures = { 1, 1.5, %d },
        kernel = cs.kernel.random_walk { step = 0.5 } }''' % (t, t) for t in (10, 14, 40))
    said, s = runs.run("ladders", body % arms)
    words = "of the swaps between temperatures 1.5 and"
    for arm in s["arms"]:
        sides(arm["arm"] == "t40", arm, words, "changes")
        for ladder in 1, 2, 3:  # replicas at temperature 1, counted from 1
            seen = {row["replica__"] for row in draws("ladders", arm["arm"], ladder)}
            own = {3 * ladder - 2.0, 3 * ladder - 1.0, 3.0 * ladder}
            expect(seen <= own and (seen == own or arm["arm"] != "t10"),
                   "%s: replicas %s" % (arm["arm"], seen))
    said, s = runs.run("ladders", body % arms, "--steps", "999", code=0)
    for arm in s["arms"]:
        sides(False, arm, words, "changes of few steps")


def ensembles():
    body = '''  target = cs.target.gaussian { dim = 3 }, seed = 3, chains = %d, warmup = 0,
      budget = { steps = 200 }, arms = { s = cs.kernel.stretch {} },'''
    for chains, warned in (5, True), (6, True), (7, True), (8, False), (9, True), (10, False):
        said, s = runs.run("ensemble", body % chains)
        arm = s["arms"][0]
        sides(warned, arm, "stretch has %d chains in 3 coordinates: use an even number of "
              "chains, greater than 6" % chains, "%d chains" % chains)
        sides(True, arm, "use each other's states", "an ensemble")


modes_of_unequal_mass()
energies()
acceptance()
few_draws()
ladders()
ensembles()
end()
