#!/bin/sh
# usage: many_files.sh PROGRAM SCENARIO
# Tests a thousand chains, each with a file of its own. The program may open
# only 24 files at once, and must use little memory for the files. A resumed run
# writes the same files.
. "$(dirname "$0")/../support/begin.sh"
draws() { grep -v -e Sampling -e Total -e '^# run' "$1"; }

cat >"$work/many.lua" <<'END_OF_LUA'
local cs = require "chainscope"
return cs.scenario { title = "Many", target = cs.target.gaussian { dim = 10 },
  chains = 1000, arms = { a = cs.kernel.random_walk {} }, warmup = 0, seed = 3,
  budget = { steps = 40 } }
END_OF_LUA
ulimit -n 24
"$program" run "$work/many.lua" --memory 350 --out "$work/whole" >/dev/null ||
    fault "1000 files fail"
[ "$(ls "$work/whole" | grep -c '\.csv$')" -eq 1000 ] || fault "not 1000 files"
[ "$(cat "$work/whole"/a_*.csv | grep -c '^-')" -eq 40000 ] ||
    fault "not 40 draws of each chain"
# Fifty chains are enough to test resuming.
"$program" run "$work/many.lua" --chains 50 --out "$work/part" --steps 17 >/dev/null
"$program" run "$work/many.lua" --chains 50 --out "$work/part" --resume >/dev/null ||
    fault "cannot resume"
for i in 1 27 50; do
    draws "$work/whole/a_$i.csv" >"$work/a"
    draws "$work/part/a_$i.csv" >"$work/b"
    cmp "$work/a" "$work/b" || fault "chain $i: resumed draws differ"
done
exit $faults
