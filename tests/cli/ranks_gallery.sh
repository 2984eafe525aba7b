#!/bin/sh
# usage: ranks_gallery.sh PROGRAM SCENARIO
# Scenarios of the gallery, on a short budget: what 2 and 4 ranks of MPI write is
# what one process writes. A few of each kind; CHAINSCOPE_RANKS=all: every one,
# which takes minutes. One without its data is left out.
program=$1
gallery=$(cd "$(dirname "$0")/../../scenarios" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# More ranks than processors, by root where CI is root, in a container.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_plm_rsh_agent= OMPI_MCA_hwloc_base_binding_policy=none
draws() { grep -a -v -e Elapsed -e Sampling -e Total "$1"; }

# same FILE N: the folders `whole` and `ranked` are alike, and so is what was
# said. Where a setup goes through a table of arms, the lines of its journal are
# in any order.
same() {
    cmp -s said_whole said_ranked || echo "$1, $2 ranks: another summary is shown"
    [ "$(ls whole)" = "$(ls ranked)" ] || echo "$1, $2 ranks: other files"
    for old in whole/*; do
        new=ranked/${old#*/}
        case $old in
        *checkpoint) continue ;;
        *.csv) draws "$old" >a && draws "$new" >b ;;
        *journal.txt) sort "$old" >a && sort "$new" >b ;;
        *) cp "$old" a && cp "$new" b ;;
        esac
        cmp -s a b || echo "$1, $2 ranks: $new differs"
    done
}
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
            timeout 300 mpirun -n "$n" "$program" run "$scenario" --out ranked \
                $budget >said_ranked 2>err
            [ $? -eq $status ] || echo "$scenario, $n ranks: not status $status: $(cat err)"
            same "$scenario" "$n"
        done
    else
        grep -q 'large data\|CHAINSCOPE_DATA' err || echo "$scenario: $(cat err)"
    fi
    cd "$work" && rm -rf "${PWD:?}/$folder"
}
few="start/08_tempering acs/25_modes csgld/nine_modes edlp/sharp_and_flat
hmc/many_ways targets/ising auxiliary/firefly"
if [ "$CHAINSCOPE_RANKS" = all ]; then
    for file in "$gallery"/*/*.lua; do
        folder=at_$(basename "$file" .lua)
        one "$file" "$folder" 2 4
    done
else
    for name in $few; do
        folder=at_${name#*/}
        one "$gallery/$name.lua" "$folder" 4
    done
fi >said 2>&1
cat said
[ ! -s said ]
