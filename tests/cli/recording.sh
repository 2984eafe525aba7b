#!/bin/sh
# usage: recording.sh PROGRAM SCENARIO
# Tests that a run repeated from a recording is the recorded run, or that the
# recording is refused. Tested with an edited or missing scenario, modules and
# data, another FILE, a changed byte, a truncated file, and a recording of an
# earlier version.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1
mkdir set
cat >set/one.lua <<'END'
local cs = require "chainscope"
local t, width = cs.read_table "t.csv", require "width"
return cs.scenario { title = "Gauß",
  target = cs.target { space = cs.real(2), log_density = function(x)
    return -0.5 * ((x[1] - t.x[1])^2 + (x[2] - t.x[2])^2) / width^2 end },
  seed = cs.has_data "more.csv" and 4 or 3, chains = 1, budget = { steps = 60 },
  arms = { a = cs.kernel.random_walk { step = 1 } } }
END
printf -- '-- bytes that are no text: \351 \\ \t "\\x41"\r\n--' >>set/one.lua
printf 'x\n1.5\n2\n' >set/t.csv
echo 'return 2' >set/width.lua
"$program" shot set/one.lua --steps 0 --size 44x12 \
    --keys ':record c.cast<enter>:step 20<enter>:set a.step 0.3<enter>:step 20<enter>V' >said ||
    { cat said; exit 1; }
tail -2 c.cast | grep -q '"e", ""' || fault "the recording is incomplete: $(tail -2 c.cast)"
states='for c = 1, 1 do print(run.steps, table.concat(run:arm(1):chain(c):state(), " ")) end'
cp -r set as_it_was
restore() { rm -rf set; cp -r as_it_was set; }

# Each command that repeats the run is tested. With unchanged files nothing is
# reported.
echo "$states" >st
repl() { echo "$states" | "$program" repl "$1"; }
shot() { "$program" shot "$@" --size 44x12 | sed 10,12d; }
run() { "$program" run "$1" --steps 60; }
replays() { "$program" run set/one.lua --replay "$1"; }
readers='repl shot run replays'
for reader in $readers; do
    "$reader" c.cast >"$reader.want" 2>err || fault "$reader: $(cat err)"
    [ -s err ] && fault "$reader prints a message: $(cat err)"
done
grep -q '^40' repl.want || fault "wrong final state: $(cat repl.want)"
grep -q '^40 steps' replays.want || fault "run FILE --replay ends in another state: $(cat replays.want)"
"$program" run set/one.lua --replay c.cast --out draws >/dev/null 2>err || fault "$(cat err)"
[ "$(grep -vc '^[#l]' draws/a_1.csv)" = 40 ] || fault "the draws are not written: $(cat draws/a_1.csv)"
"$program" report c.cast -o page.html >/dev/null 2>err || fault "report: $(cat err)"
same() { # WORDS RECORDING: checks the run and its message
    for reader in repl shot run; do
        "$reader" "$2" >is 2>err || fault "$1: $reader fails: $(cat err)"
        cmp -s is "$reader.want" || fault "$1: $reader gives another run"
        [ "$(wc -l <err)" -eq 1 ] && grep -q "$1" err || fault "$1: $reader says: $(cat err)"
    done
}
refused() { # WORDS RECORDING: checks that all commands refuse the recording
    for reader in repl shot run; do
        "$reader" "$2" >is 2>err
        "$program" shot "$2" --steps 0 >is 2>err
        [ $? -eq 1 ] && grep -q "$1" err || fault "$1: $reader says: $(cat err)"
    done
    "$program" report "$2" -o page.html --steps 1 2>err >/dev/null
    [ $? -eq 1 ] && grep -q "$1" err || fault "$1: report says: $(cat err)"
    "$program" run set/one.lua --replay "$2" 2>err >/dev/null
    [ $? -eq 1 ] || fault "$1: run --replay continues: $(cat err)"
}

# The scenario, or a file that it requires, is edited or missing. The recording
# contains both files.
sed -i 's/random_walk { step = 1 }/random_walk { step = 2 }/' set/one.lua
same 'one.lua was changed since it was recorded' c.cast
"$program" run set/one.lua --replay c.cast >is 2>err
[ $? -eq 1 ] && grep -q 'one.lua is not the scenario of the recording' err || fault "edited FILE: $(cat err)"
rm set/one.lua
same 'one.lua is gone since it was recorded' c.cast
restore
echo 'return 3' >set/width.lua
same 'width.lua was changed' c.cast
rm set/width.lua
same 'width.lua is gone' c.cast
restore

# The data have changed. A file that did not exist during the recording is not
# read now.
printf 'x\n1.5\n2.5\n' >set/t.csv
refused "the data file 't.csv' has changed since the recording: .*set/t.csv" c.cast
sed -i 's/step = 1 }/step = 2 }/' set/one.lua
refused "the data file 't.csv' has changed" c.cast
restore
rm set/t.csv
refused "the data file 't.csv' of the recording is missing" c.cast
restore
echo 1 >set/more.csv
repl c.cast >is 2>err || fault "a file that appeared later is read: $(cat err)"
cmp -s is repl.want || fault "a file that appeared later changes the run"
restore
# A scenario that runs from a recording opens only recorded files.
mkdir other
printf 'x\n7\n8\n' >other/t.csv
sed "s|set/one.lua|other/one.lua|" c.cast >moved.cast
refused 'moved.cast:.*damaged' moved.cast

# Another scenario is used, and a scenario with the same text at another path.
sed 's/chains = 1/chains = 2/' set/one.lua >set/another.lua
"$program" run set/another.lua --replay c.cast >is 2>err
[ $? -eq 1 ] && grep -q 'another.lua is not the scenario of the recording' err || fault "FILE is ignored: $(cat err)"
"$program" shot set/another.lua --replay c.cast >is 2>err
[ $? -eq 1 ] && grep -q 'is not the scenario' err || fault "FILE is ignored: $(cat err)"
cp set/one.lua set/same.lua
"$program" run set/same.lua --replay c.cast >is 2>err || fault "the same text: $(cat err)"
cmp -s is replays.want || fault "the same text gives another run"
printf 'open set/another.lua\nreplay c.cast\n' | sed 's/^/:/' | "$program" repl >is 2>&1
grep -q 'is not the scenario of the recording' is || fault "a replay is accepted as the scenario: $(cat is)"
echo ':journal' | "$program" repl c.cast >journal.txt
"$program" run set/another.lua --replay journal.txt >is 2>err
[ $? -eq 1 ] && grep -q 'belongs to another scenario: its text differs' err || fault "a journal of another scenario: $(cat err)"

# A recording with a changed byte is refused, or the byte does not change the
# output.
"$program" replay c.cast --at 99 >frame.want
size=$(wc -c <c.cast) refusals=0
[ "$size" -gt 4000 ] || fault "the recording has $size bytes"
for i in $(seq 0 109); do
    at=$((i * (size - 1) / 109))
    cp c.cast d.cast
    case $((i % 3)) in 0) byte=Q ;; 1) byte=7 ;; *) byte='\n' ;; esac
    printf "$byte" | dd of=d.cast bs=1 seek=$at conv=notrunc 2>/dev/null
    cmp -s c.cast d.cast && continue
    if "$program" replay d.cast --at 99 >is 2>err; then
        cmp -s is frame.want || fault "byte $at: the frame differs"
    elif grep -q 'd.cast:[0-9]*: ' err; then
        refusals=$((refusals + 1))
        line=$(head -c $((at + 1)) c.cast | wc -l) said=$(sed 's/.*d.cast:\([0-9]*\):.*/\1/' err)
        [ "$said" -le $((line + 1)) ] && [ "$said" -ge $((line - 1)) ] || fault "byte $at of line $line: $(cat err)"
    else
        fault "byte $at: $(cat err)"
    fi
done
[ $refusals -gt 80 ] || fault "only $refusals of 110 were refused"
refused 'd.cast:[0-9]*: the recording is damaged' d.cast
"$program" diff d.cast c.cast >is 2>err
[ $? -eq 1 ] && grep -q 'd.cast:' err || fault "diff accepts a damaged recording: $(cat err)"

# If a recording is truncated anywhere, the complete lines before that point are
# used, and this is reported.
for cut in 100 50 7 1; do
    head -c $((size - cut)) c.cast >e.cast
    "$program" repl e.cast <st >is 2>err || fault "cut by $cut: $(cat err)"
    [ $cut -eq 1 ] || grep -q 'ends early, after line [0-9]*' err || fault "cut by $cut: $(cat err)"
done
s=$(grep -n '"s", "' c.cast | sed -n 1p | cut -d: -f1)
head -$((s + 1)) c.cast >e.cast
echo "$states" | "$program" repl e.cast >is 2>err || fault "cut early: $(cat err)"
grep -q "^$(sed -n "${s}s/.*\"\([0-9]*\)\".*/\1/p" c.cast)" is || fault "cut after line $s: $(cat is)"

# Settings at the start apply, also those of the target. The default warm-up of
# `run` does not apply.
cat >set.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "s", target = cs.target.gaussian { dim = 2, rho = 0 }, seed = 3, chains = 1,
  arms = { a = cs.kernel.random_walk { step = 1 } }, budget = { steps = 400 } }
END
"$program" shot set.lua --steps 0 --set target.rho=0.9 --keys ':record s.cast<enter>:step 30<enter>V' >said || cat said
printf 'run:step(30)\n%s\n' "$states" | "$program" repl set.lua --set target.rho=0.9 | tail -1 >want
repl s.cast | cmp -s - want || fault "the settings are lost"
"$program" run s.cast --steps 400 --out all >/dev/null 2>&1
[ "$(grep -vc '^[#l]' all/a_1.csv)" = 400 ] || fault "run adds its default warm-up"

# In this position a line that has run into its checksum counts as damaged, not
# as truncated.
head -$((s + 1)) c.cast | awk -v last=$s '{ printf "%s%s", $0, NR == last ? "x" : "\n" }' >e.cast
refused "e.cast:$s: the recording is damaged" e.cast

# A recording of an earlier version has neither checksums nor the scenario, so
# only its frames can be shown.
sed '/"[cTte]", "/d' c.cast >old.cast
refused 'old.cast: the recording is from an older chainscope' old.cast
"$program" replay old.cast --at 99 | cmp - frame.want || fault "an old recording cannot be shown"
exit $faults
