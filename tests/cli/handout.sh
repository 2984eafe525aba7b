#!/bin/sh
# usage: handout.sh PROGRAM SCENARIO
# Tests the hand-outs of lessons and exercises: Markdown, HTML and SVG, without and with the
# right answers, escapes, and files that cannot be written.
export LC_ALL=C.UTF-8
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/../support/begin.sh"
program=$(realpath "$program")
cd "$work" || exit 1
export XDG_STATE_HOME=$work/state

cat >lesson.lua <<'LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "Far <b> & near", tags = "course week-1 minutes-2",
  target = cs.target.gaussian { dim = 2 }, chains = 8, seed = 1,
  arms = { walk = cs.kernel.random_walk { step = 1 }, far = cs.kernel.random_walk { step = 8 } },
  budget = { steps = 300 }, warmup = 0, screen = { "lesson", "acceptance" },
  course = {
    { say = "Two walkers, `walk` and <far>." },
    { ask = "Which one accepts more?", choose = { "walk", "far" }, truth = { largest = "acceptance", at = "end" } },
    { run = 200, say = "Stage directions." },
    { reveal = "In order: {truth}." },
    { say = "`far` accepts {acceptance far}." },
    { ask = "The acceptance of `walk`?", within = 0.2, truth = { figure = "acceptance", arm = "walk" } },
    { reveal = "Less than one." },
    { say = "That is all." },
  },
}
LUA

# has FILE PATTERN ..., lacks FILE PATTERN ...: lines of a sheet
has() { file=$1; shift; for p; do grep -qE -- "$p" "$file" || fault "no '$p' in: $(cat "$file")"; done; }
lacks() { file=$1; shift; for p; do grep -qE -- "$p" "$file" && fault "'$p' in: $(cat "$file")"; done; }

# The sheet of a class has the questions, and neither results nor answers.
exits 0 handout lesson.lua -o sheet.md
has sheet.md '^# Far \\<b\\> \\& near$' '^Two walkers, `walk` and \\<far\\>\.$' '^\*\*Question\.\*\* Which one accepts more\?$' \
    '^- \[ \] far$' '^Answer: a number\.$' '^That is all\.$'
lacks sheet.md 'In order' 'accepts 0' 'Right' 'Measured' 'Stage'
[ "$(grep -c '^\\_' sheet.md)" = 3 ] || fault "lines to write on: $(cat sheet.md)"
# With the answers: they are measured, with another parameter others.
exits 0 handout lesson.lua --solutions -o solved.md
has solved.md '^\*\*Right:\*\* walk$' '^In order: walk \(0\.[0-9]+\), far \(0\.[0-9]+\)\.$' '^`far` accepts 0\.0[0-9]*\.$' \
    '^Measured: 0\.[0-9]+$' '^Less than one\.$'
[ "$(grep -c '^\*\*Right:\*\* 0\.' solved.md)" = 1 ] || fault "no number: $(cat solved.md)"
exits 0 handout lesson.lua --set walk.step=20 --solutions -o other.md
has other.md '^\*\*Right:\*\* far$'
[ ! -e state/chainscope/course ] || fault "the walk is stored as done"
# HTML is escaped; the sheet with the answers has the panels of the lesson.
exits 0 handout lesson.lua -o sheet.html
has sheet.html '^<h1>Far &lt;b&gt; &amp; near</h1>$' '<code>walk</code> and &lt;far&gt;' '</html>$' 'class="space"'
lacks sheet.html '<b> &' '<svg' 'In order'
exits 0 handout lesson.lua --solutions -o sheet.html
has sheet.html 'In order: walk' '<figcaption>Figure 1: '
[ "$(grep -c '<figure>' sheet.html)" = 1 ] || fault "figures: $(grep -c '<figure>' sheet.html)"
exits 0 handout lesson.lua -o sheet.svg
has sheet.svg '>Far &lt;b&gt; &amp; near</text>' '\[ \]' '>Question: Which one accepts more\?</text>' '^</svg>$|</svg>$'
# An exercise has its task and its skeleton, or its solution, which is then recorded as read.
exercise=$source/scenarios/course/exercises/11_asymmetric.lua
exits 0 handout "$exercise" -o task.md
has task.md '^The proposal y = ' '^local function log_q\(from, to\)$' '^  return 0$'
# A long skeleton is whole.
awk '{ print } /^  return 0$/ { for (i = 1; i <= 200; i++) print "-- comment " i " of a long skeleton ......" }' "$exercise" >long.lua
exits 0 handout long.lua -o long.md
has long.md '^-- comment 200 of' '^  arms = { mine'
if "$program" exercise 11 --solution >solution.txt 2>err; then
    rm -r state/chainscope/exercises
    exits 0 handout "$exercise" --solutions -o solved.html
    lacks solved.html '^  return 0$'
    grep -q '11_asymmetric solution' state/chainscope/exercises || fault "the solution is not recorded as read"
fi

# Refused: no output, an unknown ending, another file, a folder that is missing, no lesson.
refused() { words=$1; shift; exits 1 handout "$@"; says "$words"; }
refused 'no output file: add -o with the name of a .md, .html or .svg file' lesson.lua
refused "'sheet.pdf' has no known ending" lesson.lua -o sheet.pdf
echo "my own notes" >own.md
refused 'own.md' lesson.lua -o own.md
[ "$(cat own.md)" = "my own notes" ] || fault "a file of the user was overwritten"
refused 'cannot be written' lesson.lua -o "$work/none/sheet.md"
refused 'needs a scenario with the field course or exercise' "$source/scenarios/start/01_first_walk.lua" -o none.md
# A step that fails is named.
sed 's/largest = "acceptance", at = "end"/largest = "tour_best"/' lesson.lua >fails.lua
refused 'step 4 of the lesson failed' fails.lua --solutions -o fails.md
[ ! -e fails.md ] || fault "there is a sheet of a lesson that failed"
exit $faults
