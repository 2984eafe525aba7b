#!/bin/sh
# usage: inputs.sh PROGRAM
# Tests small inputs that earlier versions read wrongly, or for which they gave
# a wrong figure, against independently computed values: graphs, schedules,
# effective sample sizes, verdicts, names.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1
run() { "$program" run "$@" >out 2>err || fault "$1: $(cat err)"; }
# mean NAME LOW HIGH: checks that the mean in a row of the summary is in this
# range.
mean() {
    awk -v name="$1" -v low="$2" -v high="$3" '$1 == name { found = $2 >= low && $2 <= high } END { exit !found }' out ||
        fault "$1 is not in $2 to $3: $(cat out)"
}
scenario() { printf 'local cs = require "chainscope"\nreturn cs.scenario { title = "t", seed = 1, chains = 4, %s }\n' "$2" >"$1.lua"; }

# A cycle of four vertices lists its edges in both directions with weights of 1.
# By summing over the 16 cuts, the mean of log p is 3.0727; with weights of 2 it
# would be 7.6017.
printf 'p edge 4 8\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 3 4\ne 4 3\ne 4 1\ne 1 4\n' >both.col
scenario both 'target = cs.target.max_cut { file = "both.col" }, arms = { g = cs.kernel.gibbs {} }, budget = { steps = 20000 }'
run both.lua
mean lp__ 3.02 3.12

# "1 1 2" gives the first of three spins a field, so P(up) = 0.98201.
printf '3 3\n1 1 2\n1 2 0.5\n2 3 0.5\n' >field.txt
scenario field 'target = cs.target.ising { file = "field.txt", beta = 1 }, arms = { g = cs.kernel.gibbs {} }, budget = { steps = 20000 }'
run field.lua
mean x.1 0.978 0.986

# A schedule counts the steps of a chain from the chain's first step. The end of
# the warm-up does not reset this count.
cat >anneal.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "t", target = cs.target.gaussian { dim = 1 }, chains = 16, seed = 6, start = { 0 },
  arms = { a = cs.kernel.sgld { rate = 0.05, temperature = cs.schedule.decay { from = 10, factor = 0.5, every = 200 } } },
  setup = function(run) run:at(1990, function()
    local s = 0
    for c = 1, 16 do s = s + run:arm("a"):chain(c):state()[1]^2 end
    print("at the end", s) end) end,
  budget = { steps = 2000 } }
END
for warmup in 0 100 1000; do run anneal.lua --warmup $warmup && grep 'at the end' out; done >ends
[ "$(sort -u ends | wc -l)" = 1 ] && [ "$(wc -l <ends)" = 3 ] || fault "a warm-up changes the schedule: $(cat ends)"

# Figures of generated quantities use all draws, like those of parameters. Hence
# ESS grows with the run.
cat >shown.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 4, seed = 4, target = cs.target { params = { x = cs.real(2) },
    log_density = function(p) return cs.lpdf.normal(p.x, 0, 1) end,
    generated = function(p) return { twice = 2 * p.x } end },
  arms = { walk = cs.kernel.random_walk { step = 1 } } }
END
for steps in 10000 80000; do
    run shown.lua --steps $steps
    awk '$1 == "x.1" { a = $6 } $1 == "twice.1" { b = $6 } END { print b; exit !(a > 0 && b / a > 0.999 && b / a < 1.001) }' out >ess$steps ||
        fault "a generated quantity uses other draws: $(cat out)"
done
awk 'NR == 1 { a = $1 } END { exit !($1 / a > 6 && $1 / a < 10) }' ess10000 ess80000 ||
    fault "eight times the steps, $(cat ess10000 ess80000) effective draws"

# The view does not change a verdict, although its grid is coarse compared with
# the width of the mass.
cat >view.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "t", seed = 1, target = cs.target { view = { -20, 20, -20, 20 }, space = cs.real(2),
    log_density = function(x) return -50 * (x[1] - 0.3)^2 - 50 * (x[2] + 0.2)^2 end },
  arms = { nuts = cs.kernel.nuts {} }, budget = { steps = 5000 } }
END
run view.lua
grep -q 'exact law' out && fault "a view changes the verdict on a correct kernel: $(cat out)"

# At a quarter of the random starts the gradient is too steep to follow. These
# starts are drawn again, like starts without a density, and do not affect the
# common step size.
scenario steep 'target = cs.target { space = cs.real(2), log_density = function(x)
    return -0.5 * (x[1]^2 + x[2]^2) - cs.math.where(cs.math.lt(1, x[1]), 1e30 * (x[1] - 1)^2, 0) end },
  arms = { nuts = cs.kernel.nuts {} }, budget = { steps = 1000 }'
sed -i 's/chains = 4/chains = 12/' steep.lua
run steep.lua
grep -q 'chain [0-9]* is stuck\|max_depth\|step 1e-12' out && fault "a steep start affects the other chains: $(cat out)"
mean x.2 -0.2 0.2

# Two names of an arm's quantities that differ only after the 63rd character
# remain distinct.
mkdir long
a=population_level_effect_of_treatment_on_the_outcome_in_the_group_a
b=population_level_effect_of_treatment_on_the_outcome_in_the_group_b
{ printf '# model = toy\nlp__,%s,%s\n' $a $b; awk 'BEGIN { for (i = 0; i < 100; i++) print "-1," i % 7 "," i % 11 }'; } >long/toy-1.csv
printf 'run:step(90)\n:summary\n' | "$program" repl long >out 2>err
[ "$(grep -o 'population[a-z_.]*group_[ab] ' out | sort -u | wc -l)" = 2 ] || fault "two names were merged: $(cat out)"

# Messages show numbers as the user wrote them.
scenario reach 'target = cs.target.ising { rows = 2, cols = 2 }, arms = { g = cs.kernel.random_walk { radius = 1000000001 } }, budget = { steps = 10 }'
"$program" run reach.lua >out 2>err && fault "a value out of range is accepted"
grep -q 'radius = 1000000001 is out of range: use a value from 1 to 1e+09' err || fault "$(cat err)"
exit $faults
