#!/bin/sh
# usage: parts_gallery.sh PROGRAM SCENARIO
# Scenarios of the gallery, on a short budget: four parts merged are what one
# process writes, and so they are where one of them was killed on its way, again
# and again. A few of each kind and a few moments; CHAINSCOPE_PARTS=all: every
# scenario and 20 moments, which takes an hour; CHAINSCOPE_PARTS='acs/*
# edlp/ising_*': those. One without its data is left out.
program=$1
gallery=$(cd "$(dirname "$0")/../../scenarios" && pwd)
. "$(dirname "$0")/../support/runs.sh"
short='--steps 24 --warmup 4'
now() { date +%s%3N; }

# said NAME: what is wrong with the merged run.
said() {
    [ $merged -eq $status ] || echo "$1: not status $status: $(cat err)"
    how=$(alike merged sort)
    [ -z "$how" ] || echo "$1: $how"
}
merge() {
    rm -rf merged
    "$program" merge "$file" parts --out merged $short >said_merged 2>err
    merged=$?
}
# killed K TIMES: part K once more, killed at so many moments of its time.
killed() {
    rm -rf parts/$1
    i=0
    while [ $i -lt $2 ]; do
        wait=$(below $((took + 1)))
        "$program" run "$file" --part $1/4 --out parts/$1 $short --resume >said 2>&1 &
        child=$!
        sleep "$((wait / 1000)).$(printf %03d $((wait % 1000)))"
        kill -9 $child 2>said
        wait $child 2>said
        while [ -e parts/$1/lock ] && ! flock -n parts/$1/lock true 2>said; do sleep 0.02; done
        i=$((i + 1))
    done
    "$program" run "$file" --part $1/4 --out parts/$1 $short --resume >said 2>&1
}
# Of one scenario, in a folder of its own.
one() {
    file=$1 k=4
    mkdir "$2" && cd "$2" && mkdir parts || exit 1
    "$program" run "$file" --out whole $short >said_whole 2>err
    status=$?
    if [ ! -e whole/summary.json ]; then
        grep -q 'large data\|CHAINSCOPE_DATA' err || echo "$file: $(cat err)"
        cd .. && return 0
    fi
    while [ $k -gt 0 ]; do
        from=$(now)
        "$program" run "$file" --part $k/4 --out parts/$k $short >said 2>&1
        took=$(($(now) - from))
        k=$((k - 1))
    done
    merge
    said "$file"
    if [ "$3" -gt 0 ]; then
        killed $(($(below 4) + 1)) "$3"
        merge
        said "$file, killed"
    fi
    cd .. && rm -rf "$2"
}
few="start/08_tempering acs/tuned_cycle csgld/together edlp/sharp_and_flat
targets/eight_schools"
killed_few="start/08_tempering"
# A scenario and how often a part of it is killed, a line.
files() {
    case $CHAINSCOPE_PARTS in
    '')
        for name in $few; do
            case " $killed_few " in
            *" $name "*) echo "$gallery/$name.lua 3" ;;
            *) echo "$gallery/$name.lua 0" ;;
            esac
        done
        ;;
    *)
        wanted=$CHAINSCOPE_PARTS
        [ "$wanted" = all ] && wanted='*/*'
        set -f
        for name in $wanted; do
            set +f
            for path in "$gallery"/$name.lua; do echo "$path 20"; done
        done
        ;;
    esac
}
# Two at a time: every other scenario.
half() {
    n=0
    files | while read -r path times; do
        n=$((n + 1))
        [ $((n % 2)) -eq $1 ] && (one "$path" $n $times </dev/null)
    done >said_$1 2>&1
}
half 0 &
half 1
wait
cat said_0 said_1
[ ! -s said_0 ] && [ ! -s said_1 ]
