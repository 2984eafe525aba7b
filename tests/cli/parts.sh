#!/bin/sh
# usage: parts.sh PROGRAM SCENARIO
# Tests that parts of a run, made separately and merged, equal the run of a
# single process in draws, summary and journal. A part that was killed
# continues. Parts that do not belong together are refused by name.
# CHAINSCOPE_PARTS=all tests more numbers of parts, more seeds, and more damaged
# bytes.
. "$(dirname "$0")/../support/runs.sh"

# in_parts FILE N [OPTION ...]: runs FILE in one process and in N parts, the
# last part first.
in_parts() {
    file=$1 n=$2 k=$2
    shift 2
    rm -rf whole merged parts
    mkdir parts
    "$program" run $file --out whole "$@" >said_whole 2>err
    status=$?
    while [ $k -gt 0 ]; do
        "$program" run $file --part $k/$n --out parts/$k "$@" >said_part 2>err ||
            [ $status -ne 0 ] || fault "$file, part $k/$n: $(cat err)"
        grep -q "^part $k of $n: \|^[0-9]* steps" said_part || fault "part $k does not report which part it is"
        k=$((k - 1))
    done
    "$program" merge $file parts --out merged "$@" >said_merged 2>err
    [ $? -eq $status ] || fault "$file, $n parts: status $? instead of $status, $(cat err)"
    same "$file, $n parts $*" merged
}
# few N ALL: prints N, or ALL if CHAINSCOPE_PARTS=all.
few() { [ "$CHAINSCOPE_PARTS" = all ] && echo "$2" || echo "$1"; }
in_parts setup.lua 1
in_parts plain.lua 4
in_parts work.lua "$(few 3 14)"
for seed in $(few 1 "1 2"); do in_parts stops.lua "$(few 3 5)" --seed $seed; done
in_parts setup.lua 2
grep -q 'nothing, since its setup may read all chains' said_part ||
    "$program" run setup.lua --part 2/2 --out second | grep -q 'nothing, since its setup may read all chains' ||
    fault "no message that setup keeps the chains together"
"$program" run plain.lua --part 2/4 --out told >said_part
grep -q 'all of arm .*, whose chains ' said_part || fault "no message about chains that stay together: $(cat said_part)"

# A merged run can be continued like any other.
rm -rf whole
"$program" run plain.lua --out whole --steps 300 >said
"$program" run plain.lua --out whole --resume >said_whole
rm -rf parts merged
for k in 1 2 3; do "$program" run plain.lua --steps 300 --part $k/3 --out parts_$k >said; done
"$program" merge plain.lua parts_1 parts_3 parts_2 --steps 300 --out merged >said || fault "merging parts by name fails"
"$program" run plain.lua --out merged --resume >said_merged || fault "a merged run does not resume"
same "gone on with" merged

# The parts have another warm-up than the default for their number of steps. The
# name of the folder is a shell pattern.
mkdir 'of [a-z]*'
for k in 1 2; do
    "$program" run setup.lua --steps 100 --part $k/2 --out "of [a-z]*/$k" >said || fault "part $k"
    "$program" run setup.lua --part $k/2 --out "of [a-z]*/$k" --resume >said || fault "part $k does not resume"
done
"$program" merge setup.lua 'of [a-z]*' --out again >said 2>err || fault "in 'of [a-z]*': $(cat err)"

# ---- killed ------------------------------------------------------------------
rm -rf parts merged whole
mkdir parts
sed 's/steps = 600/steps = 4000/' plain.lua >long.lua
"$program" run long.lua --out whole >said_whole || fault "it does not run"
for k in 1 2 3; do
    for wait in 0.05 0.12 0.2; do
        [ $k -gt 1 ] && break
        "$program" run long.lua --part $k/3 --out parts/$k --resume >said 2>err &
        child=$!
        sleep $wait
        kill -9 $child 2>err
        wait $child 2>err
        while [ -e parts/$k/lock ] && ! flock -n parts/$k/lock true 2>err; do sleep 0.02; done
    done
    "$program" run long.lua --part $k/3 --out parts/$k --resume >said 2>err ||
        fault "a killed part does not resume: $(cat err)"
done
"$program" merge long.lua parts --out merged >said_merged || fault "killed parts do not merge"
same "killed" merged

# ---- memory -------------------------------------------------------------------
# Merging needs at most an eighth more memory than the run itself, for any
# number of parts. Only one part is in memory at a time, and draws are read when
# they are needed.
cat >wide.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 64, budget = { steps = 200 }, keep = 200,
  target = cs.target.gaussian { dim = 40 },
  arms = { walk = cs.kernel.random_walk { step = 0.5 } },
}
END
least=24
while ! "$program" run wide.lua --out wide --force --memory $least >said 2>err; do
    least=$((least + 12))
    [ $least -lt 400 ] || break
done
mkdir wide_parts
for k in 1 2 3 4 5 6 7 8; do "$program" run wide.lua --part $k/8 --out wide_parts/$k >said; done
least=$((least + least / 8))
"$program" merge wide.lua wide_parts --out wide_merged --memory $least >said 2>err ||
    fault "$least MiB are enough for a run, and not for its 8 parts: $(cat err)"
cmp wide/summary.json wide_merged/summary.json || fault "8 parts: the summary differs"

# ---- parts that do not belong together ----------------------------------------
# refused TEXT ARG ...: checks that merge refuses these arguments with the
# message TEXT.
refused() {
    text=$1
    shift
    rm -rf refused
    "$program" merge "$@" --out refused >said 2>err && fault "merge $*: accepted"
    grep -q -- "$text" err || fault "merge $*: $(cat err)"
    [ -e refused/checkpoint ] && fault "merge $*: a run remains"
}
refused 'part 2 of 3 is missing' plain.lua parts_1 parts_3 --steps 300
cp -r parts_2 twice
refused 'twice: the folder contains part 2 of 3, which is also in parts_2' plain.lua parts_1 parts_2 parts_3 twice --steps 300
"$program" run plain.lua --steps 300 --out entire >said
refused 'entire: the folder contains a whole run' plain.lua parts_1 parts_2 parts_3 entire --steps 300
refused 'the budget differs: steps was 300, is 600' plain.lua parts_1 parts_2 parts_3
refused 'not the run that was saved: seed was 3, is 4' plain.lua parts_1 parts_2 parts_3 --steps 300 --seed 4
"$program" run plain.lua --steps 300 --part 2/3 --seed 9 --out other >said
refused 'other: this is not the run that was saved: seed was 9' plain.lua parts_1 other parts_3 --steps 300
"$program" run plain.lua --steps 300 --part 2/4 --out quarter >said
refused 'quarter: the run in the folder has 4 parts, but the run in parts_1 has 3' plain.lua parts_1 quarter parts_3 --steps 300
"$program" run plain.lua --steps 300 --part 2/3 --thin 2 --out thin >said
refused 'thin: --thin differs from its value in parts_1' plain.lua parts_1 thin parts_3 --steps 300
"$program" merge plain.lua parts_1 parts_2 parts_3 --steps 300 --out parts_2 --force >said 2>err &&
    fault "merged into a part"
grep -q 'parts_2 is one of the parts' err || fault "into a part: $(cat err)"
[ -e parts_2/checkpoint ] || fault "a part is lost"
"$program" run plain.lua --steps 200 --warmup 30 --part 2/3 --out short >said
refused 'short: the budget differs: steps was 200, is 300: merge with the budget of the parts' plain.lua parts_1 short parts_3 --steps 300
"$program" run plain.lua --steps 300 --part 2/3 --out set --set walk.step=3 >said
refused 'set: the changes made to the part differ\|set: this is not the run' plain.lua parts_1 set parts_3 --steps 300
mkdir empty
refused 'empty contains no part' plain.lua empty
# Damage is refused: a truncated or changed checkpoint, another version, a
# truncated file, a missing file.
hostile() {
    rm -rf bad
    cp -r parts_3 bad
}
hostile; head -c 3000 parts_3/checkpoint >bad/checkpoint
refused 'bad/checkpoint is truncated: repeat the run or part' plain.lua parts_1 parts_2 bad --steps 300
hostile; printf 'x' | dd of=bad/checkpoint bs=1 seek=2000 conv=notrunc 2>err
refused 'bad/checkpoint is damaged' plain.lua parts_1 parts_2 bad --steps 300
hostile; printf 'CSKEPT1\n' | dd of=bad/checkpoint conv=notrunc 2>err
refused 'bad/checkpoint was written by another version' plain.lua parts_1 parts_2 bad --steps 300
hostile; file=$(ls bad/*.csv | head -1); head -c 900 "parts_3/${file#*/}" >"$file"
refused 'bad/.*csv is shorter than before' plain.lua parts_1 parts_2 bad --steps 300
hostile; rm "$file"
refused 'bad/.*csv no longer exists' plain.lua parts_1 parts_2 bad --steps 300
# Damage is refused anywhere in a file: a changed byte, a missing end.
size=$(wc -c <parts_3/checkpoint)
for try in $(few 1 "1 2 3"); do
    hostile
    at=$(below $size)
    byte=$(od -An -j $at -N1 -tu1 parts_3/checkpoint)
    printf "\\$(printf %03o $(((byte + 1 + $(below 255)) % 256)))" |
        dd of=bad/checkpoint bs=1 seek=$at conv=notrunc 2>err
    refused 'bad/checkpoint' plain.lua parts_1 parts_2 bad --steps 300
    [ $faults -eq 0 ] || fault "accepted with a changed byte at $at of $size"
    hostile
    at=$(below $size)
    head -c $at parts_3/checkpoint >bad/checkpoint
    refused 'bad/checkpoint' plain.lua parts_1 parts_2 bad --steps 300
    [ $faults -eq 0 ] || fault "accepted when truncated at $at of $size"
done
hostile; cp parts_2/checkpoint bad/checkpoint
refused 'bad: the folder contains part 2 of 3, which is also in parts_2' plain.lua parts_1 parts_2 bad --steps 300
hostile; file=$(ls bad/*.csv | tail -1)
sed 's/^-\([0-9.]*\),/-\1,,/' "parts_3/${file#*/}" >"$file"
refused 'this is not a row of draws\|is shorter than before' plain.lua parts_1 parts_2 bad --steps 300
# A part that was stopped is not complete, so it cannot be merged.
cat >slow.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 3, budget = { steps = 9000 }, start = { { 0 }, { 0 }, { 100 } },
  target = cs.target { space = cs.real(1), traced = false, log_density = function(x)
    for _ = 1, x[1] > 50 and 1e5 or 1 do end
    return -0.5 * math.min(x[1]^2, (x[1] - 100)^2)
  end },
  arms = { a = cs.kernel.random_walk { step = 1 } },
}
END
"$program" run slow.lua --part 3/3 --out broken >said 2>err &
child=$!
while ! ls broken/*.csv >said 2>err && kill -0 $child; do sleep 0.02; done
kill -INT $child
wait $child
for k in 1 2; do "$program" run slow.lua --part $k/3 --out slow_$k >said; done
refused 'broken: the part has not ended: arm .* is at step' slow.lua slow_1 slow_2 broken
"$program" run plain.lua --steps 300 --resume --out parts_2 >said 2>err && fault "a part was resumed as a whole run"
grep -q 'holds part 2 of 3, not a whole run' err || fault "a part resumed as a whole run: $(cat err)"
"$program" run plain.lua --steps 300 --part 3/3 --resume --out parts_2 >said 2>err && fault "a part was resumed as another part"
grep -q 'holds part 2 of 3, not part 3 of 3' err || fault "a part resumed as another part: $(cat err)"
for bad in 0/3 4/3 3 x/3 1/0 1/2/3 -1/3 1/9999999999999999999999; do
    "$program" run plain.lua --part $bad --out bad_part >said 2>err && fault "--part $bad is accepted"
    grep -q 'expected K/N, not' err || fault "--part $bad: $(cat err)"
done
"$program" run plain.lua --part 1/2 >said 2>err && fault "--part was accepted without --out"
grep -q -- '--part needs --out' err || fault "without --out: $(cat err)"
sed 's/steps = 600/seconds = 1/' plain.lua >seconds.lua
"$program" run seconds.lua --part 1/2 --out bad_part >said 2>err && fault "a budget of seconds was accepted for parts"
grep -q 'the budget is in seconds, so parts would end at different steps' err || fault "seconds: $(cat err)"
exit $faults
