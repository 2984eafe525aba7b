# What the tests of the gallery in parts and on ranks share: read by `.`
gallery=$(cd "$(dirname "$0")/../../scenarios" && pwd)
. "$(dirname "$0")/../support/runs.sh"

# Of each file a run on a short budget: with fewer steps where steps are long, or
# where ladders have many rungs, and smaller where what is opened or judged is large.
budget_of() {
    case ${1#"$gallery"/} in
    */kept.lua) echo '--steps 700' ;;
    edlp/binary_networks*) echo '--steps 8 --warmup 2' ;;
    *) echo '--steps 24 --warmup 4' ;;
    esac
}
# whole FILE: the run by one process in a folder of its own, `short` its budget, and
# `status` how it ended; fails where there is nothing to compare.
whole() {
    file=$1
    short=$(budget_of "$file")
    # shellcheck disable=SC2086
    "$program" run "$file" --out whole $short --workers 1 >said_whole 2>err
    status=$?
    [ -e whole/summary.json ] && return 0
    grep -q 'large data\|CHAINSCOPE_DATA' err || echo "$file: $(cat err)"
    return 1
}
# alike_as NAME MADE CODE: what is wrong with the run in MADE, which ended with CODE.
alike_as() {
    [ "$3" -eq $status ] || echo "$1: not status $status: $(cat err)"
    how=$(alike "$2")
    [ -z "$how" ] || echo "$1: $how"
}
# Once nobody writes there any more.
left_alone() {
    while [ -e "$1/lock" ] && ! flock -n "$1/lock" true 2>lock_err; do sleep 0.02; done
}
# kills TIMES COMMAND DIR: `COMMAND AT` makes the run in DIR or goes on with it, and is
# killed at its request number AT to the disk; it says `died` whether it was. So often,
# one that ended before it was killed begins anew. AT is drawn from as many as there
# seem to be; the run is not ended.
kills() {
    left=$1 tries=$(($1 * 6)) most=16
    while [ "$left" -gt 0 ] && [ $tries -gt 0 ]; do
        tries=$((tries - 1))
        $2 $(($(below $most) + 1))
        if $died; then
            left=$((left - 1)) most=$((most + most / 2))
        else
            rm -rf "$3"
            most=$((most - most / 3))
        fi
    done
    [ "$left" -eq 0 ] || echo "$file: $left of $1 kills did not come about"
}
# CHAINSCOPE_TELL=FILE: a line for each there, as soon as it is known.
tell() {
    [ -n "$CHAINSCOPE_TELL" ] || return 0
    [ -s "$2" ] && cat "$2" >>"$CHAINSCOPE_TELL"
    echo "$1 $([ -s "$2" ] && echo DIFFERS || echo same)" >>"$CHAINSCOPE_TELL"
}
# Every scenario that is named, 'acs/* edlp/ising_*' or all, by `one FILE` in a folder
# of its own, two at a time; fails where anything is said.
half() {
    n=0
    files "$2" | while read -r path; do
        n=$((n + 1))
        [ $((n % 2)) -eq $1 ] || continue
        mkdir $n && (cd $n && one "$path" </dev/null) >said_of_$n 2>&1
        rm -rf "${work:?}/$n"
        cat said_of_$n
        tell "${path#"$gallery"/}" said_of_$n
    done >said_$1 2>&1
}
files() {
    set -f
    for name in $([ "$1" = all ] && echo '*/*' || echo "$1"); do
        set +f
        ls "$gallery"/$name.lua
    done
}
each() {
    half 0 "$1" &
    half 1 "$1"
    wait
    cat said_0 said_1
    [ ! -s said_0 ] && [ ! -s said_1 ]
}
