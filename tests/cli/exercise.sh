#!/bin/sh
# usage: exercise.sh PROGRAM SCENARIO
# Tests exercise FILE: skeletons, hints, solutions, the marks of right and wrong
# hand-ins, and the limits of hand-ins.
. "$(dirname "$0")/../support/begin.sh"
source=$(cd "$(dirname "$2")/../.." && pwd)
program=$(cd "$(dirname "$program")" && pwd)/chainscope
export XDG_STATE_HOME="$work/state" XDG_CACHE_HOME="$work/cache"
cd "$work" || exit 1
of() { echo "$source/tests/exercises/11_asymmetric/$1.lua"; }
# An exercise of the course with a short run, and therefore wide tolerances.
sed 's/steps = 20000/steps = 3000/; s/within = 0.0[56]/within = 0.4/g' \
    "$source/scenarios/course/exercises/11_asymmetric.lua" >fast.lua
exits 0 exercise fast.lua --seal fast.sol "$source"/tests/exercises/11_asymmetric/*.lua

# The skeleton is a scenario that runs, and is not the solution.
exits 0 exercise 11 -o mine.lua
exits 0 run mine.lua --steps 200
exits 1 exercise 11 -o mine.lua
says 'exist'
# Comments and line ends do not change it.
exits 0 exercise fast.lua -o skeleton.lua
{ echo '-- mine' && sed 's/$/\r/' skeleton.lua; } >same.lua
exits 1 exercise fast.lua --mark same.lua
says 'nothing was changed yet'
exits 0 exercise 11 --text
says 'Write log_q'
exits 0 exercise
[ "$(sed -n '1,2p' said)" = "$(printf 'week 1\n  11_asymmetric      log_q of a proposal with a drift')" ] || fault "the list: $(cat said)"
[ "$(grep -c '^week [0-9]*$' said)" = 10 ] && [ "$(grep -c '^  [0-9]*_[a-z_]* *[a-zA-Z_]* [a-z]' said)" = 22 ] || fault "the list: $(cat said)"
[ "$(grep '^week' said | tail -n 1)" = 'week 10' ] || fault "the order of the weeks: $(cat said)"
exits 2 exercise 99
says 'lists the exercises'

# Right and wrong hand-ins. The slip is named by its decisions, so that other
# names and another order of the terms make no difference.
exits 0 exercise fast.lua --mark "$(of solution)"
says ': right, 10 of 10 points'
says 'an error of .* would have been detected'
sed 's/^  return 0$/  local d = 0.8 * from[1] + 0.6 - to[1] return 7 - d * d \/ 4/' mine.lua >slipped.lua
exits 1 exercise fast.lua --format jsonl --mark slipped.lua "$(of w3)"
says '"slip": "variance_for_deviation", "say": "your log_q is that of N(m, s)'
says '"slip": "from_and_to_exchanged"'
says '"where": {"from": \['
[ "$(wc -l <said)" = 2 ] || fault "one line per hand-in: $(cat said)"
command -v python3 >/dev/null && ! python3 -c 'import json
for line in open("said"):
    mark = json.loads(line)
    assert mark["of"] == 10 and mark["points"] == sum(i["points"] for i in mark["items"]), line' &&
    fault "wrong JSON: $(cat said)"
[ "$(sed -n 's/.*"sha256": "\([0-9a-f]*\)".*/\1/p' said | head -n 1)" = "$(sha256sum slipped.lua | cut -c1-64)" ] ||
    fault "another digest: $(cat said)"

# The seed depends on the hand-in and the salt only. It is reported for files
# that do not load, too.
echo 'return 7' >slipped.lua
seed() { "$program" exercise 11 --format jsonl --mark "$@" | sed -n 's/.*"seed": \([0-9]*\).*/\1/p'; }
echo 'return 8' >changed.lua
cp slipped.lua copied.lua
first=$(seed slipped.lua)
[ "$first" = "$(seed copied.lua)" ] || fault "the seed depends on the name"
[ "$first" != "$(seed changed.lua)" ] || fault "the seed does not depend on the text"
[ "$first" != "$(seed slipped.lua --salt autumn)" ] || fault "the seed does not depend on the salt"

# Hand-ins without a mark: syntax errors, other names, another proposal, built-in
# kernels, files of the course, loops, memory.
bad() {
    exits "$1" exercise fast.lua --mark bad.lua
    says "$2"
}
echo 'return (' >bad.lua
bad 4 'bad.lua:'
echo 'return 7' >bad.lua
bad 4 'keep the end of the skeleton'
sed 's/mine = cs/yours = cs/' mine.lua >bad.lua
bad 4 'no arm `mine`'
sed 's/mine = cs.*/mine = cs.kernel.nuts {} },/' mine.lua >bad.lua
bad 4 'write the kernel yourself'
sed 's/2 \* draw:normal/1 * draw:normal/' mine.lua >bad.lua
bad 1 'your proposals are not those of the skeleton'
echo "return require 'cs' or dofile '$source/scenarios/course/exercises/11_asymmetric.lua'" >bad.lua
bad 4 'bad.lua'
sed 's/^  return 0$/  while true do end/' mine.lua >bad.lua
bad 5 'ran for too long'
echo 'local t = {} for i = 1, 1e9 do t[i] = { i } end' >bad.lua
bad 5 'memory'
sed 's/^  return 0$/  return nil/' mine.lua >bad.lua
bad 1 'log_q'
exits 2 exercise 11 --mark none.lua
exits 2 exercise 11 --format yaml --mark mine.lua
says 'use text, jsonl or csv'

# A hand-in cannot read a file: not in its own folder, and not the data of the
# program, while it is loaded or later.
mkdir "$work/data"
printf 'x\n1\n' | tee near.csv >data/far.csv
echo 'return { 1 }' >near.lua
export CHAINSCOPE_DATA="$work/data"
for reads in "cs.read_table 'near.csv'" "cs.read_table 'far.csv'" "cs.load 'data'" "require 'near'"; do
    { sed '/^return/,$d' mine.lua && echo "return $reads"; } >bad.lua
    bad 4 "may not read a file: '"
    sed "s/^  return 0\$/  local t = $reads return 0/" mine.lua >bad.lua
    bad 1 "may not read a file: '"
done
unset CHAINSCOPE_DATA

# A law without time is not decided.
sed 's/judge = {$/judge = { seconds = 0.001,/' fast.lua >hasty.lua
exits 3 exercise hasty.lua --mark "$(of solution)"
says 'law stationarity *not decided *0 of 2.5'

# A list for a class. The code is that of the worst.
exits 1 exercise fast.lua --format csv --mark mine.lua bad.lua
says '^file,points,status$'
says '^mine.lua,3.5,wrong$'
says '^bad.lua,0,wrong$'

cp said list.txt
exits 1 exercise fast.lua --csv --mark mine.lua bad.lua
cmp -s said list.txt || fault "--csv: $(cat said)"
exits 2 exercise fast.lua --csv --format jsonl --mark mine.lua
says 'cannot be combined'

# Hints and solutions are recorded, and cost points.
exits 0 exercise fast.lua --hint
says 'hint 1 of 2 (costs 1 point)'
exits 0 exercise fast.lua --hint
says 'hint 2 of 2'
exits 0 exercise fast.lua --hint
says 'there are no more hints'
# A copy is the same exercise; another exercise with the same file name is not.
cp fast.lua copy.lua
exits 0 exercise copy.lua --hint
says 'there are no more hints'
mkdir other
sed 's/judge = {$/judge = { seconds = 9,/' fast.lua >other/fast.lua
exits 0 exercise other/fast.lua --hint
says 'hint 1 of 2'
exits 0 exercise fast.lua --mark "$(of solution)"
says '8 of 10 points (2 hints read)'
exits 0 exercise fast.lua --solution
cmp -s said "$(of solution)" || fault "another solution: $(head said)"
exits 0 exercise fast.lua --mark "$(of solution)"
says '0 of 10 points'
grep -q "^$(sha256sum fast.lua | cut -d' ' -f1) fast solution\$" state/chainscope/exercises || fault "the solution is not recorded"

# Sealed files contain no words, and belong to one text of the exercise.
cp "$source/scenarios/course/exercises/11_asymmetric.lua" own.lua
exits 0 exercise own.lua --seal own.sol "$(of solution)"
grep -q 'log_q\|kernel' own.sol && fault "words in a sealed file"
exits 0 exercise own.lua --solution
echo '-- changed' >>own.lua
exits 1 exercise own.lua --solution
says 'does not belong to this version'
rm own.sol
exits 1 exercise own.lua --solution
says 'no solutions'

# A scenario may name the file of its exercise; other scenarios have none.
echo 'return require("chainscope").scenario { title = "a", target = require("chainscope").target.gaussian { dim = 1 }, exercise = "own.lua" }' >lesson.lua
exits 0 exercise lesson.lua
says 'complete the function log_q'
# The file must be in the folder of the scenario: no other file is read.
mkdir inner
printf 'return {},\n!secret\n' >secret.lua
ln -s ../secret.lua inner/link.lua
for file in ../secret.lua "$work/secret.lua" link.lua; do
    sed "s:own.lua:$file:" lesson.lua >inner/lesson.lua
    exits 1 exercise inner/lesson.lua --text
    says "lesson.lua: the path '$file' leaves the scenario's folder"
    grep -q "!secret" said err && fault "read $file: $(cat err)"
done
exits 1 exercise "$2"
says 'has no exercise'
sed 's/judge = {$/judge = { laws_ = 1,/' own.lua >bad.lua
exits 1 exercise bad.lua
says 'laws_'
exit $faults
