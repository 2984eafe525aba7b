#!/bin/sh
# usage: good_runs.sh PROGRAM
# Tests good runs of eight kinds with 25 seeds each (GOOD_SEEDS=25; fewer by
# default). At most one run in a hundred has a warning above the level of a
# note.
program=$1
. "$(dirname "$0")/../support/bad_runs.sh"
seeds=${GOOD_SEEDS:-2}

# kind NAME: reads the scenario from stdin, without its seed.
kind() {
    { echo 'local cs = require "chainscope"
local K, target, real, log, exp = cs.kernel, cs.target, cs.real, cs.math.log, cs.math.exp
return cs.scenario { title = "good", seed = 1,'
      cat; echo '}'; } >"$work/$1.lua"
    seed=0
    while [ $((seed += 1)) -le $seeds ]; do
        runs=$((runs + 1))
        "$program" run "$work/$1.lua" --workers 1 --seed $seed --strict >"$work/said" 2>"$work/err"
        code=$?
        [ $code = 0 ] && continue
        [ $code = 3 ] || fault "$1: exit $code: $(cat "$work/err")"
        alarms=$((alarms + 1))
        echo "$1 $seed: $(grep -A20 '  lp__' "$work/said" | grep -E '^  [^ ].* .* [a-z]+ ' | tail -3) $(cat "$work/err")"
    done
}
runs=0 alarms=0
kind walk <<'E'
  target = target.gaussian { dim = 3 }, budget = { steps = 20000 }, arms = { a = K.random_walk { step = 1.2 } }
E
kind hmc <<'E'
  target = target.gaussian { dim = 20 }, budget = { steps = 2000 }, arms = { a = K.hmc { step = 0.5, leapfrogs = 3 } }
E
kind nuts <<'E'
  target = target { params = { { mu = real(1) }, { tau = cs.positive() }, { z = real(8) } }, log_density = function(p)
    local y, s = { 28, 8, -3, 7, -1, 1, 18, 12 }, { 15, 10, 16, 11, 9, 11, 10, 18 }
    local sum = cs.lpdf.normal(p.mu[1], 0, 5) - log(1 + (p.tau / 5)^2)
    for i = 1, 8 do sum = sum - p.z[i]^2 / 2 + cs.lpdf.normal(y[i], p.mu[1] + p.tau * p.z[i], s[i]) end
    return sum end }, budget = { steps = 4000 },
  arms = { a = { kernel = K.nuts {}, tuner = cs.tuner.window_adaptation { acceptance = 0.98 } } }
E
kind banana <<'E'
  target = target { space = real(2), log_density = function(x)
    return -x[1]^2 / 2 - (x[2] - x[1]^2 / 2)^2 / 2 end }, budget = { steps = 6000 },
  arms = { a = { kernel = K.nuts {}, tuner = cs.tuner.window_adaptation { acceptance = 0.98 } } }
E
kind ising <<'E'
  target = target.ising { rows = 4, cols = 4, beta = 0.2 }, budget = { steps = 10000 }, arms = { a = K.gibbs {} }
E
kind dmala <<'E'
  target = target.ising { rows = 4, cols = 4, beta = 0.2 }, budget = { steps = 10000 }, arms = { a = K.dmala { step = 0.8 } }
E
kind tempering <<'E'
  target = target.mixture { means = { { -3 }, { 3 } } }, budget = { steps = 10000 },
  arms = { a = K.parallel_tempering { kernel = K.random_walk { step = 2 } } }
E
kind mixture <<'E'
  target = target.mixture { means = { { -1.5, 0 }, { 1.5, 0 } } }, budget = { steps = 10000 }, arms = { a = K.random_walk { step = 2 } }
E
echo "$alarms of $runs good runs have a warning"
[ $((alarms * 100)) -le $runs ] || fault "more than one run in a hundred has a warning"
exit $faults
