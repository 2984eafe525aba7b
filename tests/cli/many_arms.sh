#!/bin/sh
# usage: many_arms.sh PROGRAM SCENARIO
# Tests runs of many arms. The summary has every arm, however long it is. Four
# times as many arms take little more than four times the CPU time in a run, in
# its comparison with another run, and in a report.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

scenario() {
    cat >"$1.lua" <<END_OF_LUA
local cs = require "chainscope"
local arms = {}
for i = 1, $1 do arms[i] = { name = "a" .. i, kernel = cs.kernel.random_walk {} } end
return cs.scenario { title = "Many arms", target = cs.target.gaussian { dim = 2 },
  chains = 1, seed = 1, arms = arms, budget = { steps = 10 } }
END_OF_LUA
}

# Sets $ms to the CPU time of all children so far, in milliseconds. (`times` is
# called here, because a subshell would have no children.)
measure() {
    times >times
    ms=$(awk 'NR == 2 { for (i = 1; i < 3; i++) { split($i, t, "[ms]"); s += 60 * t[1] + t[2] }
                        printf "%d\n", 1000 * s }' times)
}
# cost FILE COMMAND ...: runs the command, and writes its CPU time to FILE.
cost() {
    file=$1
    shift
    measure
    before=$ms
    "$@" || fault "$* fails"
    measure
    echo $((ms - before)) >"$file"
}
# compare WHAT TIMES: checks that 400 arms cost at most TIMES the cost of 100. A
# cost of less than 20 ms counts as 20 ms.
compare() {
    few=$(cat "few.$1") many=$(cat "many.$1")
    echo "$1: 100 arms take $few ms, 400 arms $many ms"
    [ "$few" -ge 20 ] || few=20
    [ "$many" -le $(($2 * few)) ] || fault "$1: more than $2 times"
}

run() { "$program" run "$1.lua" --out "$1" >"$1.said"; }
differ() { "$program" diff "$1" "$1" >"$1.differ"; }
report() { "$program" report "$1.lua" -o "$1.html"; }
for n in 100 400; do
    scenario $n
    name=few
    [ $n = 100 ] || name=many
    for what in run differ report; do
        cost $name.$what $what $n
    done
done
# The factors are larger than 4, because reports are published at intervals of
# the clock.
compare run 6
compare differ 6
compare report 8

# Every arm is in the summary, from its name to its last line.
summary() {
    [ "$(grep -c '^a[0-9]* (random_walk)' "$1")" -eq "$2" ] || fault "$1: not $2 arms"
    [ "$(grep -c '^  x\.2 ' "$1")" -eq "$2" ] || fault "$1: not $2 arms have figures"
    [ "$(grep -c '^  distance from the exact answer' "$1")" -eq "$2" ] ||
        fault "$1: not $2 arms have a last line"
}
summary 400.said 400
grep -q '^no ranking: at most 16 arms can be compared, but there are 400$' 400.said ||
    fault "no reason why no arm leads"
grep -q 'leader' 100.differ && fault "a comparison has a leader"
[ "$(grep -c 'the draws are equal bit for bit' 400.differ)" -eq 400 ] ||
    fault "not 400 arms are compared"
[ "$(tail -n 1 400.differ | cut -d ' ' -f 1)" -eq 1200 ] || fault "not 1200 means are compared"

# Every other command that prints the summary also prints all arms. Panels show
# only some arms, and say so.
printf 'step 10\narms\n:summary\n' | "$program" 400.lua --plain >plain.said || fault "plain fails"
summary plain.said 400
grep -q '^a400 is random_walk, 1 chain, 10 steps' plain.said || fault "--plain prints only some arms"
"$program" shot 400.lua --steps 10 --size 130x40 --keys ':summary<enter>' >shown ||
    fault "no shot"
grep -q '16 of 400 arms: Many arms' shown || fault "the screen does not say that arms are hidden"
grep -q 'a400 (random_walk)' shown || fault "the summary on the screen is incomplete"
exit $faults
