#!/bin/sh
# usage: game.sh PROGRAM SCENARIO
# Tests game: the moves, the scores and the answer, in a pipe.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
# plays LINES ARGUMENTS ...: plays a game with these lines, separated by blanks.
plays() {
    lines=$1
    shift
    echo "$lines" | tr ' ' '\n' | "$program" game "$@" >said 2>err || fault "$*: exit $?: $(cat said err)"
}
# The arm that is broken, by the answer of `quit`.
plays quit stale_pair --seed 4
says 'stale_pair'
says '  wrong: both coordinates are drawn from the old values'
says '  law stationarity: .* no longer follow the target'
says 'the correct kernel first goes elsewhere at step'
broken=$(sed -n 's/^arm \(.\) was broken.*/\1/p' said)
other=$(echo abcd | tr -d "$broken" | cut -c1)

# The reveal compares with the run of the game: at its step, a coordinate of the chain has this value.
scenario=$(dirname "$2")/../../scenarios/course/game.lua
sed -n 's/.*first goes elsewhere at step \([0-9]*\) (chain \([0-9]\): .*, not \(.*\))$/\1 \2 \3/p' said >reveal
read -r step chain value <reveal
cat >moves <<END
game quit
step $step
lua for _, x in ipairs(run.arms.$broken:chain($chain):state()) do print(("is %.4g"):format(x)) end
END
"$program" "$scenario" --plain --set seed=4 --set fault=stale_pair <moves >said 2>err
grep -qxF "is $value" said || fault "step $step of the reveal is not of the run: $(cat said)"

# An answer after 400 steps costs 10 for each of three doublings.
plays "5 3 $broken" stale_pair --seed 4
says 'step 400, 4 chains per arm'
says '^right: 70 points after 400 steps'
# The broken arm has correlation 0, the others that of the target.
[ "$(grep -c 'corr  0.[78]' said)" -ge 6 ] || fault "the correct arms: $(cat said)"
plays "$other" stale_pair --seed 4
says '^wrong: -50 points after 0 steps'

# The exact moments are those of the target, of which a part is outside the histogram.
plays '1 quit' ratio_backwards --seed 9
says '^exact .* mean  3.00  sd 1.73'

# check tests one arm, once, for 30 points.
printf '1\ncheck %s\ncheck a\ncheck\nhop\n%s\n' "$broken" "$broken" | "$program" game stale_pair --seed 4 >said 2>err
says 'stationarity BROKEN'
says 'check was already used'
says "the game has no move 'hop'"
says '^right: 70 points after 50 steps'
printf 'check %s\nq\n' "$other" | "$program" game stale_pair --seed 4 >said 2>err
grep -q BROKEN said && fault "check reports a correct arm: $(cat said)"

# The seed selects the fault and the broken arm; the game is the same again.
for seed in 1 2 3 4 5 6; do
    echo q | "$program" game --seed $seed 2>&1 | sed -n 's/^\(arm . was broken: .*\)/\1/p'
done >all
[ "$(wc -l <all)" = 6 ] || fault "games without an answer: $(cat all)"
[ "$(cut -c1-5 all | sort -u | wc -l)" -ge 3 ] || fault "one arm only: $(cat all)"
[ "$(cut -d: -f2 all | sort -u | wc -l)" -ge 4 ] || fault "few faults: $(cat all)"

# `chainscope course` lists the best score.
"$program" course >said
says 'game .*done, 70 of 100 points'

# The scenario without a screen plays by the same moves; its journal is counted by
# `course results`, and a replay is the same game.
printf '3\ncheck %s\nrace\nset a.step=1\n%s\njournal\n' "$broken" "$broken" |
    "$program" "$scenario" --plain --set seed=4 --set fault=stale_pair >said 2>err
says '^a is covered, 4 chains, 0 steps'
says 'step 150, 4 chains per arm'
says 'only moves are possible in a game'
says '^right: 54 points after 150 steps'
says "^# course move 150 name $broken"
mkdir class
sed -n '/^# chainscope journal/,$p' said >class/anna.txt
echo | "$program" "$scenario" --plain --replay class/anna.txt >said 2>err
says '^Right: 54 points after 150 steps'
XDG_STATE_HOME=$work/other "$program" "$scenario" --plain --replay class/anna.txt </dev/null >other 2>err
XDG_STATE_HOME=$work/other "$program" course >other # the score is not that of this user
grep -q 'game .*done' other && fault "a replay stores a score: $(cat other)"
says '^Law stationarity: .* no longer follow the target'
says 'the game is over'
"$program" course results class --students >said
says '^anna,game,1,1,54$'
"$program" course results class >said
says '^game,1,1,1.000,1,1.000$'

# The journal of a game with many moves is read to its end.
printf 'game quit\njournal\n' | "$program" "$scenario" --plain --set seed=4 2>err | sed -n '/^# chainscope journal/,$p' >short.txt
awk '/^# course move 0 quit/ { for (i = 0; i < 300; i++) print "# course move 0 run 1" } { print }' short.txt >long.txt
printf '\n' | "$program" "$scenario" --plain --replay long.txt >said 2>err
says 'the game is over'

# Numbers of moves that the game does not have; settings and changes of what the seed draws, also
# after the end, when they would open the game again.
printf '0\n101\n99999999999999999999\n' | "$program" game stale_pair --seed 4 >said 2>err
[ "$(grep -c '1 to 100, an arm' said)" = 3 ] || fault "numbers of moves: $(cat said)"
for set in a.step=1 target.rho=0.2 'arms#1=drop a' chains=2 warmup=100; do
    exits 1 "$scenario" --plain --set "$set"
    says 'a game'
done
exits 1 "$scenario" --plain --set seed=1.5
says 'seed = 1.5 is out of range'
printf 'game quit\narm drop a\nset b.target.rho=0.2\ngame a\n' | "$program" "$scenario" --plain --set seed=4 --set fault=stale_pair >said 2>err
[ "$(grep -c 'the arms and the target of a game cannot be changed' said)" = 2 ] || fault "changes of a game: $(cat said)"
says 'the game is over'

# A run that has become free again stops when another game begins.
printf 'game quit\nrun\nseed 5\nstatus\nwait\nstatus\n' | "$program" "$scenario" --plain --set seed=4 >said 2>err
[ "$(tail -n 1 said)" = 'Paused at step 0, 0 percent of the budget.' ] || fault "the game runs: $(cat said)"

# An option of the game elsewhere, and fields that a game does not have.
exits 1 run "$2" --set fault=greedy
says "cannot set 'fault'"
cat >own.lua <<'EOF'
local cs = require "chainscope"
return cs.scenario { title = "t", game = {}, chains = 3 }
EOF
exits 1 run own.lua
says "a game has no field 'chains'"
sed 's/chains = 3/stages = { a = { chains = 3 } }/' own.lua >stages.lua
exits 1 run stages.lua
says "a game has no field 'stages'"
sed -i 's/game = {}, chains = 3/game = { fault = "greed" }/' own.lua
exits 1 run own.lua
says "there is no fault 'greed'"

exits 1 game no_fault
says 'there is no fault'
exits 2 game --seed x
exit $faults
