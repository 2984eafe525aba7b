#!/bin/sh
# usage: parts_gallery.sh PROGRAM SCENARIO
# Tests scenarios of the gallery with a short budget. Four merged parts equal
# the files of a single process, also if one part was killed several times. By
# default a few scenarios and kills are tested. CHAINSCOPE_PARTS=all selects
# every scenario with 20 kills, CHAINSCOPE_PARTS='acs/* edlp/ising_*' selects
# these scenarios, and CHAINSCOPE_KILLS=5 sets the number of kills. A scenario
# whose data are missing is skipped.
. "$(dirname "$0")/../support/gallery.sh"

# shellcheck disable=SC2086
part() { "$program" run "$file" --part $1/4 --out parts/$1 $short --resume --workers 1 "$2" "$3"; }
merge() {
    rm -rf merged
    # shellcheck disable=SC2086
    "$program" merge "$file" parts --out merged $short --workers 1 >said_merged 2>err
    alike_as "$1" merged $?
}
# Starts or resumes part `victim`, and kills it.
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
    # Selects one of the parts that have chains.
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
