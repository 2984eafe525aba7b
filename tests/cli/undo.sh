#!/bin/sh
# usage: undo.sh PROGRAM SCENARIO, in a repository with the gallery
# Tests that changes are undone and redone in order: parameters and schedules,
# arms, kernels, the speed. A change in the past is undone at the current step.
export LC_ALL=C.UTF-8
program=$1 scenarios=$(dirname "$2")/../../scenarios
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
faults=0

# says LINES WANT: runs LINES in the lesson about steps. The answers that begin
# with "undone", "redone" or "=" must be WANT.
says() {
    printf "$1" | "$program" repl "$scenarios/start/02_step_size.lua" 2>&1 |
        grep -E '^(undone|redone|=|no|large.step is )' >"$work/got"
    printf "$2" >"$work/want"
    diff "$work/want" "$work/got" || { echo "after '$1'"; faults=1; }
}

step='print(("=%%g"):format(run:arm("large"):plan().step))\n'
says ":set large.step 3\nrun:step(5)\n:set large.step 2\n:undo\n$step:undo\n$step:redo\n$step:redo\n$step:redo\n" \
    'undone: large.step from 2 back to 3\n=3\nundone: large.step from 3 back to 10\n=10\nredone: large.step from 10 back to 3\n=3\nredone: large.step from 3 back to 2\n=2\nnothing to redo\n'
says ":set large.step cs.schedule.cosine { max = 3, min = 1, period = 50 }\n:set large.step 2\n:undo\nrun:step(1)\n:undo\n$step" \
    'undone: large.step from 2 back to cs.schedule.cosine { max = 3, min = 1, period = 50, shape = "floor", rest = 0 }\nundone: large.step back to 10\n=10\n'
arms='print("=" .. #run.arms)\n'
says ":set small.step 0.7\n:arm add mala step=0.3\nrun:step(10)\n:arm drop small\n${arms}:undo\n${arms}print(('=%%g'):format(run:arm('small'):plan().step))\n:undo\n${arms}:redo\n:redo\n${arms}" \
    '=4\nundone: small was restored and makes its steps again\n=5\n=0.7\nundone: mala was removed\n=4\nredone: mala was restored and makes its steps again\nredone: small was removed\n=4\n'
says "run:step(10)\n:arm kernel small mala step=0.2\n:arm rename small tiny\n:undo\n:undo\nprint('=' .. run:arm('small').kernel)\n:redo\nprint('=' .. run:arm('small').kernel)\n" \
    'undone: tiny was renamed to small\nundone: the kernel of small is random_walk\n=random_walk\nredone: the kernel of small is mala\n=mala\n'
says ":speed 7\n:undo\n:undo\n" 'undone: no speed limit again\nnothing to undo: use `rewind` to go back by steps; files already written are kept\n'
# A parameter was set at step 20. At step 10, where it was not yet set, there is
# nothing to undo.
says "run:step(20)\n:set large.step 3\nrun:step(5)\n:rewind to 10\n:undo\n${arms}" \
    'large.step is already 10 at this step: the change is at a later step: go there with ]\n=4\n'
# If an arm is removed while another arm catches up, the run does not start.
says "run:step(3000)\n:arm add mala step=0.3\n:arm drop mala\nprint('=' .. run.steps)\n:arm add mala step=0.3\n:undo\nprint('=' .. run.steps)\n" \
    '=3000\nundone: mala was removed\n=3000\n'

# After a change in the past and a restart, the earlier branch has its own
# values.
says "run:step(50)\n:set large.step 3\nrun:step(50)\n:set large.step 4\nrun:step(10)\n:rewind to 70\n:set large.step 5\n${arms}:restart\n${step}print(('=%%g'):format(run:arm('large.old'):plan().step))\n" \
    '=5\n=5\n=3\n'

# Keys on the screen have the same effects. Steps are not undone.
screen() {
    "$program" shot "$scenarios/start/02_step_size.lua" --size 120x40 --keys "$1" >"$work/seen"
    grep -q "$2" "$work/seen" || { tail -2 "$work/seen"; echo "after $1"; faults=1; }
}
screen 'z<right><right><right>UUU' 'undone: the zoom, restored'
screen ':layout trace<enter>(U' 'undone: the part of the axis, restored'
screen 'z<right><right>.U' 'cannot be undone: use , and < to undo steps; U again'
screen '<right><right>:set nosuch 3<enter>U' 'undone: small.step from 0.0629463 back to 0.05'
screen ':arm add mala step=0.1<enter>pUU' 'undone: mala was removed'
screen ":screenshot $work/x.svg<enter>U" 'files already written are kept'
exit $faults
