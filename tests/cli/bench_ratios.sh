#!/bin/sh
# usage: bench_ratios.sh PROGRAM LEVEL CASE ...
# Tests that the ratios to peers, measured in the same run, meet their
# requirements on a processor with the instruction set LEVEL (otherwise exit
# 77). On a loaded machine three attempts are made.
program=$1
export CHAINSCOPE_SIMD=$2
shift 2
"$program" --version 2>/dev/null | grep -q "^vectors: $CHAINSCOPE_SIMD" || {
    echo "skipped: no $CHAINSCOPE_SIMD here"
    exit 77
}
for try in 1 2 3; do
    "$program" bench --check --rounds 5 "$@" && exit 0
    echo "try $try of 3 missed a bar"
done
exit 1
