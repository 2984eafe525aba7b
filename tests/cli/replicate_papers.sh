#!/bin/sh
# usage: replicate_papers.sh PROGRAM
# The scenarios of four papers, replicated in the quick setting: none fails, each has a
# table, and every verdict is what its scenario says. Unless PAPERS=all those that take
# the least time are, a quarter of a minute for all four.
program=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
faults=0
fault() { echo "$*"; faults=1; }

# replicated PAPER [SCENARIO]
replicated() {
    "$program" replicate "$@" --quick >"$work/said" 2>"$work/err"
    code=$?
    [ $code -le 1 ] || fault "replicate $*: exit $code: $(cat "$work/err")"
    grep -E -q '^[1-9][0-9]* claims? in [0-9]+ scenarios?\. Hold: ' "$work/said" ||
        fault "replicate $*: no count: $(cat "$work/said" "$work/err")"
    ! grep -E -q '^  failed: |scenarios? (failed|not run)|not as the scenario says|cannot fail' "$work/said" ||
        fault "replicate $*: $(cat "$work/said")"
}

for paper in acs auxiliary csgld edlp; do
    case $paper in
    acs) cheap="25_modes_uneven table_4_caltech" ;;
    auxiliary) cheap="table_1_tight table_4" ;;
    csgld) cheap="peaks wang_landau_potts" ;;
    edlp) cheap="eta flat_modes focusing_images" ;;
    esac
    if [ "$PAPERS" = all ]; then
        replicated $paper
    else
        for scenario in $cheap; do replicated $paper $scenario; done
    fi
done
exit $faults
