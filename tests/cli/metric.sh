#!/bin/sh
# usage: metric.sh PROGRAM SCENARIO
# Tests that plans.lua has the metric learned in the warm-up, to the last bit,
# and that the arms of another run can use this metric. A warm-up that is
# stopped within a window continues as if it had not been stopped.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

for kind in diagonal dense; do
    cat >$kind.lua <<END
local cs = require "chainscope"
return cs.scenario {
  title = "$kind", target = cs.target.gaussian { dim = 3, rho = 0.7 }, chains = 3, seed = 8,
  arms = { a = { kernel = cs.kernel.nuts {},
    tuner = cs.tuner.window_adaptation { steps = 200, metric = "$kind" } } },
  budget = { steps = 260 },
}
END
    "$program" run $kind.lua --out $kind >/dev/null || fault "$kind does not run"
    "$program" run $kind.lua --steps 100 --out part_$kind >/dev/null 2>&1
    "$program" run $kind.lua --out part_$kind --resume >/dev/null || fault "$kind does not resume"
    cmp -s $kind/plans.lua part_$kind/plans.lua || fault "another $kind metric after a resume"
    for c in 1 2 3; do
        grep -v '^#' $kind/a_$c.csv >a; grep -v '^#' part_$kind/a_$c.csv >b
        cmp -s a b || fault "other draws of chain $c after a resume ($kind)"
    done
    cat >other.lua <<END
local cs = require "chainscope"
return cs.scenario { title = "other", target = cs.target.gaussian { dim = 3, rho = 0.7 },
  chains = 2, arms = cs.plans "$kind/plans.lua", budget = { steps = 40 } }
END
    "$program" run other.lua --out other_$kind >/dev/null || fault "the $kind plans do not run"
    # The metric of the arm equals that of the file.
    "$program" repl other.lua >said 2>&1 <<'END'
for _, x in ipairs(run.arms.a:metric()) do for _, y in ipairs(type(x) == "table" and x or { x }) do print(("is %.17g"):format(y)) end end
for _, x in ipairs(run.arms.a:metric().centre) do print(("is %.17g"):format(x)) end
print(("is %.17g"):format(run.arms.a:plan().step))
END
    sed -n 's/.*is \(-*[0-9]\)/\1/p' said >b
    grep '\["a"\]' $kind/plans.lua | sed 's/step = \([^,]*\), .* metric = \(.*\), tuner.*/\2, \1/' |
        sed 's/.*kernel = cs.kernel.nuts {//' | grep -o -e '-*[0-9][0-9.e-]*' | while read -r x; do printf '%.17g\n' "$x"; done >a
    [ "$(wc -l <a)" -ge 7 ] || fault "no $kind metric in the plans"
    cmp -s a b || fault "another $kind metric from the plans: $(cat a said)"
done
grep -q ', metric = { [0-9.e-]*, [0-9.e-]*, [0-9.e-]*, centre = { [0-9.e-]*, [0-9.e-]*, [0-9.e-]* } }, tuner = false }' diagonal/plans.lua ||
    fault "no variances: $(cat diagonal/plans.lua)"
grep -q ', metric = { { .* }, { .* }, { .* }, centre = { .* } }, tuner = false }' dense/plans.lua ||
    fault "no matrix: $(cat dense/plans.lua)"

# Tests a given centre, and a centre learned for a kernel without a step size.
cat >about.lua <<END
local cs = require "chainscope"
return cs.scenario { title = "about", target = cs.target.gaussian { dim = 2 }, seed = 1, chains = 4,
  arms = { given = { kernel = cs.kernel.independence { tail = 5 }, metric = { 1, 4, centre = { 0, -0.5 } } },
    learned = { kernel = cs.kernel.independence { tail = 5 }, tuner = cs.tuner.adaptive_metropolis { steps = 200 } } },
  budget = { steps = 300 } }
END
"$program" run about.lua --out about >/dev/null || fault "independence does not run about a centre"
grep -q '"given".*metric = { 1, 4, centre = { 0, -0.5 } }' about/plans.lua || fault "no centre: $(cat about/plans.lua)"
grep -q '"learned".*metric = { .*, centre = { .* } }' about/plans.lua || fault "none learned: $(cat about/plans.lua)"
for bad in '{ 0 }' '{ 0, "a" }' '{ 0, 0 / 0 }' 3; do
    sed "s|{ 0, -0.5 }|$bad|" about.lua >bad.lua
    "$program" run bad.lua --out bad >said 2>&1 && fault "accepted: centre = $bad"
    grep -q 'centre' said || fault "centre = $bad: $(cat said)"
done

# The default tuner of nuts depends on the budget of the scenario. The run also
# continues if the budget is changed.
cat >brought.lua <<END
local cs = require "chainscope"
return cs.scenario { title = "brought", target = cs.target.gaussian { dim = 2 },
  arms = { a = cs.kernel.nuts {} }, budget = { steps = 100 }, seed = 1 }
END
"$program" run brought.lua --out brought >/dev/null || fault "nuts does not run"
"$program" run brought.lua --out brought --steps 3000 --resume >said || fault "nuts does not resume: $(cat said)"
grep -q 'tuned by window_adaptation in 50 steps' said || fault "another warm-up: $(cat said)"
exit $faults
