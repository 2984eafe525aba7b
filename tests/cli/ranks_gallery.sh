#!/bin/sh
# usage: ranks_gallery.sh PROGRAM SCENARIO
# Tests scenarios of the gallery with a short budget. MPI ranks write the same
# files as a single process, also if a rank was killed several times. By default
# a few scenarios are tested. CHAINSCOPE_RANKS=all selects every scenario, on 2
# and 4 ranks; CHAINSCOPE_RANKS='acs/* edlp/ising_*' selects these scenarios;
# CHAINSCOPE_KILLS=20 also sets the number of kills of each. A scenario whose
# data are missing is skipped.
. "$(dirname "$0")/../support/gallery.sh"

# Runs on two ranks. One of them is killed at its request number `at`, unless
# `at` is not given.
# shellcheck disable=SC2086
two_ranks() {
    at=$1 how=
    [ -e ranked/checkpoint ] && how=--resume
    set -- "$program" run "$file" --out ranked $short --workers 1 --checkpoint 0 --force $how
    if [ $at -eq 0 ]; then
        mpirun -n 2 "$@"
    elif [ "$(below 2)" -eq 0 ]; then
        mpirun -n 1 env CHAINSCOPE_IOKILL=$at "$@" : -n 1 "$@"
    else
        mpirun -n 1 "$@" : -n 1 env CHAINSCOPE_IOKILL=$at "$@"
    fi >said_ranked 2>err
    code=$?
    left_alone ranked
    died=true
    [ $code -eq $status ] && cmp -s said_whole said_ranked && died=false
}
one() {
    whole "$1" || return 0
    for n in $numbers; do
        rm -rf ranked
        # shellcheck disable=SC2086
        ranks "$n" run "$file" --out ranked $short --workers 1 >said_ranked 2>err
        alike_as "$file, $n ranks" ranked $?
    done
    [ "$times" -gt 0 ] || return 0
    rm -rf ranked
    kills "$times" two_ranks ranked
    two_ranks 0
    alike_as "$file, killed" ranked $code
}
numbers=2 times=${CHAINSCOPE_KILLS:-0}
[ -n "$CHAINSCOPE_RANKS" ] && numbers=${CHAINSCOPE_NUMBERS-2 4}
each "${CHAINSCOPE_RANKS:-start/08_tempering acs/tuned_cycle csgld/together edlp/sharp_and_flat}"
