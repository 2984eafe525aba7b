#!/bin/sh
# usage: stages.sh PROGRAM SCENARIO
# Tests the stages of a lesson: a step starts over with another target, going back restores the run
# before exactly, and a journal and a recording reproduce both.
export LC_ALL=C.UTF-8
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/../support/begin.sh"
program=$(realpath "$program")
cd "$work" || exit 1
export XDG_STATE_HOME=$work/state

cat >lesson.lua <<'LUA'
local cs = require "chainscope"
local function arms(step) return { walk = cs.kernel.random_walk { step = step }, far = cs.kernel.random_walk { step = 8 } } end
return cs.scenario {
  title = "Stages", target = cs.target.gaussian { dim = 1 }, chains = 8, seed = 1, warmup = 0, start = { 3 },
  arms = arms(1), budget = { steps = 300 }, screen = { "lesson", "acceptance" },
  stages = {
    eight = { target = cs.target.gaussian { dim = 8 }, arms = arms(0.5), claims = { { arm = "walk", stat = "acceptance", near = 0.5, within = 0.1 } } },
    left = { start = { -2 }, chains = 4 },
  },
  course = {
    { say = "One." },
    { set = "far.step=4" },
    { run = 200 },
    { ask = "The acceptance of `walk`?", within = 0.2, truth = { figure = "acceptance", arm = "walk" } },
    { reveal = "{truth}" },
    { stage = "eight", say = "Eight." },
    { ask = "And here?", choose = { { "less", at_most = 0.3 }, { "half", at_least = 0.4 } }, truth = { figure = "acceptance", arm = "walk", at = "end" } },
    { run = 100 },
    { reveal = "{truth} and {mean walk x.8}" },
    { stage = "left", set = "far.step=2", say = "Left." },
    { run = 10 },
    { say = "The end." },
  },
}
LUA
plain() { printf "$1" | timeout 60 "$program" "${2-lesson.lua}" --plain >got 2>err; }
has() { for p; do grep -qE -- "$p" got || fault "no '$p' in: $(cat got)"; done; }
# line N: prints line N of ./got that is a state of chain 3
state() { grep '^{' got | sed -n "$1p"; }
look='lua return run.arms.walk:chain(3):state()\nstatus\n'

# Forward: each stage begins at step 0 with its own target, arms, chains and starts.
plain "\n\n\n0.7\n\n\nparams\n\n2\n\n\n\n${look}params\n\n\n${look}journal\n"
has '^Step 0: stage eight: the run starts over\.$' '^walk\.step is 0\.5,' '^Lesson step 9 of 12\.$' '^Your answer is right\.$' \
    '^0\.[0-9]+ and -?0\.[0-9]+' '^Step 0: stage left: the run starts over\.$' '^far\.step is 2,' '^# set stage=left$' '^10 end$' \
    '^# before 1 0 2 value step 4$' '^# before 1 200 end$' '^# before 2 # set stage=eight$' '^# before 2 100 end$' '^# course answer 7 2; first 2; right'
[ "$(state 1 | cut -c1-5)" = '{ -2 ' ] || fault "the start of the stage: $(state 1)"
grep -E '^#|^[0-9]+ ' got | grep -v '^1: \|^2: ' >journal.txt
end=$(state 2)

# Back over both stages: the runs before are there again, with a change that the user has made. Forward
# again, the same numbers come.
plain "\n\n\n0.7\n\nset walk.step=0.3\nstep 7\n$look\nset walk.step=2\nback\n${look}params\nundo\nparams\n"
[ "$(grep -c '^Paused at step 207,' got)" = 3 ] && [ "$(state 1)" = "$(state 2)" ] || fault "the run before: $(cat got)"
has '^walk\.step is 0\.3,' '^walk\.step is 1,' '^far\.step is 4,'
plain "\n\n\n0.7\n\n\n\n2\n\n\n${look}\nback\n${look}back\nback\nback\nback\n${look}params\n\n\n\n\n\n\n\n$look"
[ "$(state 1)" = "$(state 2)" ] && [ "$(state 1)" != "$(state 3)" ] || fault "the stage before: $(cat got)"
[ "$(state 4)" = "$end" ] || fault "forward again: $(state 4), not $end: $(cat got)"
has '^Paused at step 200,'

# A journal has the last run and those before it: from there, too, each step can be taken back.
plain "replay journal.txt\n${look}course\nback\nback\nback\n${look}back\nback\nback\nback\nback\n${look}params\nback\nback\nback\nparams\nback\n"
has '^Lesson step 12 of 12\.$' '^far\.step is 4,' '^far\.step is 8,' '^Paused at step 100,' 'this is the first step of the lesson'
[ "$(state 1)" = "$end" ] || fault "the journal: $(state 1), not $end"
grep -q 'failed' got && fault "a step failed: $(cat got)"
# A journal whose stage cannot be opened changes nothing: the lesson continues from its own runs.
sed '/^# before/d; s/^# set stage=left/# set stage=lost/' journal.txt >lost.txt
plain "\n\n\n0.7\n\n\nreplay lost.txt\nback\nstatus\nreplay lost.txt\nrestart\nparams\n"
has "there is no stage 'lost'" '^Paused at step 200,' '^Step 0: restarted' '^far\.step is 8,'
grep -q 'not known' got && fault "the run before is lost: $(cat got)"
# So does a recording, which also opens at each of its marks.
"$program" shot lesson.lua --steps 0 --size 100x30 -o shot.txt --keys \
    ':record class.cast<enter><enter><enter><enter>0.7<enter><enter><enter><enter>2<enter><enter><enter><enter><enter>:record<enter>' 2>err || fault "$(cat err)"
plain "${look}back\nback\nback\ncourse\n${look}" class.cast
[ "$(state 1)" = "$end" ] || fault "the recording: $(state 1), not $end"
has '^Lesson step 9 of 12\.$' '^Paused at step 100,'

# The time of a mark is also that of an earlier stage, whose steps have the same numbers.
for n in 5 9; do
    time=$(grep "\"m\", \"Lesson step $n of" class.cast | head -n 1 | sed 's/^\[\([0-9.]*\),.*/\1/')
    printf "course\nstatus\nlua return run.arms.walk:chain(1).state and #run.arms.walk:chain(1):state()\n" | "$program" class.cast --plain --at "${time}s" >got 2>&1
    has "^Lesson step $n of 12\.$" "^Paused at step $((n == 5 ? 200 : 100))," "^$((n == 5 ? 1 : 8))$"
done
"$program" class.cast --plain --at 1x </dev/null >got 2>&1
has 'at 1x is not a whole number'
# A script that saves the changes begins at the stage, too.
sed 's/, at = "end"//' lesson.lua >live.lua
plain "\n\n\n0.7\n\n\nset walk.step=0.3\nstep 20\n${look}save saved.lua\n" live.lua
printf "step 20\n$look" | "$program" saved.lua --plain >again
[ -n "$(state 1)" ] && grep -qxF "$(state 1)" again || fault "the saved stage: $(state 1), not $(cat again)"

# A restart begins with the first target; another seed, too.
plain '\n\n\n0.7\n\n\nrestart\nparams\nstatus\nseed 3\ncourse\njournal\n'
has '^walk\.step is 1,' '^Lesson step 1 of 12\.$' '^# set seed=3$'
grep -q '^# set stage' got && fault "the stage remains: $(cat got)"

# A run can begin at a stage; its claims are tested.
exits 0 run lesson.lua --set stage=eight
says 'x\.8 '
says 'within 0.1 of 0.5 *holds'
exits 1 run lesson.lua --set stage=nine
says "there is no stage 'nine': use one of: eight, left"
printf 'course\nback\n' | "$program" lesson.lua --plain --set stage=eight >got
has '^Lesson step 6 of 12\.$' 'the run of the stage before is not known: open the scenario without --set stage'
exits 0 course --check ./lesson.lua --seeds 2
says 'lesson, seed 2: 2 questions'

# A stage that cannot be opened is named, and the lesson goes on.
sed 's/chains = 4/target = cs.target.gaussian { dim = 2 }, start = { 1 }/' lesson.lua >fails.lua
plain '\n\n\n0.7\n\n\n\n2\n\n\n\n\n\nback\nback\nback\nstatus\n' fails.lua
has '^step 10 of the lesson failed: .*`start` must contain states of 2 coordinates' '^Lesson step 12 of 12\.$' '^Lesson step 9 of 12\.$'

# Wrong tables.
refused() {
    sed "$1" lesson.lua >bad.lua
    exits 1 run bad.lua --steps 10
    says "$2"
}
refused 's/stage = "eight"/stage = "eigth"/' "course: step 6: there is no stage 'eigth': did you mean 'eight'"
refused 's/say = "Eight."/say = "{acceptance walk}"/' "course: step 6: say: a figure in a step with .stage. would be measured before"
refused 's/say = "Eight."/run = 5/' "course: step 6: .stage. cannot be in one step with .run.: write two steps"
refused '/reveal = "{truth}" }/d' "course: step 5: stage: the question before is not revealed"
refused 's/stages = {/stagez = {/' "has no field 'stagez'"
refused 's/eight = { target/eight = { targte/' "stages: eight has no field 'targte': did you mean 'target'"
refused 's/run = 100/run = 301/' "course: its steps run 301 steps, but the budget has 300"
# The claims of the lessons' stages hold.
for stage in sixteen sixty_four; do exits 0 run "$source/scenarios/course/32_dimensions.lua" --set stage=$stage; says 'holds'; done
exit $faults
