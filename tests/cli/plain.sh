#!/bin/sh
# usage: plain.sh PROGRAM SCENARIO, in a repository with the gallery
# Tests lines of commands as input and sentences as output: commands, panels as
# text, events. A run that is shared as a line is repeated by that line.
export LC_ALL=C.UTF-8
. "$(dirname "$0")/../support/begin.sh"
scenarios=$(dirname "$2")/../../scenarios

# says LINES WANT ...: after LINES, in the lesson about steps, the output
# contains each WANT as a line.
says() {
    printf "$1" | timeout 60 "$program" "$scenarios/start/02_step_size.lua" --plain \
        >"$work/got" 2>"$work/err"
    [ -s "$work/err" ] && { cat "$work/err"; fault "after '$1': stderr"; }
    lines=$1
    shift
    for want; do
        grep -qE -- "$want" "$work/got" ||
            { cat "$work/got"; fault "after '$lines': no '$want'"; }
    done
}
says 'step 500\nstate\narms\n' '^Paused at step 500, .* percent of the budget\.$' \
    '^Chain 1 of small is at x\.1 .*, where log p is' \
    '^It proposed .* and this was (accepted|rejected)\. The change of log p is' \
    '^small is random_walk, 4 chains, 500 steps, [0-9.]+ percent accepted'
says ':set large.step 3\nparams\n' '^Step 0: large.step = 3 from step 0\.$' '^large\.step is 3, from'
[ "$(grep -c 'large.step = 3' "$work/got")" = 1 ] || fault "an event is printed twice"
says 'step 200\nacceptance\ntrace\ndistance\nrace\nlesson\nvisits\n' \
    '^Chain 4 of large recently accepted' '^The energy of chain 1 of small went from' \
    '^The distance ks\.x\.1 of small from the exact distribution is .*; independent' '^`.*'
says 'bogus\npanel map\n;print(6 * 7)\nhelp\ncommands\n\n# nothing\n' "unknown command 'bogus'" \
    '^map of small:$' '^42$' '^state: the displayed chain' '^rewind -STEPS' '^Paused at step 0'
# The name of a panel is enough, and a panel tells all its numbers.
says 'step 200\nenergy\nmap\n' '^energy of small:$' 'nats' '^map of small:$' '^draws up: '
# Every panel is described, and nothing is "nan".
names=$(printf 'help\n' | "$program" "$scenarios/start/02_step_size.lua" --plain | sed -n '/^panel NAME/{n;s/,//g;p}')
[ "$(echo "$names" | wc -w)" -ge 30 ] || fault "help lists only: $names"
{ echo acceptance; echo step 20; for name in $names; do echo "panel $name"; done; } |
    "$program" "$scenarios/start/02_step_size.lua" --plain >"$work/got"
grep -qE 'nan|no such panel|still being computed' "$work/got" && fault "$(grep -nE 'nan|no such|still being' "$work/got")"
[ "$(grep -cE '^[a-z][a-z :]* of small:$' "$work/got")" -ge 20 ] || fault "few panels are described: $(cat "$work/got")"
# A long line is executed. A line that is too long or has an invalid byte is
# refused as a whole, and the next line is read.
(printf ';print(#"' && head -c 5000 /dev/zero | tr '\0' x && printf '")\n;print("' &&
    head -c 200000 /dev/zero | tr '\0' x && printf '")\n;print(1)\0quit\n;print(6 * 7)\n') |
    "$program" "$scenarios/start/02_step_size.lua" --plain >"$work/got"
[ $? -eq 1 ] || fault "a long line was accepted"
tail -n 4 "$work/got" | tr '\n' ' ' | grep -q \
    '^5000 ignored a line that is longer than .* ignored a line that contains a zero byte 42 $' ||
    fault "long lines: $(tail -n 4 "$work/got" | cut -c 1-200)"
# The output has no grid and no escape sequences, only text.
grep -q "$(printf '\033')" "$work/got" && fault "escape sequences"
# When its input ends, the program waits until the budget is used.
says 'set small.step 1\nrun\n' '^Done at step [0-9]*, 100 percent'
# The exit code of a script reports whether a command was refused.
printf 'bogus\n' | "$program" "$scenarios/start/02_step_size.lua" --plain >"$work/got"
[ $? -eq 1 ] || fault "bogus was accepted"
printf 'status\n' | "$program" screen --plain | grep -q 'No scenario is open' ||
    fault "without a scenario"

# ---- watch prints a run of another process as sentences
"$program" run "$scenarios/start/01_first_walk.lua" --steps 500 --out "$work/written" >"$work/was" || fault "run --out"
printf 'summary\n' | "$program" watch "$work/written" --plain >"$work/got" || fault "watch --plain fails"
grep -q '^Done at step 450' "$work/got" || fault "watch --plain does not print the step: $(cat "$work/got")"
mean() { awk '$1 == "x.1" { print $2, $3 }' "$1"; }
[ -n "$(mean "$work/was")" ] && [ "$(mean "$work/was")" = "$(mean "$work/got")" ] || fault "watch --plain prints other figures"

# ---- share prints a line that repeats the same run
lesson=$scenarios/start/02_step_size.lua
line=$(printf ':set large.step 3\nrun:step(70)\n:share\n' | "$program" repl "$lesson" | tail -1)
case $line in
"chainscope "*" --set seed="*" --set large.step=3 --at 70") ;;
*) fault "share prints $line" ;;
esac
same() {
    command=$(echo "$1" | sed "s|^chainscope|$program|; s/--layout '.*'//")
    printf 'state\n' | eval "$command --plain" | grep '^Chain 1' >"$work/again"
    diff "$work/was" "$work/again" || fault "$1: the state differs"
}
printf 'set large.step 3\nstep 70\nstate\n' | "$program" "$lesson" --plain | grep '^Chain 1' >"$work/was"
same "$line"
printf 'step 50\nset small.step 2\nstep 20\nstate\nshare\nshare %s/way.lua\n' "$work" |
    "$program" "$lesson" --plain >"$work/got"
grep -q 'a command line cannot contain changes made during the run' "$work/got" || fault "a line for a run that no line can repeat"
grep '^Chain 1' "$work/got" >"$work/was"
same "$(tail -1 "$work/got")"
# On the screen the line also has the panels.
"$program" shot "$lesson" --size 200x40 --keys ':layout trace=x.1 acceptance<enter>:share<enter>' |
    grep -q -- "--at 1000 --layout 'trace=x.1 acceptance'" || fault "the screen's line has no panels"
exit $faults
