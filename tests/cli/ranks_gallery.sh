#!/bin/sh
# usage: ranks_gallery.sh PROGRAM SCENARIO
# Scenarios of the gallery, on a short budget: what ranks of MPI write is what one
# process writes. A few; CHAINSCOPE_RANKS=all: every one, on 2 and 4 ranks, which
# takes an hour; CHAINSCOPE_RANKS='acs/* edlp/ising_*': those. One without its data
# is left out.
program=$1
gallery=$(cd "$(dirname "$0")/../../scenarios" && pwd)
. "$(dirname "$0")/../support/runs.sh"

# Of one scenario, in a folder of its own, on these numbers of ranks.
one() {
    scenario=$1
    mkdir "$2" && cd "$2" || exit 1
    shift 2
    budget="--steps 24 --warmup 4 --workers 1"
    # shellcheck disable=SC2086
    "$program" run "$scenario" --out whole $budget >said_whole 2>err
    status=$?
    if [ -e whole/summary.json ]; then
        for n in "$@"; do
            rm -rf ranked
            # shellcheck disable=SC2086
            ranks "$n" run "$scenario" --out ranked $budget >said_ranked 2>err
            [ $? -eq $status ] || echo "$scenario, $n ranks: not status $status: $(cat err)"
            how=$(alike ranked sort)
            [ -z "$how" ] || echo "$scenario, $n ranks: $how"
        done
    else
        grep -q 'large data\|CHAINSCOPE_DATA' err || echo "$scenario: $(cat err)"
    fi
    cd "$work" && rm -rf "${PWD:?}/$folder"
}
few="start/08_tempering acs/tuned_cycle csgld/together edlp/sharp_and_flat"
wanted=${CHAINSCOPE_RANKS:-$few}
[ "$wanted" = all ] && wanted='*/*'
numbers='2 4'
[ -n "$CHAINSCOPE_RANKS" ] || numbers=2
set -f
for name in $wanted; do
    set +f
    for file in "$gallery"/$name.lua; do
        folder=at_$(basename "$file" .lua)
        # shellcheck disable=SC2086
        one "$file" "$folder" $numbers
    done
done >said 2>&1
cat said
[ ! -s said ]
