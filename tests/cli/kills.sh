#!/bin/sh
# usage: kills.sh PROGRAM
# Tests that a run which is killed and resumed repeatedly writes the same files
# as an undisturbed run. By default a few scenarios of various kinds are killed
# a few times. CHAINSCOPE_PARTS=all selects every scenario,
# CHAINSCOPE_PARTS='acs/* edlp/ising_*' selects these scenarios, and
# CHAINSCOPE_KILLS=20 sets the number of kills.
. "$(dirname "$0")/../support/gallery.sh"

# shellcheck disable=SC2086
go_on() {
    resume=
    [ -e made/checkpoint ] && resume=--resume
    "$program" run "$file" --out made $short --workers 1 --force "$1" "$2" $resume
}
killed() {
    [ -e made/checkpoint ] || rm -rf made
    CHAINSCOPE_IOKILL=$1 go_on --checkpoint 0 >said 2>&1
    died=false
    grep -q 'killed by signal 9' said && died=true
    left_alone made
}
one() {
    whole "$1" || return 0
    kills "$times" killed made
    [ -e made/checkpoint ] || rm -rf made
    go_on --checkpoint 5 >said_made 2>err
    alike_as "$file" made $?
    "$program" verify made >said 2>&1 || echo "$file: $(cat said)"
}
few="../tests/cli/kept start/08_tempering acs/tuned_cycle csgld/contour"
times=${CHAINSCOPE_KILLS:-3}
each "${CHAINSCOPE_PARTS:-$few}"
