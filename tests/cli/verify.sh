#!/bin/sh
# usage: verify.sh PROGRAM
# Tests that draws which differ from the written draws are refused, with the
# name of the file, by all commands that read draws. The differences are a
# changed digit, a repeated row, an invalid number, the header of another chain,
# and a file that is truncated, missing or foreign.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1
export XDG_STATE_HOME="$work/home" XDG_CACHE_HOME="$work/home"

cat >s.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "Sealed", target = cs.target.gaussian { dim = 2 }, chains = 4, seed = 1,
  arms = { a = cs.kernel.random_walk { step = 1 } }, budget = { steps = 300 } }
END
"$program" run s.lua --out whole >said || fault "no draws"
mkdir parts
for k in 1 2; do
    "$program" run s.lua --part $k/2 --out parts/$k >said || fault "part $k"
done
"$program" verify whole parts >said || fault "good draws are refused"
run=$(sed -n 's/^whole: run \([0-9a-f]*\): 4 files with draws, [0-9,]* draws, unchanged$/\1/p' said)
[ -n "$run" ] && [ "$(grep -c "run $run, part [12] of 2: 2 files" said)" = 2 ] || fault "said: $(cat said)"
grep -q '^scenario [0-9a-f]* s.lua$' whole/manifest || fault "the manifest does not name the scenario"
grep -q "\"run\": \"$run\"" whole/summary.json || fault "the summary does not name the run"
"$program" merge s.lua parts --out merged >said && "$program" verify merged | grep -q "run $run" ||
    fault "a merged run differs"

# damage NAME FILE: copies the folder `whole`, or `parts`, and changes this file
# in the copy.
damage() {
    case $1 in
    digit)
        awk '/^-/ && ++n == 80 { last = /9$/ ? 8 : 9; sub(/.$/, last) } { print }' "$2" >new &&
            mv new "$2" ;;
    twice) awk '{ print } /^-/ && ++n == 50' "$2" >new && mv new "$2" ;;
    nan) awk '/^-/ && ++n == 40 { sub(/^[^,]*/, "nan") } { print }' "$2" >new && mv new "$2" ;;
    text) awk '/^-/ && ++n == 30 { sub(/^[^,]*/, "what") } { print }' "$2" >new && mv new "$2" ;;
    seed) sed -i 's/^#   seed = .*/#   seed = 77/' "$2" ;;
    id) sed -i 's/^# id = .*/# id = 9/' "$2" ;;
    cut) head -c 4000 "$2" >new && mv new "$2" ;;
    samples) sed -i 's/^#     num_samples = 2/#     num_samples = 3/' "$2" ;;
    warmup) sed -i 's/^#     num_warmup = 3/#     num_warmup = 4/' "$2" ;;
    blank) sed -i 's/^\(#     num_samples = [0-9]*\)  /\1 0/' "$2" ;;
    gone) rm "$2" ;;
    pipe) rm "$2" && mkfifo "$2" ;;
    esac
}
# refuses WHAT COMMAND ...: checks that the command ends within a time limit with
# a message that names the file.
refuses() {
    what=$1
    shift
    timeout 30 "$program" "$@" >said 2>err
    code=$?
    [ $code = 1 ] && grep -q 'a_2.csv' err || fault "$what: $*: exit $code: $(cat err)"
    [ ! -e new.out ] || fault "$what: $* wrote a file"
    rm -rf new.out
}
for what in digit twice nan text seed id samples warmup blank cut gone pipe; do
    rm -rf bad halves
    cp -r whole bad
    damage $what bad/a_2.csv
    [ ! -p bad/a_2.csv ] && cmp -s bad/a_2.csv whole/a_2.csv && fault "$what changes nothing"
    refuses $what verify bad
    refuses $what report bad -o new.out
    refuses $what shot bad -o new.out
    refuses $what export bad -o new.out
    refuses $what diff bad whole
    refuses $what run s.lua --out bad --resume --steps 400
    cp -r parts halves
    damage $what halves/1/a_2.csv
    refuses $what merge s.lua halves --out new.out
done
grep -q 'a_2.csv' err
cp -r whole text && damage text text/a_2.csv
line=$(grep -n what text/a_2.csv | cut -d: -f1)
"$program" verify text 2>err
grep -q "a_2.csv:$line: this is not a row" err || fault "the line is not reported: $(cat err)"

cp -r whole figure && damage digit figure/a_2.csv
line=$(cmp whole/a_2.csv figure/a_2.csv | sed 's/.* line //')
"$program" verify figure 2>err
grep -q "a_2.csv:$line: this line has changed since it was written" err || fault "line $line is not reported: $(cat err)"

for what in samples warmup; do
    rm -rf head && cp -r whole head && damage $what head/a_2.csv
    line=$(grep -n "num_$what" head/a_2.csv | cut -d: -f1)
    "$program" verify head 2>err
    grep -q "a_2.csv:$line: this line has changed since it was written" err || fault "$what: line $line is not reported: $(cat err)"
done

# Tests files that do not belong to the run, and the manifest of another run.
cp -r whole more && cp more/a_1.csv more/b_1.csv
"$program" verify more 2>err && fault "foreign draws are accepted"
grep -q 'more/b_1.csv: these draws do not belong to the run' err || fault "foreign: $(cat err)"
cp -r whole summary && sed -i 's/"seed": 1/"seed": 2/' summary/summary.json
"$program" diff summary whole >said 2>err && fault "another summary is accepted"
grep -q 'summary/summary.json' err || fault "summary: $(cat err)"
cp -r whole list && sed -i 's/rows 2/rows 3/' list/manifest
"$program" verify list 2>err && fault "a damaged manifest is accepted"
grep -q 'list/manifest: the manifest is damaged' err || fault "manifest: $(cat err)"
for name in ../whole/a_1.csv .hidden; do
    sed -n '/^sum/q; p' whole/manifest | sed "s,a_1.csv,$name," >list/manifest
    "$program" verify list 2>err && fault "a manifest names $name"
done
rm -rf list/manifest && "$program" verify list 2>err && fault "a missing manifest is accepted"
"$program" export list -o list.jsonl >said || fault "draws without a manifest are refused: $(cat err)"
# The summary alone reveals a missing chain.
rm list/a_1.csv list.jsonl && for words in "export list -o list.jsonl" "shot list -o list.txt"; do
    "$program" $words 2>err && fault "$words: a missing chain is not detected"
    grep -q 'list has files for only 3 of the 4 chains of arm a' err || fault "$words: $(cat err)"
done

# When the run is continued, the manifest is updated. If the program is killed,
# the manifest is unchanged.
"$program" run s.lua --out whole --resume --steps 400 >said && "$program" verify whole >said || fault "a resumed run fails"
"$program" run s.lua --out whole --force --seed 2 --steps 40 >said && "$program" verify whole >said || fault "a new run fails"
"$program" run s.lua --out killed --steps 1e8 --checkpoint 1 >said 2>&1 &
child=$!
for wait in $(seq 1200); do
    [ -s killed/manifest ] && break
    sleep 0.05
done
pkill -9 -P $child 2>said
kill -9 $child
wait $child 2>said
"$program" verify killed >said || fault "killed: the earlier draws are refused"
exit $faults
