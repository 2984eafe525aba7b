#!/bin/sh
# usage: auto.sh PROGRAM
# Tests the printed choice of a scenario without arms: by run, in the summary
# file, and by describe.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

cat >model.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "a model", seed = 4,
  target = cs.target { params = { { k = cs.integer(1, 9) }, { mu = cs.real() } },
    log_density = function(p) return -(p.mu - p.k) ^ 2 - p.k end },
  budget = { steps = 400 } }
END
"$program" run model.lua --out out >run 2>err || fault "run fails: $(cat err)"
"$program" describe model.lua >describe 2>err || fault "describe fails: $(cat err)"
k="auto: gibbs moves k (1 site of 9 values): few values, so the probability of each is computed"
mu="auto: nuts moves mu (1 real coordinate): log p has a gradient"
tuned="auto: the warm-up tunes mu.step and the metric of its member"
for line in "$k" "$mu" "$tuned"; do
    for file in run describe; do
        grep -qxF "  $line" $file || { cat $file; fault "$file does not print '$line'"; }
    done
    grep -qF "\"$line\"" out/summary.json || fault "the summary file is without '$line'"
done
grep -q '^auto (cycle(gibbs+nuts)): ' run || { cat run; fault "no cycle"; }

# A resumed run chooses the same kernels, and continues the same chains.
"$program" run model.lua --out all --steps 600 >err 2>&1 || fault "600 steps fail: $(cat err)"
"$program" run model.lua --out out --resume --steps 600 >err 2>&1 || fault "it does not resume: $(cat err)"
for file in all/*.csv; do
    grep -v '^#' "$file" >one
    grep -v '^#' "out/${file#all/}" >two
    cmp -s one two || fault "the resumed run differs in ${file#all/}"
done

# A member that made no step has no acceptance.
sed 's/seed = 4/seed = 4, warmup = 0, arms = { a = cs.kernel.mixture { cs.kernel.gibbs { on = "k" }, cs.kernel.slice { on = "mu" }, weights = { 1, 1e-12 } } }/' model.lua >rare.lua
"$program" run rare.lua >run 2>err || fault "a mixture fails: $(cat err)"
grep -qx '  member mu (slice): no steps' run || { cat run; fault "a member without steps has an acceptance"; }

# Given arms are not explained.
sed 's/seed = 4/seed = 4, arms = { a = cs.kernel.cycle { cs.kernel.gibbs { on = "k" }, cs.kernel.nuts { on = "mu" } } }/' model.lua >given.lua
"$program" run given.lua >run 2>err || fault "given arms fail: $(cat err)"
grep -q 'auto:' run && fault "a given cycle is explained"
grep -q 'tuned by window_adaptation in 200 steps: mu.step' run || { cat run; fault "a given cycle is not tuned"; }
exit $faults
