#!/bin/bash
# usage: completion.sh PROGRAM COMPLETION
# Tests that the shell completes the words of the program.
set -u
source "$2"
PATH=$(dirname "$1"):$PATH
cd "$(dirname "$2")/../.." || exit 1
faults=0

# complete_words WORDS...: sets COMPREPLY for the last word.
complete_words() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _chainscope "$1"
}

# completes WANT WORDS...: WANT is among the completions of the last word.
completes() {
    local want=$1
    shift
    complete_words "$@"
    [[ " ${COMPREPLY[*]} " == *" $want "* ]] && return
    echo "'$*' does not complete to $want but to: ${COMPREPLY[*]}"
    faults=1
}

completes describe chainscope des
completes --version chainscope --v
completes --resume chainscope run --re
completes kernels chainscope list k
completes cosine chainscope describe cos
complete_words chainscope describe scen
[ ${#COMPREPLY[@]} -eq 0 ] || { echo "describe completes files"; faults=1; }
completes scenarios chainscope describe --tape scen
completes scenarios chainscope run scen
completes resample chainscope res
completes --draws chainscope resample --dr
completes edlp chainscope replicate ed
completes --quick chainscope replicate --q
completes sweep chainscope swe
completes --over chainscope sweep --ov
completes --replicates chainscope sbc --rep
completes scenarios/start/01_first_walk.lua chainscope scenarios/start/01
exit $faults
