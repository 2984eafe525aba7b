#!/bin/sh
# usage: course.sh PROGRAM SCENARIO
# Tests the steps of a lesson without a screen: questions, answers, covers, going back, the
# journal, a step that fails, wrong tables, the list of lessons and the check of lessons.
export LC_ALL=C.UTF-8
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/../support/begin.sh"
program=$(realpath "$program")
cd "$work" || exit 1
export XDG_STATE_HOME=$work/state

cat >lesson.lua <<'LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "Lesson", tags = "course week-1 minutes-2",
  target = cs.target.gaussian { dim = 2 }, chains = 8, seed = 1,
  arms = { walk = cs.kernel.random_walk { step = 1 }, far = cs.kernel.random_walk { step = 8 } },
  budget = { steps = 600 }, warmup = 0,
  course = {
    { say = "Two walkers." },
    { ask = "Which one accepts more?", choose = { "walk", "far" }, truth = { largest = "acceptance", at = "end" },
      wrong = "A step of 8 goes too far." },
    { run = 200, say = "Two hundred steps." },
    { reveal = "In order: {truth}.", show = { "map" } },
    { set = "far.step=1", say = "Both have step 1." },
    { ask = "The acceptance of `walk`?", within = 0.1, truth = { figure = "acceptance", arm = "walk" } },
    { run = 100 },
    { reveal = "It is {truth}." },
    { ask = "Is the newest proposal of `walk` accepted?", choose = { "yes", "no" }, truth = "accepted" },
    { reveal = "" },
    { say = "That is all." },
  },
}
LUA

# plain LINES: runs these lines in the lesson; the output is in ./got.
plain() { printf "$1" | timeout 60 "$program" "${2-lesson.lua}" --plain >got 2>err; }
# has PATTERN ..., lacks PATTERN ...: lines of the output
has() { for p; do grep -qE -- "$p" got || fault "no '$p' in: $(cat got)"; done; }
lacks() { for p; do grep -qE -- "$p" got && fault "'$p' in: $(cat got)"; done; }

# A question waits for an answer once; then the step is made without one.
plain '\n\n\n\n'
has '^Lesson step 1 of 11\.$' '^Two walkers\.$' '^Question: Which one accepts more\?$' '^2: far\.$' \
    'no answer yet: answer it' '^Lesson step 3 of 11'
# An empty answer leaves the question out, too.
plain '\nanswer \nanswer \ncourse\n'
has 'no answer yet: answer it' '^Lesson step 3 of 11'
# A number without an open question.
plain '2\n'
has 'no question is open at this step: press enter for the next step'
# The answer: by number, by its text, by the command; the last one counts, and a wrong word is refused.
plain '\nfar\nanswer 1\nanswer none\n'
# The question is not repeated after an answer, and the limit of the speed is not reported.
lacks 'no speed limit' 'your answer'
[ "$(grep -c '^Question:' got)" = 1 ] || fault "the question is repeated: $(cat got)"
has '^Your answer: far\.$' '^Your answer: walk\.$' "'none' is not one of the answers: answer with 1 walk, 2 far"
# While the question is open, the figure, the verdicts and the ranking are covered.
plain '\n2\n\nacceptance\narms\nrace\npanel summary\nsummary\nclaims\n'
has 'This run reports no such quantity' 'The arms cannot be ranked yet' 'summary: a question of the lesson is open' \
    'claims: a question of the lesson is open'
lacks 'percent accepted' '0\.6[0-9]'
plain '\n2\n\ncheck\n'
has 'check: a question of the lesson is open'
# Before the first question and between two, the verdicts and the texts of the file are covered:
# the run has already shown which arm is wrong.
cat >verdict.lua <<'LUA'
-- The arm `wide` has forgotten half of the ratio.
local cs = require "chainscope"
return cs.scenario {
  title = "Verdict", shows = "half a ratio is wrong",
  target = cs.target.gaussian { dim = 1 }, chains = 16, seed = 1, budget = { steps = 4000 }, warmup = 0, screen = { "lesson", "map" },
  arms = { good = cs.kernel.random_walk { step = 2 },
           wide = cs.kernel { propose = function(x, draw) return { 0.5 * x[1] + 2 * draw:normal() } end } },
  course = {
    { say = "Two walkers." },
    { ask = "Wider?", choose = { "good", "wide" }, truth = { largest = "sd", of = 1, at = "end" } }, { reveal = "{truth}" },
    { say = "On." },
    { ask = "More?", choose = { "good", "wide" }, truth = { largest = "ess", at = "end" } }, { reveal = "{truth}" },
  },
}
LUA
# shot NAME KEYS: the screen of verdict.lua after 2000 steps and these keys
shot() { "$program" shot verdict.lua --steps 2000 --size 120x40 -o "$1" --keys "$2" >/dev/null 2>err || fault "shot: $(cat err)"; }
shot before.txt ''
shot between.txt '<enter>1<enter><enter>'
shot after.txt '<enter>1<enter><enter><enter>1<enter>'
grep -q 'wrong\|half a ratio' before.txt between.txt && fault "the verdict is not covered: $(cat before.txt between.txt)"
[ "$(cat before.txt between.txt | grep -c 'verdicts are covered')" = 2 ] || fault "no reason: $(head -3 before.txt between.txt)"
grep -q "# wide .*\(wrong\|good\|disagree\)" after.txt || fault "no verdict after the last reveal: $(cat after.txt)"
grep -q '# wide  *[^ ]*  *[0-9]' before.txt || fault "no effective draws: $(cat before.txt)"
grep -q '# wide  *[^ ]*  *-' between.txt || fault "the next question asks for effective draws: $(cat between.txt)"
plain 'lesson\n' verdict.lua
lacks 'forgotten half' 'half a ratio'
# The answer is marked when it is revealed, and then all is shown again.
plain '\n2\n\n\narms\n'
has '^Your answer is wrong\. A step of 8 goes too far\.$' '^In order: walk \(0\.[0-9]+\), far \(0\.0[0-9]+\)\.$' \
    'percent accepted'
plain '\n1\n\n\n'
has '^Your answer is right\.$'
# Back: the run goes back to where the step began, the change of `set` is undone, and there is no
# arm of an old branch; forward, the same numbers come again.
plain '\n1\n\n\n\nparams\nback\nback\nback\nparams\nstatus\n1\n\n\n\n\n0.5\n\n\nstatus\narms\n'
has '^far\.step is 1,' '^far\.step is 8,' '^Paused at step 0' '^Paused at step 300' \
    '^Your answer is (right|wrong)\.$' '^It is 0\.[0-9]+\.$'
[ "$(grep -c '^walk is random_walk, 8 chains, 300 steps' got)" = 1 ] || fault "the arms: $(cat got)"
# Back over steps that were run after the change, too.
plain '\n1\n\n\n\n\n0.5\n\n\nback\nback\nback\nback\nback\nparams\n\n\n\n\n\n\nstatus\narms\n'
has '^far\.step is 8,' '^It is 0\.[0-9]+\.$' '^Paused at step 300'
[ "$(grep -cE '^(far|walk)[^ ]* is random_walk' got)" = 4 ] || fault "another arm: $(cat got)"
# A question about a decision covers the decision.
plain '\n1\n\n\n\n\n0.7\n\n\n\nstate\n1\n\nstate\n'
[ "$(grep -c 'this was \(accepted\|rejected\)' got)" = 1 ] || fault "the decision: $(cat got)"
# The field of a decision; the end of the lesson with its points, which the list remembers.
plain '\n1\n\n\n\n\n0.7\n\n\n\n1\n\n\n\n'
has '^Your answer: yes\.$' '^The lesson is over: [3-6] of 6 points\.$'
grep -qE '^lesson [3-6] 6$' state/chainscope/course || fault "$(cat state/chainscope/course)"
# The journal has the answers, the first and the last, and repeats them.
plain '\n2\n1\n\n\njournal\n'
has '^# course step 4$' '^# course answer 2 1; first 2; right; truth walk'
grep -E '^#|^[0-9]+ ' got | grep -v '^1: \|^2: ' >journal.txt
plain 'replay journal.txt\ncourse\nstatus\n'
has '^Lesson step 4 of 11\.$' '^Your answer: walk\.$' '^In order: walk' '^Paused at step 200'
# With another seed the truth is measured again.
printf '\n1\n\n\n' | "$program" lesson.lua --plain --set seed=7 >got2
grep -q '^Your answer is right' got2 || fault "seed 7: $(cat got2)"

# A step that fails is named, and the lesson goes on.
sed 's/largest = "acceptance", at = "end"/largest = "tour_best"/' lesson.lua >fails.lua
plain '\n1\n\n\n\n' fails.lua
has '^step 4 of the lesson failed: .*tour_best by walk is not known here' '^Lesson step 5 of 11'
# Its question is not asked again, and the text of the step before is not repeated.
plain '\n\n\n\n\n' fails.lua
sed -i '1,/^Lesson step 4/d' got
lacks '^Question: Which' '^Two hundred'
cat >fails.lua <<'LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "Fails", target = cs.target.gaussian { dim = 1 }, budget = { steps = 400 },
  arms = { b = cs.kernel.random_walk { step = 3 } },
  course = { { say = "One." }, { set = "b.step=-1" }, { run = 50, stop = "reject" }, { say = "Four." } },
}
LUA
plain '\n\n\n' fails.lua
has '^step 3 of the lesson failed: step = -1 is out of range' '^Lesson step 4 of 4\.$'

# An order of arms, a place, a value of a state at a later step, and the marks of each.
cat >more.lua <<'LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "More", target = cs.target.gaussian { dim = 2 }, chains = 8, seed = 2, warmup = 0, start = { 1, 0 },
  arms = { a = cs.kernel.random_walk { step = 0.5 }, b = cs.kernel.random_walk { step = 3 }, c = cs.kernel.random_walk { step = 12 } },
  budget = { steps = 400 },
  course = {
    { say = "Three." }, { run = 50, stop = "reject", arm = "b" },
    { ask = "Order?", order = { "b", "c", "a" }, truth = { largest = "acceptance", at = 400 } },
    { reveal = "{truth}" },
    { ask = "Where is it?", place = { "x.1", "x.2" }, within = 0.4, cover = { "mean" }, truth = { state = 1, arm = "c", at = 50 } },
    { reveal = "{truth}" },
    { ask = "R-hat?", choose = { 1, 5, 20 }, truth = { figure = "rhat", arm = "c", of = 1, at = "end",
      start = { { 40, 0 }, { -40, 0 }, { 40, 1 }, { -40, 1 }, { 40, 2 }, { -40, 2 }, { 40, 3 }, { -40, 3 } } }, wrong = "No." },
    { reveal = "{truth}" },
  },
}
LUA
plain '\n\nb c a\nanswer 3 1\n3,1,2\n\n\n9 9\n\n\n1\n\n\n' more.lua
has '^Paused at step [1-9],' 'Your answer: a, b, c\.$' '2 of 3 arms are named' \
    '^Your answer is right\.$' '^Question: Where is it\?$' '^Answer with two numbers: x\.1 x\.2\.$' '^Your answer: 9, 9\.$' \
    '^Your answer is wrong\.$' '^Question: R-hat\?$' '^3: 20\.$'
plain '\nstate\n' more.lua
has 'of b is at' 'this was rejected'
exits 0 course --check ./more.lua
says 'more, seed 1: 3 questions'

# A question with several right answers: each answer is decided by a figure of its own.
cat >several.lua <<'LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "Several", target = cs.target.gaussian { dim = 1 }, chains = 8, seed = 2, warmup = 0, budget = { steps = 400 },
  arms = { a = cs.kernel.random_walk { step = 2 }, b = cs.kernel.random_walk { step = 3 }, c = cs.kernel.random_walk { step = 40 } },
  course = {
    { say = "Three." },
    { ask = "Which accept more than a fifth?", several = true, wrong = "Count.", choose = { { "a", at_least = 0.2 }, { "b", at_least = 0.2 },
      { "c", at_least = 0.2, say = "c goes too far." }, { "c moves less than a", at_most = 0, truth = { figure = "acceptance", arm = "c", less_than = "a", at = "end" } } },
      truth = { figure = "acceptance", at = "end" } },
    { run = 100 },
    { reveal = "{truth}" },
    { ask = "Which reject all?", several = true, choose = { { "a", at_most = 0.01 }, { "b", at_most = 0.01 } }, truth = { figure = "acceptance" } },
    { reveal = "{truth}" },
  },
}
LUA
plain '\n\na, c\nanswer toggle 2\nanswer toggle 3\nanswer 9\n\n4 1 2\n\njournal\nnone\n\nnone\n\n\n' several.lua
has '^Answer with the numbers of all right answers, or with none\.$' '^4: c moves less than a\.$' '^Your answer: a, c\.$' '^Your answer: a, b, c\.$' \
    '^Your answer: a, b\.$' "'9' is not one of the answers" '^Your answer: a, b, c moves less than a\.$' \
    '^# course answer 2 1 2 4; first 1 2; right; truth a \(0\.[0-9]+\), b \(0\.[0-9]+\), c \(0\.0[0-9]+\), c moves' '^Your answer: none\.$'
[ "$(grep -c '^Your answer is right\.$' got)" = 2 ] || fault "the marks: $(cat got)"
lacks 'acceptance. is covered'
plain '\n1 2 3 4\n\n\n' several.lua
has '^Your answer is wrong\. c goes too far\.$'
# The check finds right answers that are always at the same place, and a wrong answer without a sentence.
cat >guess.lua <<'LUA'
local cs = require "chainscope"
local truth = { figure = "acceptance", at = "end" }
local function ask(...) return { ask = "How much?", choose = { ... }, truth = truth } end
local low, high = { "little", at_most = 0.2, say = "No." }, { "much", at_least = 0.4 }
return cs.scenario {
  title = "Guess", target = cs.target.gaussian { dim = 1 }, chains = 8, seed = 2, warmup = 0, budget = { steps = 200 },
  arms = { a = cs.kernel.random_walk { step = 1 } },
  course = { { say = "One." }, ask(low, high), { reveal = "" }, ask(low, high), { reveal = "" }, ask(low, high), { reveal = "" } },
}
LUA
exits 1 course --check ./guess.lua
says 'step 7: the right answer is number 2 in all 3 questions'
sed 's/ask(low, high), { reveal = "" } }/ask(high, low, { "some", at_least = 0.2, at_most = 0.3 }), { reveal = "" } }/' guess.lua >mute.lua
exits 1 course --check ./mute.lua
says 'the wrong answer 3 has no sentence'
sed 's/, { "some".*0.3 }//' mute.lua >fine.lua
exits 0 course --check ./fine.lua
exits 0 course --check ./several.lua --seeds 2
says 'several, seed 2: 2 questions'
sed 's/{ "c", at_least = 0.2,/{ "nobody", at_least = 0.2,/' several.lua >bad.lua
exits 1 run bad.lua --steps 10
says "course: step 2: choose: answer 3: there is no arm 'nobody'"
sed 's/{ "b", at_least = 0.2 }/"b"/' several.lua >bad.lua
exits 1 run bad.lua --steps 10
says 'course: step 2: choose: answer 2 has no range'
sed 's/several = true, wrong/wrong/' several.lua >bad.lua
exits 1 run bad.lua --steps 10
says 'course: step 2: choose: answer 4 has a truth: several = true'

# A recording opens at the step of the lesson with its answers.
"$program" shot lesson.lua --steps 0 --size 80x24 -o shot.txt --keys \
    ':record class.cast<enter><enter>2<enter><enter>:record<enter>' 2>err || fault "$(cat err)"
plain 'course\n' class.cast
has '^Lesson step 4 of 11\.$' '^Your answer: far\.$' '^Your answer is wrong\.'
# Its marks have the story: each step, the question, the answer, the truth, and marks of the user.
"$program" shot lesson.lua --steps 0 --size 80x24 -o shot.txt --keys \
    ':record story.cast<enter><enter>2<enter><enter>:mark the vote<enter>MM:record<enter>:mark no<enter>M' 2>err || fault "$(cat err)"
grep -q 'nothing is recorded' shot.txt || fault "a mark without a recording: $(cat shot.txt)"
"$program" replay story.cast --plain | sed 's/^At [0-9.]* s\(, step [0-9]*\)*: //' >got
cat >wanted <<'END'
Lesson step 1 of 11.
  Two walkers.
Lesson step 2 of 11.
  Question: Which one accepts more?
  1: walk.
  2: far.
  Answer with the number of one answer.
Your answer: far.
Lesson step 3 of 11.
  Two hundred steps.
Lesson step 4 of 11.
  Your answer: far.
  Your answer is wrong. A step of 8 goes too far.
END
head -n 13 got | cmp -s - wanted || fault "the story: $(cat got)"
has '^  In order: walk' '^the vote$' '^2$' '^3$' '^the end$'
lacks 'no$' '[┌│]'
# Each of many long sentences is one mark, also if it does not fit into its page of the file.
{ sed -n '1,/course = {/p' lesson.lua
  for i in $(seq 20); do printf '{ say = "%s" },\n' "$(printf "word$i %.0s" $(seq 80))"; done
  echo '} }'; } >long.lua
"$program" shot long.lua --steps 0 --size 80x24 -o shot.txt --keys \
    ":record long.cast<enter>$(printf '<enter>%.0s' $(seq 19)):record<enter>" 2>err || fault "$(cat err)"
"$program" replay long.cast --plain >got
[ "$(grep -c '^At .*: Lesson step' got)" = 20 ] && [ "$(grep -c '^At' got)" = 21 ] || fault "a mark is split: $(cut -c1-90 got)"
[ "$(grep -cE '^  (word[0-9]* ){80}' got)" = 20 ] || fault "a mark is cut: $(cat got)"

# For a projector: the lesson in large letters above two pictures, without the strip of arms.
big() { "$program" shot lesson.lua --steps 0 --size "$1" -o shot.txt --keys "$2" 2>err || fault "$(cat err)"; }
big 120x40 ':layout lecture<enter><enter>'
grep -q '[▘▝▖▗▛▜]' shot.txt || fault "no large letters: $(cat shot.txt)"
grep -q '^ 1 lesson .* step 2 of 11' shot.txt || fault "the lesson is not at the left: $(cat shot.txt)"
[ "$(grep -c 'walk\|far' shot.txt)" = 3 ] || fault "more than the answers and the question: $(cat shot.txt)"
big 80x24 ':big<enter>'
grep -q 'T w o   w a l k e r s\|[▘▝▖▗▛▜]' shot.txt || fault "no large letters: $(cat shot.txt)"
big 80x24 ':layout lecture<enter>:layout<enter>'
grep -q 'Two walkers' shot.txt || fault "the letters are still large: $(cat shot.txt)"
big 80x24 ':big now<enter>'
grep -q 'big has no argument' shot.txt || fault "an argument is not refused: $(cat shot.txt)"

# Wrong tables: the step, the field, and what is allowed.
refused() {
    sed "$1" lesson.lua >bad.lua
    exits 1 run bad.lua --steps 10
    says "$2"
}
refused 's/{ "walk", "far" }/{ "walk", "nobody" }/' "course: step 2: choose: answer 2: there is no arm 'nobody': use one of: far, walk"
refused 's/say = "Two walkers."/sey = "x"/' "bad.lua:8: course: step 1: step has no field 'sey': did you mean 'say'?"
refused 's/{ say = "Two walkers." }/{ run = 10 }/' "course: step 1 has .run.: begin with a step that only has say"
refused 's/far.step=1"/os.exit=1"/' "course: step 5: set: there is no arm 'os'"
refused 's/"accepted"/"acceptd"/' "course: step 9: truth: a decision has no field 'acceptd': did you mean 'accepted'?"
refused 's/{ reveal = "" },//' "course: the last question is not revealed"
refused 's/{ run = 100/{ say = "{ess far}", run = 100/' "course: step 7: say: a figure in a step with .run. would be measured before the run"
refused 's/"map"/"mapp"/' "course: step 4: there is no panel 'mapp': did you mean 'map'?"
refused 's/run = 100/run = 1e6/' "course: its steps run 1000200 steps, but the budget has 600"
refused 's/say = "Both have step 1."/say = function() end/' "course: step 5: step: field 'say' is a function: give a string"

# The check of a lesson: decided questions, right and wrong answers. A question that chance decides
# is a fault.
rm state/chainscope/course
exits 0 course --check ./lesson.lua
says 'lesson, seed 1: 3 questions, at least'
[ ! -e state/chainscope/course ] || fault "the check is stored as done"
sed 's/step = 8/step = 1.01/' lesson.lua >close.lua
exits 1 course --check ./close.lua
says 'step 4: the run does not decide the question: the answers are'
# The list.
exits 0 course
says '^week 1$'
says '11_asymmetric  *[0-9]* min'
says 'chainscope course --syllabus'
# The plan for lecturers names lessons that exist.
exits 0 course --syllabus
says '^# Syllabus'
for name in $(grep -oE '`[0-9]+b?_[a-z_]+`' said | tr -d '`'); do
    ls "$source"/scenarios/*/"$name.lua" >ls.txt 2>&1 || fault "the syllabus names '$name', which is no scenario"
done
exits 0 course --plain 1b </dev/null
grep -q 'opened course/1b_shortcuts' said || fault "course 1b: $(cat said)"
exits 1 course 99
says "unknown lesson '99'"
exit $faults
