#!/bin/sh
# usage: parts_gallery.sh PROGRAM SCENARIO
# Scenarios of the gallery, on a short budget: four parts merged are what one
# process writes. A few of each kind; CHAINSCOPE_PARTS=all: every one, which takes
# minutes. One without its data is left out.
program=$1
gallery=$(cd "$(dirname "$0")/../../scenarios" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
draws() { grep -a -v -e Elapsed -e Sampling -e Total "$1"; }

# Of one scenario, in a folder of its own. Where a setup goes through a table of
# arms, the lines of its journal are in any order.
one() {
    file=$1 k=4
    mkdir "$2" && cd "$2" && mkdir parts || exit 1
    "$program" run "$file" --out whole --steps 24 --warmup 4 >said_whole 2>err
    status=$?
    if [ ! -e whole/summary.json ]; then
        grep -q 'large data\|CHAINSCOPE_DATA' err || { echo "$file: $(cat err)"; exit 1; }
        return 0
    fi
    while [ $k -gt 0 ]; do
        "$program" run "$file" --part $k/4 --out parts/$k --steps 24 --warmup 4 >said 2>&1
        k=$((k - 1))
    done
    "$program" merge "$file" parts --out merged --steps 24 --warmup 4 >said_merged 2>err
    [ $? -eq $status ] || echo "$file: not status $status: $(cat err)"
    cmp -s said_whole said_merged || echo "$file: another summary is shown"
    [ "$(ls whole)" = "$(ls merged)" ] || echo "$file: other files"
    for old in whole/*; do
        new=merged/${old#*/}
        case $old in
        *checkpoint) continue ;;
        *.csv) draws "$old" >a && draws "$new" >b ;;
        *journal.txt) sort "$old" >a && sort "$new" >b ;;
        *) cp "$old" a && cp "$new" b ;;
        esac
        cmp -s a b || echo "$file: $new differs"
    done
    cd .. && rm -rf "$2"
}
few="start/01_first_walk start/05_funnel start/08_tempering acs/25_modes
csgld/nine_modes edlp/sharp_and_flat hmc/many_ways targets/eight_schools
targets/ising auxiliary/firefly"
files() {
    if [ "$CHAINSCOPE_PARTS" = all ]; then
        ls "$gallery"/*/*.lua
    else
        for name in $few; do
            echo "$gallery/$name.lua"
        done
    fi
}
# Two at a time: every other scenario.
half() {
    n=0
    for file in $(files); do
        n=$((n + 1))
        [ $((n % 2)) -eq $1 ] && (one "$file" $n)
    done >said_$1 2>&1
}
half 0 &
half 1
wait
cat said_0 said_1
[ ! -s said_0 ] && [ ! -s said_1 ]
