#!/bin/sh
# usage: real_stan.sh PROGRAM
# A real model that BridgeStan compiled, in CHAINSCOPE_STAN_MODEL; its data, if
# it has any, lie beside it: NAME.json of NAME_model.so.
program=$1
model=$CHAINSCOPE_STAN_MODEL
[ -n "$model" ] || {
    echo "skipped: CHAINSCOPE_STAN_MODEL names no model"
    exit 77
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
faults=0
fault() { echo "$*"; faults=1; }
data=${model%_model.so}.json
[ -e "$data" ] && fields="data = \"$data\","
cat >"$work/real.lua" <<END
local cs = require "chainscope"
return cs.scenario {
  title = "real", chains = 4, seed = 1, target = cs.target { stan = "$model", $fields },
  arms = { nuts = cs.kernel.nuts {} }, budget = { steps = 2000 },
}
END
for workers in 1 2; do
    "$program" run "$work/real.lua" --trust --workers $workers --out "$work/$workers" >"$work/out" 2>&1 || fault "$(cat "$work/out")"
done
for chain in 1 2 3 4; do
    [ "$(grep -v '^#' "$work/1/nuts_$chain.csv")" = "$(grep -v '^#' "$work/2/nuts_$chain.csv")" ] || fault "chain $chain: other draws of two workers"
done
"$program" check "$work/real.lua" --trust --seconds 5 >"$work/out" 2>&1 || fault "a law: $(cat "$work/out")"
exit $faults
