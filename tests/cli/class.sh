#!/bin/sh
# usage: class.sh PROGRAM SCENARIO
# Tests the votes of a class: counts that the lecturer types, the first and the last vote in the
# journal and after the reveal, and the results of a folder of journals and recordings.
export LC_ALL=C.UTF-8
. "$(dirname "$0")/../support/begin.sh"
program=$(realpath "$program")
cd "$work" || exit 1
export XDG_STATE_HOME=$work/state

cat >lesson.lua <<'LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "Lesson", target = cs.target.gaussian { dim = 1 }, chains = 8, seed = 1,
  arms = { walk = cs.kernel.random_walk { step = 1 }, far = cs.kernel.random_walk { step = 8 } },
  budget = { steps = 300 }, warmup = 0, screen = { "lesson", "acceptance" },
  course = {
    { say = "Two walkers." },
    { ask = "Which one accepts more?", choose = { "walk", "far" }, truth = { largest = "acceptance", at = "end" } },
    { run = 200 },
    { reveal = "In order: {truth}." },
    { ask = "The acceptance of `walk`?", within = 0.2, truth = { figure = "acceptance", arm = "walk" } },
    { reveal = "{truth}" },
  },
}
LUA

# plain LINES: runs these lines in the lesson; the output is in ./got.
plain() { printf "$1" | timeout 60 "$program" lesson.lua --plain >got 2>err; }
has() { for p; do grep -qE -- "$p" got || fault "no '$p' in: $(cat got)"; done; }
lacks() { for p; do grep -qE -- "$p" got && fault "'$p' in: $(cat got)"; done; }

# Counts by letter or in order; the second time they are the second vote. They are shown with the
# truth, not before.
plain '\nclass A 12 b 7\n'
has '^votes of the class: A 12 b 7$'
lacks '63 %%'
plain '\nclass A 12, B 7\nclass 4 12\n1\n\n\njournal\n'
has '^Class: walk 12 \(63 %\), far 7 \(37 %\)\.$' '^Class, second vote: walk 4 \(25 %\), far 12 \(75 %\)\.$' \
    '^# course class 2 12 7; second 4 12; right 1$' '^# course first 2 right$'
# A replayed journal has them again; `class none` removes them.
grep -E '^#|^[0-9]+ ' got | grep -v '^1: \|^2: ' >journal.txt
plain 'replay journal.txt\ncourse\njournal\n'
has '^Class: walk 12 ' '^Class, second vote: walk 4 ' '^# course class 2 12 7; second 4 12; right 1$' '^# course first 2 right$'
plain '\nclass 9 7\njournal\n'
grep -E '^#|^[0-9]+ ' got | grep -v '^1: \|^2: ' >journal.txt
plain 'replay journal.txt\njournal\n1\n\n\n' # one vote only
has '^# course class 2 9 7; second none; right unknown$' '^Class: walk 9 \(56 %\), far 7 \(44 %\)\.$'
plain '\nclass 12 7\nclass none\nclass 1 3\n1\n\n\n'
has '^Class: walk 1 \(25 %\), far 3 \(75 %\)\.$'
lacks 'second vote'
# Refused: not the answers of the question, no counts, no question, a question without choices.
plain 'class 1 2\n\nclass C 3\nclass A x\nclass 1\nclass 1 2 3\nclass A -1 B 2\n1\n\n\nclass 1 2\n\nclass 1 2\n'
has "^class: 'C 3' are not the counts of 2 answers: for example: class A 12 B 12$" "^class: 'A x' are" "^class: '1' are" \
    "^class: '1 2 3' are" "^class: 'A -1 B 2' are" '^class: votes are counted for a question with answers to choose$'
[ "$(grep -c '^class: no question is open at this step$' got)" = 2 ] || fault "counts without a question: $(cat got)"
# The panel of the lesson has a bar for each count.
"$program" shot lesson.lua --steps 0 --size 120x40 -o shot.txt --keys \
    '<enter>1:class A 3 B 1<enter>:class 1 1<enter><enter><enter>:zoom lesson<enter>' 2>err || fault "$(cat err)"
tr -d ' ' <shot.txt >got
has '^walk█{60,70}3,75%$' '^far█{20,24}1,25%$' '^secondvote▒{40,46}1,50%$'

# The results of a class: journals, a folder with one, a recording. One student corrects the first
# answer, one is wrong, one is right, and a lecturer has counted 20 votes.
mkdir -p class/cy
save() { grep -E '^#|^[0-9]+ ' got | grep -v '^1: \|^2: ' >"$1"; }
plain '\n2\n1\n\n\njournal\n'
save class/anna.txt
plain '\n2\n\n\njournal\n'
save class/cy/journal.txt
plain '\nclass A 12 B 8\nclass A 15 B 5\n\n\n\njournal\n'
save 'class/the "lecturer", a.txt'
echo notes >class/notes.md
"$program" shot lesson.lua --steps 0 --size 40x10 -o shot.txt --keys \
    ':record class/bo.cast<enter><enter>1<enter><enter><enter>:answer 0.5<enter><enter>:record<enter>' 2>err || fault "$(cat err)"
exits 0 course results class
cat >want <<'END'
lesson,step,first_votes,first_right,last_votes,last_right
lesson,2,23,0.565,23,0.739
lesson,5,1,1.000,1,1.000
END
cmp -s want said || fault "the results: $(cat said)"
exits 0 course results class --students
cat >want <<'END'
student,lesson,answers,right,points
anna,lesson,1,1,2
bo,lesson,2,2,4
cy,lesson,1,0,1
"the ""lecturer"", a",lesson,0,0,0
END
cmp -s want said || fault "the students: $(cat said)"
# A folder may have a dot in its name; a recording without a run is left out.
mkdir -p more/d.eve
cp class/cy/journal.txt more/d.eve
"$program" shot --size 40x10 -o shot.txt --keys ':record more/menu.cast<enter>j:record<enter>' 2>err || fault "$(cat err)"
[ -s more/menu.cast ] || fault "no recording of the menu"
exits 0 course results more --students
grep -qx 'd\.eve,lesson,1,0,1' said && [ "$(wc -l <said)" = 2 ] || fault "the folder: $(cat said)"
mkdir none
exits 1 course results none
says "no journal of a lesson is in 'none'"
exits 1 course results nowhere
says "the folder 'nowhere' cannot be read"
exits 2 course results
says 'course results needs one folder'
# Several right answers: a voter chooses any number, so the number of voters is given, and the share of
# right decisions is counted: at the first vote (15 + 12 + (20 - 5)) / 3 of 20, 1 of 1 and 0 of 20, at the
# second vote (18 + 16 + (19 - 1)) / 3 of 19, 1 of 1 and 0 of 20.
cat >several.lua <<'LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "Several", target = cs.target.gaussian { dim = 1 }, chains = 8, seed = 1, warmup = 0, budget = { steps = 300 },
  arms = { walk = cs.kernel.random_walk { step = 1 }, near = cs.kernel.random_walk { step = 0.5 }, far = cs.kernel.random_walk { step = 30 } },
  screen = { "lesson" },
  course = {
    { say = "Three walkers." },
    { ask = "Which accept more than a third?", several = true, truth = { figure = "acceptance", at = "end" },
      choose = { { "walk", at_least = 0.35 }, { "near", at_least = 0.35 }, { "far", at_least = 0.35 } } },
    { run = 200 },
    { reveal = "{truth}" },
    { say = "The end." },
  },
}
LUA
several() { printf "$1" | timeout 60 "$program" several.lua --plain >got 2>err; }
several '\nclass A 15 B 12 C 5\nclass A 21 of 20\nclass A 15 B 12 C 5 of\nclass D 1 of 20\nclass 1 2 of 20\n'
[ "$(grep -c '^class: .* are not the counts of 3 answers, with the number of voters: for example: class A 12 B 12 C 12 of 20$' got)" = 5 ] ||
    fault "bad counts of several answers: $(cat got)"
several '\nclass A 15 B 12 C 5 of 20\nclass 18 16 1 of 19\n1 2\n\n\n\njournal\n'
has '^votes of the class: A 15 B 12 C 5 of 20$' '^Class: walk 15 \(75 %\), near 12 \(60 %\), far 5 \(25 %\)\.$' \
    '^Class, second vote: walk 18 \(95 %\), near 16 \(84 %\), far 1 \(5 %\)\.$' \
    '^# course class 2 15 12 5; second 18 16 1; right 1 2; voters 20 19$'
mkdir several
save several/lecturer.txt
# A replayed journal has the counts and the right answers again, at a later step, too.
printf 'replay several/lecturer.txt\njournal\nback\ncourse\n' | "$program" several.lua --plain >got
has '^# course class 2 15 12 5; second 18 16 1; right 1 2; voters 20 19$' '^Class, second vote: walk 18 \(95 %\), near 16'
several '\nclass C 20 of 20\n\n\n\n\njournal\n'
save several/other.txt
exits 0 course results several
cat >want <<'END'
lesson,step,first_votes,first_right,last_votes,last_right
several,2,41,0.366,40,0.458
END
cmp -s want said || fault "the results of several answers: $(cat said)"
"$program" shot several.lua --steps 0 --size 120x40 -o bars.txt --keys \
    '<enter>1:class A 15 B 12 C 5 of 20<enter><enter><enter>:zoom lesson<enter>' 2>err || fault "$(cat err)"
tr -d ' ' <bars.txt >got
has '^walk█{60,70}15,75%$' '^far█{20,24}5,25%$'
head -c 3000 class/bo.cast | tr 1 2 >class/torn.cast
exits 1 course results class
says 'torn.cast'
exit $faults
