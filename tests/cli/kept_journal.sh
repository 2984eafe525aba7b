#!/bin/sh
# usage: kept_journal.sh PROGRAM
# Tests that a run equals the original if it is repeated from its journal, from
# its recording, or from the script that :save writes. This includes its draws,
# the variables of its events, its continuation and rewinds. Data that a journal
# omits are reported.
. "$(dirname "$0")/../support/begin.sh"
here=$(cd "$(dirname "$0")" && pwd)
cd "$work" || exit 1
export XDG_STATE_HOME="$work/home" XDG_CACHE_HOME="$work/home"

cp "$here"/kept.lua .
cat >read.lua <<'END_OF_LUA' # reads a variable that an event changes
local cs = require "chainscope"
local n, wide = 0, 1
return cs.scenario { title = "Read", chains = 2, seed = 3, warmup = 0,
  target = cs.target { space = cs.real(1), traced = false, log_density = function(x) return -0.5 * (x[1] / wide) ^ 2 end },
  arms = { a = cs.kernel.random_walk { step = 1 } }, budget = { steps = 2000 },
  setup = function(run)
    run:every(50, function(r) n = n + 1; wide = 1 + n % 3; r:arm(1):set("step", 0.5 + n % 7) end)
  end }
END_OF_LUA

plain() { "$program" "$1" --plain 2>&1; }
states() { grep '^Chain 1 of a is at '; }
then='state\nstep 400\nstate\nlua run:rewind(333)\nstate\nstep 300\nstate\n'
# again FILE WAY: checks that the run is repeated by its journal and by the script
# that :save writes.
again() {
    printf "$2\njournal\n$then" | plain "$1" >said
    sed -n '/^ *# chainscope journal/,/ end$/p' said >j.txt
    states <said >want
    step=$(sed -n 's/ end$//p' j.txt)
    [ "$(wc -l <want)" = 4 ] && [ "$step" ] || fault "$1: $2: $(cat said)"
    printf "replay j.txt\n$then" | plain "$1" >said
    states <said | cmp -s - want || fault "$1: $2: the replayed run differs: $(cat said)"
    rm -f s.lua
    printf "$2\nsave s.lua\n" | plain "$1" >said
    printf "step $step\n$then" | plain s.lua >said
    states <said | cmp -s - want || fault "$1: $2: the script written by :save gives another run: $(cat said)"
    rm -f k k.checkpoint
}
for file in kept.lua read.lua; do
    again $file 'step 760'
    again $file 'step 760\nset a.step 0.7\nstep 100'
    again $file 'step 760\nlua run:rewind_to(430)\nset a.step 0.7\nstep 330'
    again $file 'step 500\nrestart\nstep 760'
    again $file 'step 500\nset a.step 0.7\nundo\nstep 260'
    again $file 'step 510\nset a.step 0.7\nsave k\nstep 100\nload k\nstep 350'
done
again kept.lua 'step 510\nreload\nstep 350'

# Compares the draws, and continues the run from a replay and from its
# checkpoint.
for file in kept read; do
    "$program" run $file.lua --out $file --steps 1300 >said 2>&1 || fault "$file: $(cat said)"
    printf 'step 810\njournal\n' | plain $file.lua | sed -n '/^ *# chainscope journal/,/ end$/p' >j.txt
    "$program" run $file.lua --replay j.txt --out again --force >said 2>&1 || fault "$file replayed: $(cat said)"
    grep -q '^0 kept ' again/journal.txt || fault "$file: journal.txt lacks the variables of events"
    rows=810
    if [ $file = kept ]; then
        rows=1300
        "$program" run $file.lua --out again --resume --steps 1300 >said 2>&1 || fault "resumed: $(cat said)"
    fi
    for chain in 1 2; do
        grep -v '^#' $file/a_$chain.csv | head -$((rows + 1)) >want
        grep -v '^#' again/a_$chain.csv | cmp -s - want || fault "$file: chain $chain continues differently after a replay"
    done
done

# The run is repeated from a recording.
printf 'step 450\nstate\nstep 300\nstate\n' | plain kept.lua | states >want
"$program" shot kept.lua --steps 0 --size 44x12 --keys ':record c.cast<enter>:step 200<enter>:step 250<enter>V' >said ||
    fault "not recorded: $(cat said)"
printf 'state\nstep 300\nstate\n' | "$program" c.cast --plain 2>&1 | states | cmp -s - want ||
    fault "the run of a recording continues differently"

# A line of the journal that is damaged or missing is refused, and so is a
# scenario with other functions.
printf 'step 400\njournal\n' | plain read.lua | sed -n '/^ *# chainscope journal/,/ end$/p' >j.txt
refuse() { # WORDS SED: edits the journal by SED, and checks that it is refused
    sed "$2" j.txt >bad.txt
    cmp -s bad.txt j.txt && fault "$1: the edit changes nothing"
    "$program" run read.lua --replay bad.txt >said 2>err && fault "$1: accepted"
    grep -q "bad.txt: .*$1" err || fault "$1: $(cat err)"
}
refuse 'is damaged, or the line before it is missing' '/^0 kept/d'
refuse 'is damaged, or the line before it is missing' 's/^150 kept [0-9]*/150 kept 99999/'
refuse 'is damaged, or the line before it is missing' 's/\\x0a/\\q/'
refuse 'this is not the run that was saved' 's/read.lua:7 ./read.lua:7 x/'
refuse 'by another version' 's/journal 3/journal 2/'

# The journal of a run that was rewound does not contain the later steps.
printf 'step 760\nrewind to 430\njournal\n' | plain kept.lua | sed -n '/^ *# chainscope journal/,/ end$/p' >j.txt
"$program" run kept.lua --replay j.txt >said 2>err || fault "rewound: $(cat err)"
grep -q 'gone back from step 760: later changes are not in the journal' err || fault "the later steps are not reported: $(cat err)"
# If an arm takes another branch, the variables that events changed on the old
# branch are kept.
sed 's,(x\[1\] / wide),x[1],' read.lua >counts.lua
printf 'step 1000\njournal\n' | plain counts.lua | grep -E '^ *[0-9]+ kept ' >want
printf 'step 760\nrewind to 430\nset a.step 0.7\nstep 570\njournal\nsave s.lua\n' | plain counts.lua >said
grep -E '^ *[0-9]+ kept ' said | cmp -s - want || fault "events keep other values on the new branch: $(cat said)"
grep -q 's.lua, but its draws differ' said || fault "no message about other draws: $(cat said)"
exit $faults
