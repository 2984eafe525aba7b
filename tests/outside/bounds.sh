#!/bin/sh
# usage: bounds.sh PROGRAM
# Tests a Python model with bounded parameters. The chains move on the
# unconstrained scale, the reported values are within their bounds, and the
# moments are those of the model. The model's gradient is the gradient of its
# density and agrees with differences. The draws do not depend on the number of
# workers.
. "$(dirname "$0")/../support/begin.sh"
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || {
    echo "skipped: there is no python3"
    exit 77
}
# Uses the Python interpreter itself instead of a wrapper that searches for it
# at each start. Output is buffered, whatever the user has set, so each answer
# is a single write.
PATH=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))'):$PATH
unset PYTHONUNBUFFERED
draws() { grep -v '^#' "$1"; }
cp "$here/bounds.py" "$work"
# scenario NAME WORDS: writes NAME.lua with WORDS as arguments of the model.
scenario() {
    cat >"$work/$1.lua" <<END
local cs = require "chainscope"
local function mean(of, near) return { arm = "nuts", stat = "mean", of = of, near = near, within = 0.1 } end
return cs.scenario {
  title = "bounds", chains = 4, seed = 1, start = { rate = 1, p = 0, low = 3, up = -2, ["x.1"] = 0, ["x.2"] = 1 },
  target = cs.target { process = { "python3", "bounds.py" $2 }, name = "bounds" },
  arms = { nuts = { kernel = cs.kernel.nuts {}, tuner = cs.tuner.window_adaptation { steps = 500 } } }, budget = { steps = 1000 },
  claims = { mean("rate", 1), mean("p", 5 / 3), mean("low", 2.5), mean("up", -2), mean("x.2", 0) },
}
END
}
scenario own
scenario differences ', "plainly"'
"$program" check "$work/own.lua" --trust --law gradient >"$work/out" 2>&1
grep -q 'gradient *holds' "$work/out" || {
    echo "its gradient: $(cat "$work/out")"
    exit 1
}
"$program" run "$work/own.lua" --trust --workers 1 --save-warmup --out "$work/out1" >"$work/out" 2>&1 ||
    fault "its moments are others: $(cat "$work/out")"
# The warm-up and the first draws are repeated with two workers.
"$program" run "$work/own.lua" --trust --workers 2 --save-warmup --steps 550 --out "$work/out2" >"$work/out" 2>&1
for chain in 1 2 3 4; do
    draws "$work/out2/nuts_$chain.csv" >"$work/two"
    [ "$(wc -l <"$work/two")" = 551 ] || fault "chain $chain: $(wc -l <"$work/two") lines, not 551"
    draws "$work/out1/nuts_$chain.csv" | head -n 551 | cmp -s - "$work/two" || fault "chain $chain: other draws of two workers"
done
grep -q 'rate,p,low,up,x.1,x.2' "$work/out1/nuts_1.csv" || fault "the names of the columns"
"$program" run "$work/differences.lua" --trust --steps 20 >"$work/out" 2>&1
grep -q 'target bounds: the model has no gradient: central differences are used' "$work/out" || fault "silent on differences"
grep -qE 'nuts .nuts.: 4 chains, 20 steps, .* [0-9]+ log densities, [0-9]+ gradients' "$work/out" || fault "not counted: $(cat "$work/out")"
cat >"$work/hand" <<'END'
x = { 0.3, -0.7, 1.1, -0.2, 0.5, 2 }
own = cs.target { process = { "python3", "bounds.py" } }
plain = cs.target { process = { "python3", "bounds.py", "plainly" } }
a, b = own:gradient(x), plain:gradient(x)
for i = 1, 6 do print(math.abs(a[i] - b[i]) < 1e-7 and "agree" or a[i] - b[i]) end
sigmoid, M = 1 / (1 + math.exp(0.7)), math.exp
logp = -M(0.3) + math.log(4 * sigmoid) - 2 * M(1.1) - M(-0.2) - 0.5 * (0.25 + 4) + 0.3 + math.log(4 * sigmoid * (1 - sigmoid)) + 1.1 - 0.2
print(math.abs(own:log_density(x) - logp) < 1e-12 and "right" or own:log_density(x) - logp)
print(pcall(own.log_density, own, { rate = -1, p = 0, low = 3, up = -2, ["x.1"] = 0, ["x.2"] = 1 }))
print(#own.coordinates, own.coordinates[5])
END
"$program" repl "$work/own.lua" --trust <"$work/hand" >"$work/out" 2>&1
[ "$(grep -c '^agree' "$work/out")" = 6 ] || fault "differences: $(cat "$work/out")"
grep -q '^right' "$work/out" || fault "its log density: $(cat "$work/out")"
grep -q 'rate = -1 is outside its bounds' "$work/out" || fault "a point out of bounds: $(cat "$work/out")"
exit $faults
