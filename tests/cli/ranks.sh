#!/bin/sh
# usage: ranks.sh PROGRAM SCENARIO
# Tests that MPI ranks give the same run as a single process: the same draws,
# summary and journal, for every way in which chains interact. If a rank is
# killed, all ranks end. The run can be resumed with any number of ranks, or
# without MPI.
# CHAINSCOPE_RANKS=all tests more numbers of ranks, and kills ranks 20 times
# instead of twice.
. "$(dirname "$0")/../support/runs.sh"

# Chains adapt their step sizes and metrics together.
cat >pooled.lua <<'EOF'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 5, seed = 2, budget = { steps = 260 }, warmup = 200,
  target = cs.target.gaussian { dim = 6, rho = 0.8 },
  arms = { nuts = cs.kernel.nuts {},
           dense = { kernel = cs.kernel.hmc { leapfrogs = 5, step = 0.1 },
                     tuner = cs.tuner.window_adaptation { metric = "dense", steps = 200 } },
           parts = { kernel = cs.kernel.cycle { cs.kernel.nuts { on = { 1, 2, 3 }, name = "a" },
                       cs.kernel.mala { on = { 4, 5, 6 }, name = "b", times = 2 } },
                     tuner = cs.tuner.acceptance { steps = 100 } },
           windows = { kernel = cs.kernel.mixture { cs.kernel.nuts { on = { 1, 2, 3 }, name = "a" },
                         cs.kernel.hmc { on = { 4, 5, 6 }, name = "b" } },
                       tuner = cs.tuner.window_adaptation { steps = 200 } },
           mixed = cs.kernel.mixture { cs.kernel.slice { on = { 1, 2, 3, 4 }, name = "a" },
                     cs.kernel.random_walk { on = { 5, 6 }, name = "b" } },
           haario = { kernel = cs.kernel.random_walk { step = 0.5 },
                      tuner = cs.tuner.adaptive_metropolis { steps = 150 } } },
}
EOF
# Chains learn weights together, use gradients from batches, or make noisy swaps.
cat >weights.lua <<'EOF'
local cs = require "chainscope"
local m = { means = { { -4, 0 }, { 4, 1 } } }
return cs.scenario { title = "t", chains = 4, seed = 5, budget = { steps = 700 }, warmup = 0,
  target = cs.target.mixture(m),
  arms = { shared = cs.kernel.csgld { rate = 0.1, first = 2, width = 0.5, bins = 20, gain = 0.05, share = 1 },
           seldom = cs.kernel.csgld { rate = 0.1, first = 2, width = 0.5, bins = 20, gain = 0.05, share = 50 },
           samc = cs.kernel.samc { kernel = cs.kernel.random_walk { step = 1 }, first = 2, width = 1, bins = 12, share = 10 },
           flat = cs.kernel.wang_landau { kernel = cs.kernel.random_walk { step = 1 }, first = 2, width = 1, bins = 12 },
           swaps = cs.kernel.replica_exchange_sgld { rate = 0.05, rungs = 3, energy_noise = 1 },
           sgld = { kernel = cs.kernel.sgld { rate = 0.05 }, chains = 7 } },
}
EOF
cat >rows.lua <<'EOF'
local cs = require "chainscope"
local rows = {}
for i = 1, 200 do rows[i] = { math.sin(i), i % 3 == 0 and 1 or 0 } end
return cs.scenario { title = "t", chains = 5, budget = { steps = 400 },
  target = cs.target.logistic_regression { table = rows },
  arms = { sgld = cs.kernel.sgld { rate = 0.001, batch = 10 }, mala = cs.kernel.mala { step = 0.1 } },
}
EOF
# A target that learns from its chains.
cat >learns.lua <<'EOF'
local cs = require "chainscope"
local rows = {}
for i = 1, 40 do
  rows[i] = {}
  for d = 1, 9 do rows[i][d] = (i * d + d) % 3 == 0 and 1 or 0 end
end
return cs.scenario { title = "t", chains = 6, seed = 2, budget = { steps = 200 },
  target = cs.target.rbm { visible = 9, hidden = 4 },
  arms = { gibbs = { kernel = cs.kernel.gibbs {},
             learn = { data = rows, updates = 60, batch = 10, steps = 2, optimiser = cs.optimiser.adam { rate = 0.01 } } },
           moved = { kernel = cs.kernel.gibbs {},
             learn = { data = rows, updates = 40, batch = 6, chains = "data", optimiser = cs.optimiser.adam { rate = 0.01 } } } },
}
EOF
# on_ranks FILE "N ..." [OPTION ...]: compares runs on N ranks with a single
# process.
on_ranks() {
    scenario=$1 numbers=$2
    shift 2
    rm -rf whole
    "$program" run $scenario --out whole --workers 1 "$@" >said_whole 2>err
    status=$?
    [ -e whole/summary.json ] || fault "$scenario: $(cat err)"
    for n in $numbers; do
        rm -rf ranked
        ranks $n run $scenario --out ranked --workers 1 "$@" >said_ranked 2>err
        code=$?
        [ $code -eq $status ] || fault "$scenario, $n ranks: status $code instead of $status: $(cat err)"
        same "$scenario, $n ranks $*" ranked
    done
}
# few N ALL: prints the numbers of ranks N, or ALL if CHAINSCOPE_RANKS=all.
few() { [ "$CHAINSCOPE_RANKS" = all ] && echo "$2" || echo "$1"; }
on_ranks plain.lua "$(few 4 "1 2 3 4")"
grep -q '4 ranks move 50 chains, 12 to 13 each' err || fault "the distribution of chains is not reported: $(cat err)"
grep -q 'numbers per step between 4 ranks (.*exchanges' err || fault "the amount of data is not reported: $(cat err)"
on_ranks pooled.lua "$(few 2 "2 4")" --save-warmup --thin 3
on_ranks weights.lua "$(few 2 "2 4")"
on_ranks rows.lua "$(few 2 "2 3 4")"
on_ranks learns.lua "$(few 2 "2 3 4")"
on_ranks stops.lua "$(few 3 "2 3 4")"
on_ranks work.lua "$(few 2 "2 3 4")"
on_ranks setup.lua 2
grep -q 'the first moves all chains, since its setup may read all chains' err || fault "no message about an arm that is not split: $(cat err)"
[ "$(grep -c hello said_ranked)" -le 1 ] || fault "a script prints once for each rank"

# Without files, only the summaries are compared.
"$program" run work.lua >said_whole
ranks 2 run work.lua >said_ranked 2>err || fault "without --out: $(cat err)"
cmp said_whole said_ranked || fault "without --out: the summary differs"

# If other processes use the processors, synchronising takes longer, but this
# does not make it more frequent.
cat >light.lua <<'EOF'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 8, budget = { steps = 10000 },
  target = cs.target.gaussian { dim = 2 }, arms = { walk = cs.kernel.random_walk { step = 1 } } }
EOF
others=
for i in 1 2; do
    while :; do :; done &
    others="$others $!"
done
ranks 2 run light.lua >said_ranked 2>err
# shellcheck disable=SC2086
kill $others
words=$(sed -n 's/.*(steps \([0-9.]*\).*/\1/p' err)
[ -n "$words" ] && [ "$(echo "$words" | awk '{ print $1 < 0.05 }')" -eq 1 ] ||
    fault "ranks synchronise too often on a loaded machine: $(cat err)"

# An mpirun that gets little CPU time, as on a loaded machine, notices late that
# the ranks have ended normally. The run does not fail because of this.
mpirun -n 2 "$program" run work.lua --out late --workers 1 >said_ranked 2>err &
mpirun=$!
while [ ! -e late/checkpoint ] && kill -0 $mpirun 2>kill_err; do sleep 0.02; done
turns=0
while [ $turns -lt 15 ] && kill -STOP $mpirun 2>kill_err; do
    sleep 3
    kill -CONT $mpirun
    sleep 0.03
    turns=$((turns + 1))
done
wait $mpirun || fault "a slow mpirun: $(cat err)"

# Runs are resumed with another number of ranks, and without MPI.
rm -rf whole ranked
"$program" run plain.lua --out whole --workers 1 --steps 200 >said
"$program" run plain.lua --out whole --workers 1 --steps 400 --resume >said
"$program" run plain.lua --out whole --workers 1 --resume >said_whole
ranks 3 run plain.lua --out ranked --workers 1 --steps 200 >said 2>err || fault "3 ranks: $(cat err)"
"$program" run plain.lua --out ranked --workers 1 --steps 400 --resume >said 2>err || fault "without MPI: $(cat err)"
ranks 2 run plain.lua --out ranked --workers 1 --resume >said_ranked 2>err || fault "2 ranks: $(cat err)"
same "gone on with" ranked

# ---- killed -------------------------------------------------------------------
# Prints the processes of this run's ranks, in any order: fronts and sessions.
processes() { pgrep -f "$program run long.lua --out ranked" | grep -v -x "$mpirun"; }
# Waits until processes and a checkpoint exist, or mpirun has ended.
wait_for_ranks() {
    while kill -0 $mpirun 2>kill_err && { [ -z "$(processes)" ] || [ ! -e ranked/checkpoint ]; }; do
        sleep 0.05
    done
}
rm -rf whole ranked
sed 's/steps = 600/steps = 6000/' plain.lua >long.lua
"$program" run long.lua --out whole --workers 1 >said_whole || fault "it does not run"
times=$(few 2 20)
k=0
while [ $k -lt $times ]; do
    k=$((k + 1))
    resume=
    [ -e ranked/checkpoint ] && resume=--resume
    mpirun -n 3 "$program" run long.lua --out ranked --workers 1 $resume >said 2>err &
    mpirun=$!
    wait_for_ranks
    sleep "0.$(printf %03d "$(below 400)")"
    victim=$(processes | shuf -n 1)
    [ -n "$victim" ] && kill -9 "$victim" 2>kill_err
    # Open MPI may wait for ever at its end, in PMIx_server_finalize.
    (sleep 60 && kill -9 $mpirun) >kill_err 2>&1 &
    guard=$!
    wait $mpirun && [ -n "$victim" ] && [ ! -e ranked/summary.json ] && fault "a killed rank does not end the run"
    pkill -P $guard
    kill $guard 2>kill_err
    # A rank that loses mpirun waits some seconds. Searching all processes is
    # slow.
    for i in $(seq 32); do
        [ -z "$(processes)" ] && break
        sleep 0.5
    done
    [ -z "$(processes)" ] || fault "ranks continue after one was killed"
done
[ -e ranked/checkpoint ] || fault "no checkpoint of a killed run"
ranks 2 run long.lua --out ranked --workers 1 --resume >said_ranked 2>err || fault "a killed run does not resume: $(cat err)"
same "killed" ranked

# ---- refused runs -------------------------------------------------------------
# refused TEXT ARG ...: checks that all ranks end, and that the message TEXT is
# printed only once.
refused() {
    text=$1
    shift
    ranks 2 run "$@" >said 2>err && fault "$*: accepted"
    [ "$(grep -c -- "$text" err)" -eq 1 ] || fault "$*: $(cat err)"
}
refused 'whole already contains a run' plain.lua --out whole
refused '--replay cannot run under mpirun' plain.lua --out new --replay whole/journal.txt
refused 'there is no file' nowhere.lua
echo 'return 1 +' >bad.lua
refused 'bad.lua' bad.lua
# A script has an error only on a rank other than the first.
cat >error.lua <<'EOF'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 4, budget = { steps = 300 }, start = { { 0 }, { 0 }, { 0 }, { 9 } },
  target = cs.target { space = cs.real(1), traced = false, log_density = function(x)
    if x[1] > 9.5 then error("too far") end
    return -0.5 * math.abs(x[1])
  end },
  arms = { a = cs.kernel.random_walk { step = 1 } },
}
EOF
refused 'rank 2 of 2: .*too far' error.lua --out error
exit $faults
