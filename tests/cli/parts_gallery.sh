#!/bin/sh
# usage: parts_gallery.sh PROGRAM SCENARIO
# Scenarios of the gallery, on a short budget: four parts merged are what one
# process writes, and so they are where one of them was killed on its way, again
# and again. A few and few kills; CHAINSCOPE_PARTS=all: every one, 20 times killed;
# CHAINSCOPE_PARTS='acs/* edlp/ising_*': those; CHAINSCOPE_KILLS=5: so many kills.
# One without its data is left out.
. "$(dirname "$0")/../support/gallery.sh"

# shellcheck disable=SC2086
part() { "$program" run "$file" --part $1/4 --out parts/$1 $short --resume --workers 1 "$2" "$3"; }
merge() {
    rm -rf merged
    # shellcheck disable=SC2086
    "$program" merge "$file" parts --out merged $short --workers 1 >said_merged 2>err
    alike_as "$1" merged $?
}
# Part `victim` is begun or gone on with, and killed.
killed() {
    CHAINSCOPE_IOKILL=$1 part $victim --checkpoint 0 >said 2>&1
    died=false
    grep -q 'killed by signal 9' said && died=true
    left_alone parts/$victim
}
one() {
    whole "$1" || return 0
    mkdir parts
    for k in 4 3 2 1; do part $k --checkpoint 5 >said 2>&1; done
    merge "$file"
    [ "$times" -gt 0 ] || return 0
    # Of those that have chains.
    victim=$(ls parts/*/*.csv | shuf -n 1 | cut -d / -f 2)
    rm -rf parts/$victim
    kills "$times" killed parts/$victim
    killed 0
    merge "$file, part $victim killed"
}
few="start/08_tempering acs/tuned_cycle csgld/together edlp/sharp_and_flat targets/eight_schools"
times=${CHAINSCOPE_KILLS:-3}
[ -n "$CHAINSCOPE_PARTS" ] && times=${CHAINSCOPE_KILLS:-20}
each "${CHAINSCOPE_PARTS:-$few}"
