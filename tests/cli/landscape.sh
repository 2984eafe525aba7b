#!/bin/sh
# usage: landscape.sh PROGRAM SCENARIO, in a repository with the gallery
# Tests a landscape that is edited while chains run on it. Hills are added,
# moved, widened, weighted and removed, and all of this can be undone. Chains
# are moved to other points, and rewinding takes this into account. Commands and
# keys are tested.
export LC_ALL=C.UTF-8
program=$1 scenarios=$(dirname "$2")/../../scenarios
lesson=$scenarios/start/09_landscape.lua
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
faults=0

# says LINES WANT: checks that the session's answers to LINES begin with WANT.
says() {
    printf "$1" | "$program" repl "$lesson" 2>&1 |
        grep -E '^(`?hill|undone|done|chain|all|=|a |the|there|start)' >"$work/got"
    printf "$2" >"$work/want"
    diff "$work/want" "$work/got" || { echo "after '$1'"; faults=1; }
}
at='print(("=%%d %%.6g"):format(run.steps, run:arm(1):chain(2):state()[1]))\n'

# The chains continue from their positions when a hill is added or removed.
says "run:step(100)\n$at:hill add -4 4 0.5 0.2\n:hill 1 at 0 -1\n:hill\n$at:undo\n:undo\n:hill\n" \
'=100 1.74126
hill 4 is at (-4, 4) from step 100: draws begin at this step
hill 1 is at (0, -1) from step 100: draws begin at this step
hill 1 at (0, -1), width 1, weight 0.32
hill 2 at (2, 1), width 1, weight 0.32
hill 3 at (20, 15), width 1, weight 0.16
hill 4 at (-4, 4), width 0.5, weight 0.2
=100 1.74126
undone: the previous landscape
undone: the previous landscape
hill 1 at (-2, 0), width 1, weight 0.4
hill 2 at (2, 1), width 1, weight 0.4
hill 3 at (20, 15), width 1, weight 0.2
'
says ":hill drop 2\n:hill 2 weight 0.5\n:hill 1 width 3\n:hill\n" \
'hill 2 is removed from step 0: draws begin at this step
hill 2 has the weight 0.5 from step 0: draws begin at this step
hill 1 has the width 3 from step 0: draws begin at this step
hill 1 at (-2, 0), width 3, weight 0.5
hill 2 at (20, 15), width 1, weight 0.5
'
# Moving a hill with the mouse is a single undo step.
says ":hill 1 at 1 1\n:hill 1 drag 2 2\n:hill 1 drag 3 3\n:undo\n:hill\n" \
'hill 1 is at (1, 1) from step 0: draws begin at this step
hill 1 is at (2, 2) from step 0: draws begin at this step
hill 1 is at (3, 3) from step 0: draws begin at this step
undone: the previous landscape
hill 1 at (-2, 0), width 1, weight 0.4
hill 2 at (2, 1), width 1, weight 0.4
hill 3 at (20, 15), width 1, weight 0.2
'
says ":hill 4 at 1 1\n:hill 1 weight 1\n:hill 1 width 0\n:hill 1 up\n:hill add 1\n:hill drop 1\n:hill drop 1\n:hill drop 1\n" \
'the number of a hill must be between 1 and 3
a weight is a share of the total: it must be above 0 and below 1: give a share such as 0.3; the other weights keep their relative sizes
a width must be between 1e-06 and 1e6
`hill N` must be followed by `at X Y`, `width W` or `weight W`: for example `hill 1 at 1 -2`
`hill add` needs X Y [WIDTH [WEIGHT]]
hill 1 is removed from step 0: draws begin at this step
hill 1 is removed from step 0: draws begin at this step
the last hill cannot be removed
' 2>/dev/null
# A landscape that was saved as a scenario is the same when it is opened.
printf ':hill 3 at 4 3\n:hill add -4 4\n:save %s/mine.lua\n' "$work" |
    "$program" repl "$lesson" >/dev/null 2>&1
printf ':hill\n' | "$program" repl "$work/mine.lua" | grep -q 'hill 4 at (-4, 4), width 1, weight 0.25' ||
    { echo "a saved landscape is another"; faults=1; }
printf ':hill\n' | "$program" repl "$scenarios/start/01_first_walk.lua" 2>&1 | grep -q 'mixture in two dimensions' ||
    { echo "a landscape of what is none"; faults=1; }

# A chain is moved to a point. This can be undone, and rewinding and repeating
# the run include it.
says "run:step(10)\n$at:start short 2 at 5 6\n:start at 1=7\n:start short all at 0,1\n$at:undo\n:undo\n:undo\n$at" \
'=10 2.74449
chain 2 of short is at (5, 6) from step 10 on
chain 1 of short is at (7, -0.8255) from step 10 on
all chains of short are at new states from step 10 on
=10 0
undone: all chains of short back at the state where they had been
undone: chain 1 of short back at the state where it had been
undone: chain 2 of short back at the state where it had been
=10 2.74449
'
says "run:step(10)\n:start short 2 at 5 6\nrun:step(10)\n$at:rewind to 5\n$at:rewind to 20\n$at" \
"$(printf "run:step(10)\n:start short 2 at 5 6\nrun:step(10)\n$at" | "$program" repl "$lesson" | grep '^[=c]' | tail -2)
$(printf "run:step(5)\n$at" | "$program" repl "$lesson" | grep '^=')
$(printf "run:step(10)\n:start short 2 at 5 6\nrun:step(10)\n$at" | "$program" repl "$lesson" | grep '^=')
"
says ":start from mode 3\n:start from mode 4\n:start short 9 at 1 2\n:start at 1\n:start from hell\n:start at 3=1\n:start at 1,nan\n" \
'chain 1 of short is at (20, 15) from step 0 on
the number of a mode must be between 1 and 3
there is no chain 9 in arm short
a state of this target has 2 numbers: use `start at 1=0.5` to set only coordinate 1
start: expected `at` and numbers, `from prior`, `from mode N` or `from worst`: for example `start at 1=0.5 2=-3` or `start all from prior`
a state of this target has 2 numbers: use `start at 1=0.5` to set only coordinate 1
'
printf 'run:step(3)\n:start all from prior\nfor i = 1, 4 do print(run:arm(1):chain(i):state()[1]) end\n' |
    "$program" repl "$lesson" | sort -u | wc -l | grep -q '^6$' ||
    { echo "starts anew alike"; faults=1; }

# Keys on the map have the same effects.
screen() {
    "$program" shot "$lesson" --size 120x40 --steps 50 --keys "$1" >"$work/seen" 2>&1
    grep -q "$2" "$work/seen" || { tail -3 "$work/seen"; echo "after $1"; faults=1; }
}
screen 'Hnz' 'hill 2 (2, 1) width 1, 40 %'
screen 'HnN<right><up>)+z' 'hill 1 (-1\..*width 1.26, 45'
screen 'Haz' 'hill 4 ('
screen 'Hnnd' 'hill 3 is removed'
screen 'H<esc>n' 'visits'
exit $faults
