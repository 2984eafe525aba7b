#!/bin/sh
# usage: bad_runs.sh PROGRAM
# Tests short runs with wrong results. The output and summary.json report the
# problem. For each kind of problem, a good run has no such warning.
program=$1
. "$(dirname "$0")/../support/bad_runs.sh"

# ---- the chains -----------------------------------------------------------
first stuck 'chain 1 accepted 0 of 1,800 proposals at step size 1: try 0.1' <<'E'
  target = target { space = real(1), traced = false, log_density = function(x)
    return x[1] > 100 and 1e6 - 1e9 * (x[1] - 101)^2 or -x[1]^2 / 2 end },
  start = { { 101 }, { 0 }, { 1 }, { -1 } }, arms = { a = walk { step = 1 } }
E
stuck='chain 1 is stuck: all its draws are equal'
grep -qF "$stuck" "$work/said" || fault "not printed: $stuck: $(cat "$work/said")"
grep -qF ':set a.step 0.1), or start the chain elsewhere' "$work/said" || fault "no remedy: $(cat "$work/said")"
first dead '[23] of 4 chains (stopped|failed)' <<'E'
  target = target { space = real(1), traced = false, log_density = function(x)
    return x[1] > 3 and 0 / 0 or -x[1]^2 / 2 end }, strict = true, budget = { steps = 60 },
  start = { { 0 }, { 0.5 }, { -1 }, { -2 } }, arms = { a = walk { step = 1 } }
E
[ "$code" = 1 ] || fault "chains stopped, but the exit code is $code"
first not_finite 'of [0-9,]+ steps met a NaN log density or gradient' <<'E'
  target = target { space = real(1), traced = false, log_density = function(x)
    return x[1] > 1 and 0 / 0 or -x[1]^2 / 2 end }, arms = { a = walk { step = 1 } }
E
first one_place 'all chains start at one place' <<'E'
  target = gaussian { dim = 1 }, start = { 0 }, arms = { a = walk { step = 2 } }
E
first alone 'only one chain: R-hat compares its halves' <<'E'
  target = gaussian { dim = 1 }, chains = 1, arms = { a = walk { step = 2 } }
E
first two_and_two 'R-hat of x.1 is [0-9.]*: the chains do not agree' <<'E'
  target = target { space = real(1), log_density = two_hills },
  start = { { -10 }, { 10 }, { -11 }, { 10.5 } }, arms = { a = walk { step = 1 } }
E

# ---- the target -----------------------------------------------------------
first missed_mode '1 of 2 known modes were never visited, with 0.5 of the mass' <<'E'
  target = target.mixture { means = { { -10 }, { 10 } } },
  start = { { -10 }, { -9 }, { -11 }, { -9.5 } }, arms = { a = walk { step = 1 } }
E
first funnel '[0-9,]+ of [0-9,]+ steps diverged' <<'E'
  target = target { space = real(10), log_density = function(x)
    local sum = -x[1]^2 / 18 - 4.5 * x[1]
    for i = 2, 10 do sum = sum - x[i]^2 / 2 * exp(-x[1]) end
    return sum end }, arms = { a = hmc { step = 0.3, leapfrogs = 10 } }
E
first one_of_500 'R-hat of x.500 is [0-9.]*: the chains do not agree' <<'E'
  target = target { space = real(500), log_density = function(x)
    local sum = -x[500]^2 / 2e6
    for i = 1, 499 do sum = sum - x[i]^2 / 2 end
    return sum end }, arms = { a = hmc { step = 0.3, leapfrogs = 3 } }, budget = { steps = 300 }
E
first cauchy 'the tails of x.1 are heavy' <<'E'
  target = target { space = real(1), log_density = function(x) return -log(1 + x[1]^2) end },
  arms = { a = hmc { step = 1, leapfrogs = 10 } }, budget = { steps = 10000 }
E
first badly_scaled 'accepts 98.[0-9] % at step size 0.5, best near 80 %: .*cs.tuner.acceptance' <<'E'
  target = target { space = real(2), log_density = function(x) return -x[1]^2 / 2 - x[2]^2 / 2e6 end },
  arms = { a = hmc { step = 0.5, leapfrogs = 5 } }
E

# ---- the kernel -----------------------------------------------------------
first unadjusted 'dula has no accept step: its draws have a bias' <<'E'
  target = target.ising { rows = 3, cols = 3, beta = 0.2 }, arms = { a = K.dula { step = 0.5 } }
E
bad learning 'samc.random_walk. learns its weights during the run' <<'E'
  target = gaussian { dim = 2 },
  arms = { a = K.samc { kernel = walk { step = 1 }, first = 2, bins = 5 } }
E
first by_estimate 'austerity accepts by an estimate that may be wrong: its draws have a bias' <<'E'
  target = target.robust_regression {}, arms = { a = K.austerity { batch = 4 } }
E
first windowed 'is not exact with these parameter values: its draws do not cover the whole' <<'E'
  target = gaussian { dim = 2 },
  arms = { a = K.multicanonical { kernel = walk { step = 1 }, first = 2, bins = 5, window = true, learn = 100 } }
E
first refused 'accepts 0.* % at step size 50: try 5 .:set a.step 5., or' <<'E'
  target = gaussian { dim = 5 }, arms = { a = walk { step = 50 } }
E
first tiny 'accepts 9.* % at step size 0.01, best near 34 %: try 0.1' <<'E'
  target = gaussian { dim = 2 }, arms = { a = walk { step = 0.01 } }
E
first tuner_lost 'at step .*, best near .*: try .*, or let the tuner run longer' '--set a.step=1e-12' <<'E'
  target = gaussian { dim = 2 }, arms = { a = { kernel = hmc { step = 1 }, tuner = cs.tuner.acceptance {} } }
E
first period_of_two 'the draws differ from the exact distribution by more than chance .tv 0.9' <<'E'
  target = target { space = cs.binary(6), log_density = function(x) return 0 * x[1] end },
  arms = { a = K { propose = function(x)
    local y = {}
    for i = 1, 6 do y[i] = 1 - x[i] end
    return y end } }
E
first orbit 'trajectories of fixed length return to their start, .*: vary their length .:set a.jitter 0.2' <<'E'
  target = gaussian { dim = 2 }, arms = { a = hmc { step = math.pi / 10, leapfrogs = 20, jitter = 0 } }
E
first still 'accepts 100 % at step size 1e-06' <<'E'
  target = target.max_cut {}, arms = { a = K.dmala { step = 1e-6 } }
E
first lopsided 'x.1 differs from its exact law by more than chance .*: the kernel is wrong' <<'E'
  target = gaussian { dim = 2 }, arms = { a = K { propose = function(x, draw)
    return { x[1] + 0.3 + draw:normal(), x[2] + draw:normal() } end } }
E
first coarse 'x.1 differs from its exact law by more than chance .*: by the bias of its kernel' <<'E'
  target = gaussian { dim = 2 }, arms = { a = K.sgld { rate = 0.8 } }
E
first few_rungs '% of the swaps between temperatures 1 and 1e.04 were accepted: add' <<'E'
  target = target { space = real(10), log_density = function(x)
    local a, b = 0, 0
    for i = 1, 10 do a, b = a - (x[i] + 10)^2 / 2, b - (x[i] - 10)^2 / 2 end
    return cs.math.log_sum_exp { a, b } end },
  arms = { a = K.parallel_tempering { kernel = walk { step = 0.5 }, temperatures = { 1, 10000 } } }
E

# ---- the run --------------------------------------------------------------
first far 'the first quarter of the draws of .* differs from the last' <<'E'
  target = target { space = real(1), log_density = function(x) return -(x[1] - 2000)^2 / 2 end },
  arms = { a = walk { step = 1 } }, budget = { steps = 10000 }
E
first few 'bulk ESS of .*, below 100 per chain: run [0-9.]+ times as long' <<'E'
  target = gaussian { dim = 2 }, arms = { a = hmc { step = 1, leapfrogs = 1 } }, budget = { steps = 40 }
E
first drift 'accepts [0-9.]+ % at step size 1, best near 44 %: try 10' <<'E'
  target = target { space = real(1), log_density = function(x) return -x[1]^2 / 2e6 end },
  start = { { 1000 }, { 1001 }, { 1002 }, { 1003 } }, arms = { a = walk { step = 1 } }
E
first all_warm_up 'no draws: the run ended at step 100, during its warm-up' <<'E'
  target = gaussian { dim = 2 }, budget = { steps = 100 },
  arms = { a = { kernel = hmc { step = 0.5 }, tuner = cs.tuner.acceptance { steps = 500 } } }
E
first all_learning 'no draws: the weights are learned for 5,000 steps' <<'E'
  target = gaussian { dim = 2 }, arms = { a = K.simulated_tempering { kernel = walk { step = 1 } } }
E
bad on_the_way 'csgld has no accept step and learns its weights during the run' <<'E'
  target = gaussian { dim = 1 }, arms = { a = K.csgld { rate = 0.01, first = 0.3, width = 0.3, bins = 10 } }
E
first one_outside 'chain 2 has no draws, others have up to 1800: no results until' <<'E'
  target = gaussian { dim = 1 }, chains = 2, start = { { -1 }, { 9 } },
  arms = { a = K.sgld { rate = 0.001, low = -2, high = 0 } }
E
printf 'run:step(100)\nprint(run:summary())\n' | "$program" repl "$work/far.lua" >"$work/said"
grep -q '100 of the 10,000 steps of the budget were made' "$work/said" ||
    fault "an interrupted run is not reported: $(cat "$work/said")"

# ---- good runs ------------------------------------------------------------
good fine <<'E'
  target = gaussian { dim = 20 }, arms = { a = hmc { step = 0.5, leapfrogs = 3 } }
E
good fine_parameters <<'E'
  target = target { params = { { a = cs.positive() }, { b = cs.positive() } }, view = { 2, 4, 0.5, 1.5 },
    log_density = function(p) return 99 * log(p.a) - 33 * p.a + 99 * log(p.b) - 99 * p.b end },
  start = { { a = 3, b = 1 }, { a = 2, b = 0.9 }, { a = 4, b = 1.1 }, { a = 3, b = 1.2 } },
  arms = { a = hmc { step = 0.06, leapfrogs = 3 } }
E
good fine_spins <<'E'
  target = target.ising { rows = 3, cols = 3, beta = 0.1 }, arms = { a = K.gibbs {} }, budget = { steps = 20000 }
E
# Rare values far away, one in a thousand draws, from a law whose mean and
# variance exist.
good fine_words <<'E'
  target = target { space = cs.categorical(1, 1000), log_density = function(x) return -1.7 * log(1 + x[1]) end },
  arms = { a = K.gibbs {} }, chains = 4
E
good fine_tempering <<'E'
  target = target.mixture { means = { { -3 }, { 3 } } }, budget = { steps = 10000 },
  arms = { a = K.parallel_tempering { kernel = walk { step = 2 } } }
E
# refused NAME REASON: checks that the run is refused before its first step, with
# the message REASON.
refused() {
    more= refuses=yes
    go "$1"
    grep -qE -- "$2" "$work/err" || fault "$1: not refused for $2: $(cat "$work/err")"
}
refused plain_multicanonical 'with learn = 0 and without log_weights' <<'E'
  target = gaussian { dim = 1 },
  arms = { a = K.multicanonical { kernel = walk { step = 1 }, first = 0, width = 1, bins = 9, learn = 0 } }
E
refused power_of_nothing 'zeta = 3e\+06 with 9 bins: theta\^zeta underflows, so update = "power" learns nothing' <<'E'
  target = gaussian { dim = 1 },
  arms = { a = K.csgld { rate = 0.01, first = 0, width = 1, bins = 9, zeta = 3e6, update = "power" } }
E
exit $faults
