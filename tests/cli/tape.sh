#!/bin/sh
# usage: tape.sh PROGRAM SCENARIO
# Tests describe FILE --tape, which prints the operations of a traced target
# line by line.
. "$(dirname "$0")/../support/begin.sh"

cat >"$work/tall.lua" <<'END'
local cs = require "chainscope"
local m = cs.math
return cs.scenario {
  title = "tall",
  target = cs.target { name = "tall", space = cs.real(3),
    log_density = function(b)
      local eta = m.product({ { 1, 2, 3 }, { 4, 5, 6 } }, b)
      local twice = m.exp(b[1]) * 0 + m.exp(b[1])  -- the same again
      local never = m.tanh(b[2])
      return m.sum({ 1, 0 } * eta - m.softplus(eta)) - 0.5 * b[2]^2 + twice
    end },
  arms = { a = cs.kernel.mala { step = 0.1 } },
}
END
"$program" describe "$work/tall.lua" --tape >"$work/out" 2>"$work/err" ||
    fault "it fails: $(cat "$work/err")"
[ -s "$work/err" ] && fault "unexpected message: $(cat "$work/err")"
says() { grep -qE -- "$1" "$work/out" || fault "missing: '$1'"; }
says '^target tall on real\(3\): [0-9]+ operations recorded in .*, differentiated and compiled in '
says '^log density: [0-9]+ nodes, [0-9]+ instructions, [0-9]+ slots \([0-9]+ bytes a lane\), .* a chain$'
says '^log density and gradient: '
says ' 1 +[0-9.]+% +7  v1\[2\] = product\(data\[2 x 3\], x\) +local eta = m.product'
says ' 8  v[0-9]+ = exp\(x\[1\]\) +local twice = '
says "v[0-9]+, v[0-9]+'\[2\] = softplus, sigmoid\(v1\)"
says '^  by line$'
grep -q tanh "$work/out" && fault "an unused value is computed"
[ "$(grep -c ' = exp(x\[1\])' "$work/out")" = 2 ] ||
    fault "the same exponential is not computed once in each program"

# The shares of each program sum to 1.
awk '/^log density/ { if (n) print n, s; n++; s = 0; on = 1 }
     /by line/ { on = 0 }
     on && $2 ~ /%$/ { s += $2 } END { print n, s }' "$work/out" |
    while read -r n s; do
        awk "BEGIN { exit !($s > 98.5 && $s < 101.5) }" ||
            echo "program $n: shares add to $s"
    done >"$work/shares"
[ -s "$work/shares" ] && fault "$(cat "$work/shares")"

# Prints it at the prompt, with a given width, and only a part of it.
echo ':tape 60 2' | "$program" repl "$work/tall.lua" >"$work/narrow"
awk 'length > 80 && !/^(target|log)/' "$work/narrow" | grep . &&
    fault "60 columns are too wide"
grep -q 'more instructions' "$work/narrow" || fault "no lines are omitted"

"$program" describe "$2" --tape >/dev/null || fault "$2 has no tape"
refused() {
    "$program" describe "$@" >"$work/out" 2>"$work/err"
    [ $? -eq 1 ] || fault "describe $*: succeeds"
}
refused "$work/none.lua" --tape
grep -q none.lua "$work/err" || fault "a missing file is not named"
printf 'local cs = require "chainscope"
return cs.scenario { title = "g", target = cs.target.gaussian {},
  arms = { a = cs.kernel.mala {} } }' >"$work/g.lua"
refused "$work/g.lua" --tape
grep -q 'built in' "$work/err" || fault "a built-in target: $(cat "$work/err")"
exit $faults
