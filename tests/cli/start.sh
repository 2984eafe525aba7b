#!/bin/sh
# Starting costs little: a script of one draw, from the start of the program to
# its end, in CPU time, the mean of a few. On a quiet machine it takes about 6
# ms; the limit is for slow and busy ones.
set -eu
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/one.lua" <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "one draw", target = cs.target.gaussian { dim = 2 }, chains = 1,
  seed = 1, arms = { cs.kernel.random_walk {} }, budget = { steps = 1 },
}
END
runs=20
i=0
while [ $i -lt $runs ]; do
  "$program" run "$folder/one.lua" > "$folder/out"
  i=$((i + 1))
done
grep -q 'random_walk' "$folder/out"
# The second line: user and system time of the children, as 0m1.23s.
times > "$folder/times"
awk -v runs=$runs 'NR == 2 {
  gsub(/s/, ""); split($1, u, "m"); split($2, s, "m")
  each = 1000 * (60 * (u[1] + s[1]) + u[2] + s[2]) / runs
  printf "%.1f ms of CPU time a start\n", each
  exit !(each > 0 && each < 40)
}' "$folder/times"
