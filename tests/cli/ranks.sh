#!/bin/sh
# usage: ranks.sh PROGRAM SCENARIO
# Ranks of MPI make the run that one process makes: its draws, its summary, its
# journal, whichever chains meet whichever way. A rank that is killed ends all,
# and the run goes on, on as many ranks as there are then, or without MPI.
# CHAINSCOPE_RANKS=all: killed 20 times instead of four.
program=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
faults=0
fault() { echo "$*"; faults=1; }
draws() { grep -a -v -e Elapsed -e Sampling -e Total "$1"; }
# More ranks than processors, by root where CI is root, in a container.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_plm_rsh_agent= OMPI_MCA_hwloc_base_binding_policy=none
# ranks N ARG ...: the program on N ranks.
ranks() {
    of=$1
    shift
    timeout 300 mpirun -n "$of" "$program" "$@"
}

# Replica exchange, learned temperatures, an ensemble, tuners; arms whole and cut.
cat >plain.lua <<'EOF'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 5, seed = 3, budget = { steps = 600 },
  target = cs.target.mixture { means = { { -4, 0 }, { 4, 1 } } },
  arms = { walk = cs.kernel.random_walk { step = 2 },
           tempered = cs.kernel.parallel_tempering { kernel = cs.kernel.mala { step = 2 }, rungs = 3 },
           simulated = cs.kernel.simulated_tempering { kernel = cs.kernel.random_walk { step = 2 }, learn = 300 },
           ensemble = { kernel = cs.kernel.stretch {}, chains = 6 },
           tuned = { kernel = cs.kernel.random_walk { step = 2 },
                     tuner = cs.tuner.acceptance { parameter = "step", acceptance = 0.4, steps = 100 } },
           mala = { kernel = cs.kernel.mala { step = cs.schedule.cosine { max = 2, min = 1, period = 20 } }, chains = 9 } },
  claims = { { arm = "walk", stat = "acceptance", at_least = 0.1 } },
}
EOF
# Pooled adaptation: steps and metrics of all chains.
cat >pooled.lua <<'EOF'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 5, seed = 2, budget = { steps = 260 }, warmup = 200,
  target = cs.target.gaussian { dim = 6, rho = 0.8 },
  arms = { nuts = cs.kernel.nuts {},
           dense = { kernel = cs.kernel.hmc { leapfrogs = 5, step = 0.1 },
                     tuner = cs.tuner.window_adaptation { metric = "dense", steps = 200 } },
           haario = { kernel = cs.kernel.random_walk { step = 0.5 },
                      tuner = cs.tuner.adaptive_metropolis { steps = 150 } } },
}
EOF
# Weights that chains learn together; gradients of batches; noisy swaps.
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
# Chains stop, some in the warm-up; work is the budget; a target in Lua.
cat >stops.lua <<'EOF'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 6, budget = { steps = 700 }, warmup = 60, strict = true,
  target = cs.target { space = cs.real(2), traced = false, log_density = function(x)
    if x[1] > 5 then return 0 / 0 end
    return -0.5 * (x[1]^2 + x[2]^2)
  end },
  arms = { plain = cs.kernel.random_walk { step = 2 }, small = cs.kernel.random_walk { step = 0.5 } },
}
EOF
cat >work.lua <<'EOF'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 4, budget = { gradients = 3000 },
  target = cs.target.gaussian { dim = 2 },
  arms = { a = cs.kernel.hmc { step = 0.5 }, b = cs.kernel.mala { step = 0.5 },
           t = cs.kernel.parallel_tempering { kernel = cs.kernel.mala { step = 1 }, rungs = 2 } },
}
EOF
# What looks at all chains on the way is moved by the first rank.
cat >setup.lua <<'EOF'
local cs = require "chainscope"
print("hello")
return cs.scenario { title = "t", chains = 3, budget = { steps = 300 },
  target = cs.target.gaussian { dim = 2 }, arms = { a = cs.kernel.random_walk { step = 1 } },
  setup = function(run) run:at(250, function(r) r:arm("a"):set("step", 2) end) end,
}
EOF

# same NAME: the folders `whole` and `ranked` are alike, and so is what was said.
same() {
    cmp said_whole said_ranked || fault "$1: another summary is shown"
    [ "$(ls whole)" = "$(ls ranked)" ] || fault "$1: files are $(ls ranked)"
    for file in whole/*; do
        other=ranked/${file#*/}
        case $file in
        *checkpoint) continue ;;
        *.csv)
            draws "$file" >one
            draws "$other" >two
            cmp -s one two || fault "$1: $other differs"
            ;;
        *) cmp "$file" "$other" || fault "$1: $other differs" ;;
        esac
    done
}
# on_ranks FILE "N ..." [OPTION ...]
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
        same "$scenario, $n ranks $*"
    done
}
on_ranks plain.lua "1 2 4"
grep -q '4 ranks move 45 chains, 11 to 12 each' err || fault "it is not said who moves what: $(cat err)"
grep -q 'numbers a step between 4 ranks (.*exchanges' err || fault "words are not counted: $(cat err)"
on_ranks pooled.lua "2 4"
on_ranks weights.lua "2 4"
on_ranks rows.lua 3
on_ranks learns.lua 3
on_ranks stops.lua 3
on_ranks work.lua 3
on_ranks setup.lua 2
grep -q 'the first moves all chains, since its setup may look' err || fault "what is not split is not said: $(cat err)"
on_ranks plain.lua 2 --save-warmup --thin 3
[ "$(grep -c hello said_ranked)" -le 1 ] || fault "a script prints once for each rank"

# Without files: the summary alone.
"$program" run weights.lua >said_whole
ranks 2 run weights.lua >said_ranked 2>err || fault "without --out: $(cat err)"
cmp said_whole said_ranked || fault "without --out: another summary"

# On another number of ranks, and on none.
rm -rf whole ranked
"$program" run plain.lua --out whole --workers 1 --steps 200 >said
"$program" run plain.lua --out whole --workers 1 --steps 400 --resume >said
"$program" run plain.lua --out whole --workers 1 --resume >said_whole
ranks 3 run plain.lua --out ranked --workers 1 --steps 200 >said 2>err || fault "3 ranks: $(cat err)"
"$program" run plain.lua --out ranked --workers 1 --steps 400 --resume >said 2>err || fault "without MPI: $(cat err)"
ranks 2 run plain.lua --out ranked --workers 1 --resume >said_ranked 2>err || fault "2 ranks: $(cat err)"
same "gone on with"

# ---- killed ------------------------------------------------------------------
# The processes of this run's ranks, in any order: fronts and sessions.
processes() { pgrep -f "$program run long.lua --out ranked" | grep -v -x "$mpirun"; }
rm -rf whole ranked
sed 's/steps = 600/steps = 20000/' plain.lua >long.lua
"$program" run long.lua --out whole --workers 1 >said_whole || fault "it does not run"
times=4
[ "$CHAINSCOPE_RANKS" = all ] && times=20
k=0
while [ $k -lt $times ]; do
    k=$((k + 1))
    resume=
    [ -e ranked/checkpoint ] && resume=--resume
    mpirun -n 3 "$program" run long.lua --out ranked --workers 1 $resume >said 2>err &
    mpirun=$!
    sleep "1.$(od -An -N2 -tu2 /dev/urandom | tr -d ' ')"
    victim=$(processes | shuf -n 1)
    [ -n "$victim" ] && kill -9 "$victim" 2>kill_err
    wait $mpirun && [ -n "$victim" ] && [ ! -e ranked/summary.json ] && fault "a killed rank does not end the run"
    for i in 1 2 3 4 5 6 7 8 9 10; do
        [ -z "$(processes)" ] && break
        sleep 0.5
    done
    [ -z "$(processes)" ] || fault "ranks go on after one was killed"
done
[ -e ranked/checkpoint ] || fault "nothing is kept of a killed run"
ranks 2 run long.lua --out ranked --workers 1 --resume >said_ranked 2>err || fault "a killed run does not go on: $(cat err)"
same "killed"

# ---- what is refused ---------------------------------------------------------
# refused TEXT ARG ...: all end, once is said why.
refused() {
    text=$1
    shift
    ranks 2 run "$@" >said 2>err && fault "$*: taken"
    [ "$(grep -c -- "$text" err)" -eq 1 ] || fault "$*: $(cat err)"
}
refused 'whole holds a run already' plain.lua --out whole
refused 'a journal is replayed by one process' plain.lua --out new --replay whole/journal.txt
refused 'there is no file' nowhere.lua
echo 'return 1 +' >bad.lua
refused 'bad.lua' bad.lua
# An error of a script that only another rank than the first meets.
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
