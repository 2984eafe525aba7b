#!/bin/sh
# usage: nan.sh PROGRAM
# A density that becomes NaN: every chain that stops is named, with the step
# and the point; the others go on; where none is left the run has failed.
program=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
faults=0
fault() { echo "$*"; faults=1; }

scenario() { # where it breaks
    cat >"$work/nan.lua" <<END
local cs = require "chainscope"
return cs.scenario {
  title = "NaN", shows = "where a density breaks", chains = 4, seed = 1,
  target = cs.target { space = cs.real(1), traced = false,
    log_density = function(x) return x[1] > $1 and 0/0 or -0.5 * x[1]^2 end },
  arms = { a = cs.kernel.random_walk { step = 1 } }, budget = { steps = 2000 },
}
END
}

scenario 3
"$program" run "$work/nan.lua" --out "$work/all" >"$work/out" 2>"$work/err"
code=$?
[ $code = 1 ] || fault "exit code $code though all chains have stopped"
for chain in 1 2 3 4; do
    grep -q "NaN in chain $chain of arm a at step [0-9]*, x = (.*), proposal ([34]\." "$work/err" ||
        fault "not told: chain $chain"
done
grep -q 'all chains have stopped' "$work/err" || fault "silent on the end"
grep -q 'all 4 chains failed' "$work/out" || fault "the summary does not say it"
[ "$(grep -c '^[^#l]' "$work/all/a_1.csv")" -gt 3 ] || fault "draws are lost"

# What a look at the chain shows is the step at which it stopped.
cat >"$work/look" <<'END'
run:step(2000)
for c = 1, 4 do
  local chain = run:arm("a"):chain(c)
  local i = chain:info()
  assert(i.failed and not i.accepted and i.log_accept ~= i.log_accept)
  assert(i.proposal[1] > 3 and chain:state()[1] <= 3)
end
print "looked"
END
"$program" repl "$work/nan.lua" <"$work/look" 2>&1 | grep -q looked ||
    fault "a chain that stopped does not show how"
"$program" shot "$work/nan.lua" --steps 2000 --size 120x40 >"$work/shot"
grep -q '!! failed' "$work/shot" || fault "the screen says it is done"
grep -q 'stopped at step' "$work/shot" || fault "the screen is silent on chains"

scenario 4.5
"$program" run "$work/nan.lua" >"$work/out" 2>"$work/err" ||
    fault "chains go on, and yet it fails"
grep -q 'of 4 chains failed; left out' "$work/out" || fault "none failed, or all"
exit $faults
