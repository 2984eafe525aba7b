#!/bin/sh
# usage: lanes.sh PROGRAM
# Tests that the number of lanes per block, which depends on the instruction set
# and on the number of chains, does not affect the draws. A run that was saved
# with one instruction set continues with another.
. "$(dirname "$0")/../support/begin.sh"

scenario() { # NAME TARGET ARMS: writes a scenario
    cat >"$work/$1.lua" <<END
local cs = require "chainscope"
return cs.scenario { title = "t", seed = 11, chains = 17, warmup = 0,
  target = $2, arms = { $3 }, budget = { steps = 40 } }
END
}
scenario gaussian 'cs.target.gaussian { dim = 5, rho = 0.5 }' \
    'a = cs.kernel.random_walk {}, b = cs.kernel.hmc { gradient_precision = "float" }'
scenario rows 'cs.target.logistic_regression {}' \
    'a = cs.kernel.mala { step = 0.1 }, b = cs.kernel.sgld { batch = 13 }'
scenario traced 'cs.target { space = cs.real(3), log_density = function(x)
    return -0.5 * (x[1]^2 + x[2]^2 + x[3]^2) + cs.math.log1p(cs.math.exp(x[1])) end }' \
    'a = cs.kernel.hmc {}, b = cs.kernel.parallel_tempering { rungs = 3, kernel = cs.kernel.barker {} }'
scenario bits 'cs.target.ising {}' 'a = cs.kernel.dmala {}, b = cs.kernel.block_gibbs {}'
scenario network 'cs.target.binary_network { precision = "single" }' 'a = cs.kernel.dmala {}'

run() { # SET CHAINS NAME DIR OPTIONS: runs scenario NAME with instruction set SET
    set=$1 chains=$2 name=$3 dir=$4
    shift 4
    CHAINSCOPE_SIMD=$set "$program" run "$work/$name.lua" --chains "$chains" \
        --workers 1 --out "$dir" "$@" >"$dir.said" 2>"$dir.err" ||
        fault "$name, $chains chains, $set: $(cat "$dir.err")"
}
# same WHAT DIR DIR: checks that the second folder has the draws files of the
# first, possibly among others. The files may differ only in lines with times.
same() {
    differ=$(diff -rqa -x checkpoint -x manifest -x '*.json' -x '*.txt' -I '^#.* seconds (' -I '^# run' "$2" "$3" |
        grep -v "^Only in $3: ")
    [ -z "$differ" ] || fault "$1: $differ"
}
# Finds the instruction sets for which the program was compiled and that this
# processor has.
widest=$("$program" --version | sed -n 's/^vectors: \([a-z0-9]*\);.*/\1/p')
sets=$("$program" --version | sed -n "s/.*compiled for:\(.* $widest\).*/\1/p" |
    sed 's/ base//')
[ -n "$sets" ] || sets=base
for name in gaussian rows traced bits network; do
    run base 17 $name "$work/$name"
    for set in $sets; do
        for chains in 1 4 9 17; do
            run $set $chains $name "$work/$set"
            same "$name, $chains chains, $set" "$work/$set" "$work/$name"
            rm -rf "$work/$set"
        done
    done
    run $widest 9 $name "$work/parts" --steps 15
    run base 9 $name "$work/parts" --steps 25 --resume
    run $widest 9 $name "$work/parts" --resume
    same "$name, by parts" "$work/parts" "$work/$name"
    rm -rf "$work/parts"
done
# A run with another seed must differ.
sed -i 's/seed = 11/seed = 12/' "$work/bits.lua"
run $widest 3 bits "$work/other"
before=$faults
same "another seed" "$work/other" "$work/bits" >"$work/noticed"
[ -s "$work/noticed" ] || { echo "other draws are not noticed"; before=1; }
exit $before
