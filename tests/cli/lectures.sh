#!/bin/sh
# usage: lectures.sh PROGRAM SCENARIO
# Tests the recordings of the lectures: each belongs to the present text of its lecture, its run is made
# again to the bit, and its sentences, truths and answers are those of the lecture as it is now. If a
# lecture has changed on purpose: cmake --build build --target recordings
export LC_ALL=C.UTF-8
. "$(dirname "$0")/../support/begin.sh"
program=$(realpath "$program")
source=$(cd "$(dirname "$0")/../.." && pwd)
folder=$source/scenarios/course/recordings
cd "$work" || exit 1
export XDG_STATE_HOME=$work/state

# The states of all chains with all digits, and the steps.
look='lua for i = 1, #run.arms do local a, out = run.arms[i], {}; for k = 1, #a.chains do for _, x in ipairs(a:chain(k):state()) do out[#out + 1] = ("%%.17g"):format(x) end end print(a.name, table.concat(out, " "), "at", run.steps) end\n'
# film NAME WORDS: goes through a lecture as make.sh does.
film() {
    [ "$(wc -c <"$folder/$1.cast")" -lt 100000 ] || fault "$1.cast has 100 KB or more"
    lines=
    for word in $2; do
        case $word in
        n) lines="$lines\n" ;;
        *) lines="${lines}answer ${word#[a=]}\n" ;;
        esac
    done
    printf "$lines$look" | "$program" "$source/scenarios/course/$1.lua" --plain >live 2>err || fault "$1: $(cat err)"
    printf "$look" | "$program" "$source/scenarios/course/$1.lua" --replay "$folder/$1.cast" --plain >replayed 2>err || fault "$1: $(cat err)"
    # A mark has the lines of a step after its time.
    grep -v '^Step\|^Paused\|^Done\|	at	' live | sed -n '/^Lesson step/,$p' >want
    "$program" replay "$folder/$1.cast" --plain >marks
    grep -v 'the end$' marks | sed 's/^At [0-9.]* s\(, step [0-9]*\)*: //; s/^  //' >got
    cmp -s want got || fault "$1 tells another story: $(diff want got)"
    grep '	at	' live >want
    grep '	at	' replayed >got
    [ -s want ] && cmp -s want got || fault "$1: the run differs: $(diff want got | cut -c1-300)"
}
grep '^film ' "$folder/make.sh" >films.sh
. ./films.sh
[ "$(wc -l <films.sh)" = "$(ls "$folder"/*.cast | wc -l)" ] || fault "recordings without a line in make.sh"
# Each lecture has one.
for file in $(grep -l '^ *tags .* lecture"' "$source"/scenarios/course/*.lua); do
    [ -f "$folder/$(basename "$file" .lua).cast" ] || fault "no recording of $file"
done
exit $faults
