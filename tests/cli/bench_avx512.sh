#!/bin/sh
# usage: bench_avx512.sh PROGRAM
# The ratios to peers that are measured in the same run hold, on a processor
# with AVX-512 (elsewhere: 77). A busy machine has three tries.
program=$1
"$program" --version | grep -q '^vectors: avx512' || {
    echo "skipped: no AVX-512 here"
    exit 77
}
for try in 1 2 3; do
    "$program" bench --check --rounds 5 B01a B02b B04 B12r B12l && exit 0
    echo "try $try of 3 missed a bar"
done
exit 1
