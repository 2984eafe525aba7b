#!/bin/sh
# usage: nan.sh PROGRAM
# Tests a density that becomes NaN. Proposals with NaN are rejected, counted and
# reported. With strict = true, or if the density is infinite, the chain stops.
# The message names the chain, the step and the point, the chain's file ends
# there, the other chains continue, and the exit code reports the failure.
# Divergences are reported in the same way.
. "$(dirname "$0")/../support/begin.sh"

scenario() { # DENSITY FIELDS: writes a scenario with this log density
    cat >"$work/nan.lua" <<END
local cs = require "chainscope"
return cs.scenario {
  title = "NaN", shows = "where a density breaks", chains = 4, seed = 1, $2
  target = cs.target { space = cs.real(1), traced = false,
    log_density = function(x) return $1 end },
  arms = { a = cs.kernel.random_walk { step = 1 } }, budget = { steps = 2000 }, warmup = 0,
}
END
}
hole() { echo "x[1] > $1 and 0/0 or -0.5 * x[1]^2"; }
# thousands N: prints N with thousands separators.
thousands() { echo "$1" | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta'; }
rows() { grep -c '^[^#l]' "$1"; }

scenario "$(hole 1.5)" 'screen = { "acceptance", "summary" },'
"$program" run "$work/nan.lua" --out "$work/refused" >"$work/out" 2>"$work/err" ||
    fault "a NaN at a proposal ends the run"
n=$(sed -n 's/.*"not_finite": \([0-9]*\),.*/\1/p' "$work/refused/summary.json")
[ "${n:-0}" -gt 100 ] || fault "summary.json counts ${n:-no} rejections"
grep -q "$(thousands "$n") of 8,000 steps met a NaN log density or gradient and were rejected" "$work/out" ||
    fault "the summary does not report rejections"
grep -q 'strict = true' "$work/out" || fault "no remedy"
for chain in 1 2 3 4; do
    [ "$(rows "$work/refused/a_$chain.csv")" = 2000 ] || fault "draws are lost"
done
"$program" shot "$work/nan.lua" --steps 2000 --size 120x40 >"$work/shot"
grep -q "$n not finite" "$work/shot" || fault "the screen does not count rejections"
# The first key starts the run, and the next one continues it.
"$program" shot "$work/nan.lua" --steps 0 --size 120x40 --keys '<space>' >"$work/shot"
grep -q 'space rejects the proposal' "$work/shot" || fault "the run was not paused"
"$program" shot "$work/nan.lua" --steps 0 --size 120x40 --keys '<space><space>' >"$work/shot"
grep -q 'done  step 2,000$' "$work/shot" || fault "the run does not continue"

scenario "$(hole 3)" "strict = true,"
"$program" run "$work/nan.lua" --out "$work/all" >"$work/out" 2>"$work/err"
code=$?
[ $code = 1 ] || fault "exit code $code although all chains failed"
for chain in 1 2 3 4; do
    grep -q "NaN in chain $chain of arm a at step [0-9]*, x = (.*), proposal ([34]\." "$work/err" ||
        fault "not reported: chain $chain"
    step=$(sed -n "s/.*NaN in chain $chain of arm a at step \([0-9]*\),.*/\1/p" "$work/err")
    [ "$(rows "$work/all/a_$chain.csv")" = $((step - 1)) ] ||
        fault "chain $chain stopped at step $step and has $(rows "$work/all/a_$chain.csv") draws"
    grep -q "^# stopped at step $step: log density is NaN at the proposal (" "$work/all/a_$chain.csv" ||
        fault "its file does not report the failure"
    grep -q "chain $chain at step $step: log density is NaN" "$work/out" ||
        fault "the summary does not give the reason"
    grep -q "{\"chain\": $chain, \"step\": $step, \"why\": \"log density is NaN" "$work/all/summary.json" ||
        fault "summary.json does not report the failure"
done
grep -q 'all chains have stopped' "$work/err" || fault "no message about the end"
grep -q '4 of 4 chains stopped' "$work/err" || fault "failed chains are not counted"
grep -q 'the draws so far are in' "$work/err" || fault "the folder of the draws is not printed"
grep -q 'resume' "$work/err" && fault "failed chains are reported as running"

# The state displayed for the chain is its state at the step at which it
# stopped.
cat >"$work/look" <<'END'
run:step(2000)
for c = 1, 4 do
  local chain = run:arm("a"):chain(c)
  local i = chain:info()
  assert(i.failed and not i.accepted and i.log_accept ~= i.log_accept)
  assert(i.proposal[1] > 3 and chain:state()[1] <= 3)
  assert(#chain:draws() == chain:tally().steps)
end
assert(cs.figure(run, "a", "failed") == 4)
print "looked"
END
"$program" repl "$work/nan.lua" <"$work/look" 2>&1 | grep -q looked ||
    fault "the reason of a failed chain is not shown"
"$program" shot "$work/nan.lua" --steps 2000 --size 120x40 >"$work/shot"
grep -q ' failed  step ' "$work/shot" || fault "the screen reports the run as finished"
grep -q 'stopped at step' "$work/shot" || fault "the screen does not report failed chains"

scenario "$(hole 4.5)" "strict = true,"
"$program" run "$work/nan.lua" --out "$work/some" >"$work/out" 2>"$work/err"
code=$?
[ $code = 1 ] || fault "exit code $code although some chains failed"
n=$(grep -l '^# stopped at' "$work"/some/*.csv | wc -l)
[ "$n" -ge 1 ] && [ "$n" -le 3 ] || fault "$n chains stopped"
grep -q "$n of 4 chains stopped" "$work/err" || fault "the number of failed chains is not reported"
[ "$(cat "$work"/some/*.csv | grep -c '^[^#l]')" -ge $((2000 * (4 - n))) ] ||
    fault "the other chains did not continue"

# An infinite density is an error, whether or not strict is set.
cat >"$work/inf.lua" <<'END'
local cs = require "chainscope"
return cs.scenario { title = "infinite", chains = 4, seed = 1,
  target = cs.target { space = cs.real(1),
    log_density = function(x) return cs.math.exp(x[1]^2) end },
  arms = { a = cs.kernel.random_walk { step = 1 } }, budget = { steps = 2000 } }
END
"$program" run "$work/inf.lua" >"$work/out" 2>"$work/err"
code=$?
[ $code = 1 ] || fault "exit code $code for an infinite density"
grep -q 'log density is +infinity in chain 1 of arm a at step' "$work/err" ||
    fault "an infinite density is not named"

# The number of divergences is the same in the text, in JSON, in the files, on
# the screen and as a figure, also after a stop and a resume.
cat >"$work/funnel.lua" <<'END'
local cs = require "chainscope"
return cs.scenario { title = "funnel", chains = 4, seed = 1,
  screen = { "acceptance", "summary" },
  target = cs.target { space = cs.real(10), log_density = function(x)
    local s = -x[1]^2 / 18
    for i = 2, 10 do s = s - x[1] / 2 - x[i]^2 * cs.math.exp(-x[1]) / 2 end
    return s
  end },
  arms = { h = { kernel = cs.kernel.hmc { step = 0.5, leapfrogs = 5 },
                 tuner = cs.tuner.acceptance { acceptance = 0.6 } } },
  budget = { steps = 3000 },
  claims = { { arm = "h", stat = "divergent", at_least = 1 },
             { arm = "h", stat = "not_finite", at_most = 0 } } }
END
"$program" run "$work/funnel.lua" --out "$work/whole" >"$work/out" 2>"$work/err" ||
    fault "a divergence ends the run"
n=$(sed -n 's/.*"divergent": \([0-9]*\),.*/\1/p' "$work/whole/summary.json")
sum=$(cat "$work"/whole/h_*.csv | awk -F, '/^lp__/ { for (i = 1; i <= NF; i++)
    if ($i == "divergent__") k = i } /^[^#l]/ { s += $k } END { print s + 0 }')
[ "${n:-0}" -gt 0 ] && [ "$n" = "$sum" ] || fault "$n divergences, $sum in the files"
grep -q "$(thousands "$n") of [0-9,]* steps diverged.*" "$work/out" || fault "divergences are not reported"
grep -q 'smaller step' "$work/out" || fault "no remedy"
grep -q "divergent  *$n .*at least 1 .*holds" "$work/out" || fault "divergent is not a figure"
"$program" shot "$work/funnel.lua" --steps 3000 --size 120x40 >"$work/shot"
grep -q ' divergent' "$work/shot" || fault "the screen does not count divergences"
"$program" run "$work/funnel.lua" --out "$work/parts" --steps 1500 >"$work/out" 2>&1
"$program" run "$work/funnel.lua" --out "$work/parts" --resume >"$work/out" 2>&1
grep -q "\"divergent\": $n," "$work/parts/summary.json" ||
    fault "a resumed run counts other divergences"

# A NaN is in no bin, so samc does not move to states whose binned value is NaN.
cat >"$work/root.lua" <<'END'
local cs = require "chainscope"
return cs.scenario { title = "root", chains = 2, seed = 1, start = { 1 },
  target = cs.target { params = { x = cs.real() },
    log_density = function(p) return -p.x^2 / 2 end,
    generated = function(p) return { root = cs.math.sqrt(p.x) } end },
  arms = { a = cs.kernel.samc { kernel = cs.kernel.random_walk { step = 2 },
                                of = "shown", shown = 2, first = 0.2, width = 0.2, bins = 9 } },
  budget = { steps = 2000 } }
END
"$program" run "$work/root.lua" --out "$work/root" >"$work/out" 2>"$work/err" ||
    fault "a NaN in the binned value ends the run: $(cat "$work/err")"
grep -qi nan "$work"/root/a_*.csv && fault "samc moves to a state whose binned value is NaN"
# A NaN from a schedule is printed without a sign.
scenario "-0.5 * x[1]^2"
sed 's/step = 1 }/step = function(t) return t < 5 and 1 or -(0 \/ 0) end }/' "$work/nan.lua" >"$work/schedule.lua"
"$program" run "$work/schedule.lua" >"$work/out" 2>"$work/err" && fault "a NaN from a schedule is accepted"
grep -q 'the schedule is nan at step' "$work/err" || fault "NaN of a schedule: $(cat "$work/err")"
exit $faults
