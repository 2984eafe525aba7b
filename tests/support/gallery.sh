# Functions shared by the tests that run the gallery in parts and on MPI ranks; sourced
# with `.`.
gallery=$(cd "$(dirname "$0")/../../scenarios" && pwd)
. "$(dirname "$0")/../support/runs.sh"

# budget_of FILE: options for a short run of the file, with fewer steps if its steps are
# long.
budget_of() {
    case ${1#"$gallery"/} in
    */kept.lua) echo '--steps 700' ;;
    edlp/binary_networks*) echo '--steps 8 --warmup 2' ;;
    *) echo '--steps 24 --warmup 4' ;;
    esac
}
# whole FILE: runs the file in one process, in the folder `whole`; sets `short` to its
# budget and `status` to its exit code. Fails if there is no result to compare with.
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
# alike_as NAME MADE CODE: prints how the run in folder MADE, which ended with exit code
# CODE, differs from `whole`.
alike_as() {
    [ "$3" -eq $status ] || echo "$1: not status $status: $(cat err)"
    how=$(alike "$2")
    [ -z "$how" ] || echo "$1: $how"
}
# left_alone FOLDER: waits until no process writes to the folder.
left_alone() {
    while [ -e "$1/lock" ] && ! flock -n "$1/lock" true 2>lock_err; do sleep 0.02; done
}
# kills TIMES COMMAND DIR: kills the run in DIR this many times. `COMMAND AT` starts or
# resumes the run and is killed at disk request number AT; it sets `died` if it was
# killed. A run that ended before it was killed is started again. AT is random, and its
# range is adapted to the number of requests. The last run is not completed.
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
    [ "$left" -eq 0 ] || echo "$file: $left of $1 kills did not occur"
}
# tell NAME DIFFERENCES: with CHAINSCOPE_TELL=FILE, appends the result of a scenario to
# that file.
tell() {
    [ -n "$CHAINSCOPE_TELL" ] || return 0
    [ -s "$2" ] && cat "$2" >>"$CHAINSCOPE_TELL"
    echo "$1 $([ -s "$2" ] && echo DIFFERS || echo same)" >>"$CHAINSCOPE_TELL"
}
# each NAMES: runs `one FILE` for every scenario named ('acs/* edlp/ising_*', or all), each
# in a folder of its own, two at a time. Fails if anything is printed.
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
