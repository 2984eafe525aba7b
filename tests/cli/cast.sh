#!/bin/sh
# usage: cast.sh PROGRAM SCENARIO
# Tests recordings, journals and checkpoints: the recorded run can be repeated
# up to any step, also as a frame.
. "$(dirname "$0")/../support/begin.sh"
scenario=$2
cp "$scenario" "$work/two.lua"
states='for c = 1, 3 do print(run.steps, table.concat(run:arm(1):chain(c):state(), " ")) end'

# Copies stdin and adds the checksum (cs_running_sum) after each line. The shell's
# multiplication wraps as C's does.
sums() {
    sum=$((-0x340d631b7bdddcdb))
    while IFS= read -r line; do
        printf '%s\n' "$line"
        for byte in $(printf '%s\n' "$line" | od -An -v -tu1); do
            sum=$((sum * -0x61c8864680b583eb + byte))
        done
        printf '[0, "c", "%016x"]\n' "$sum"
    done
}
text() { # quotes stdin as a JSON string
    sed 's/\\/\\\\/g; s/"/\\"/g; s/$/\\n/' | tr -d '\n'
}
# record JOURNAL STEP: writes a recording as the screen does, with a header, the
# source of the run, the journal and the step.
record() {
    {
        printf '{"version": 2, "width": 80, "height": 24}\n[0, "o", "hello"]\n'
        printf '[1, "T", "%s"]\n' "$(sed -n '/^# inputs/,$p' "$1" | text)"
        printf '[1, "J", "%s"]\n' "$(sed '/ end$/,$d' "$1" | text)"
        printf '[1.5, "s", "%s"]\n[2, "o", "!"]\n[2, "e", ""]\n' "$2"
    } | sums
}
again() { # FILE ...: prints the states at the end of the repeated run
    file=$1
    shift
    echo "$states" | "$program" repl "$file" "$@"
}

"$program" repl "$work/two.lua" --set seed=11 --set chains=3 --set a.step=0.7 \
    >"$work/said" <<END
run:step(100)
:set a.step 0.3
run:step(50)
run:arm("a"):set("step", cs.schedule.cosine { max = 1.5, min = 0.5, period = 20 })
run:step(33)
$states
run:arm("a"):use(cs.kernel.mala { step = 0.4 })
run:step(50)
:save $work/kept.checkpoint
:save $work/saved.lua
$states
print "JOURNAL"
:journal inputs
END
sed '/^JOURNAL/,$d' "$work/said" | grep '^183' >"$work/at183"
sed '/^JOURNAL/,$d' "$work/said" | grep '^233' >"$work/at233"
sed '1,/^JOURNAL/d' "$work/said" >"$work/journal.txt"
[ "$(wc -l <"$work/at233")" -eq 3 ] || fault "no states: $(cat "$work/said")"
record "$work/journal.txt" 233 >"$work/a.cast"
again "$work/a.cast" | cmp - "$work/at233" || fault "the recording gives other states"
record "$work/journal.txt" 183 >"$work/b.cast"
again "$work/b.cast" | cmp - "$work/at183" || fault "half of the recording gives other states"
printf ':replay %s 183\n%s\n' "$work/a.cast" "$states" | "$program" repl |
    grep -v recording | cmp - "$work/at183" || fault "a recorded step has another state"
again "$work/a.cast" --set seed=12 | cmp -s - "$work/at233" &&
    fault "another seed gives the same run"
[ "$("$program" replay "$work/a.cast" --at 1)" = hello ] || fault "the first frame differs"
[ "$("$program" replay "$work/a.cast" --at 99)" = 'hello!' ] || fault "the last frame differs"
printf '%s\n' '{"version":2,"width":20,"height":1}' '[0.5,"o","one"]' '[1.25,"m","a \u001b[31mmark"]' '[2,"o"," two"]' >"$work/marks.cast"
"$program" replay "$work/marks.cast" --plain >"$work/said" || fault "replay --plain fails"
cat >"$work/wanted" <<'END'
At 1.2 s: a \x1b[31mmark
one
At 2.0 s: the end
one two
END
diff "$work/wanted" "$work/said" || fault "replay --plain prints other frames"

# Draws are written from the first step on. They include the effects of changes
# made during the run.
"$program" run "$work/a.cast" --steps 300 --out "$work/ran" >"$work/log" 2>&1 || fault "$(cat "$work/log")"
printf ':out %s\nrun:step(100)\n:set a.step 0.3\nrun:step(50)\nrun:arm("a"):set("step", cs.schedule.cosine { max = 1.5, min = 0.5, period = 20 })\nrun:step(33)\nrun:arm("a"):use(cs.kernel.mala { step = 0.4 })\nrun:step(117)\n:out\n' "$work/typed" |
    "$program" repl "$work/two.lua" --set seed=11 --set chains=3 --set a.step=0.7 >"$work/log" 2>&1
rows() { grep -v '^[#l]' "$1"; }
rows "$work/typed/a_1.csv" >"$work/want"
[ "$(wc -l <"$work/want")" -eq 300 ] || { cat "$work/log"; fault "no draws to compare"; }
rows "$work/ran/a_1.csv" | cmp -s - "$work/want" || {
    head -3 "$work/ran/a_1.csv"
    fault "a recording's draws are others, or begin at its end: $(rows "$work/ran/a_1.csv" | wc -l) rows"
}

# Arms were added, removed and changed during the run, a change was made in the
# past, and the run continued beyond its budget. All of this can be repeated up
# to any step.
cat >"$work/arms.lua" <<'END'
local cs = require "chainscope"
return cs.scenario { title = "t", seed = 3, chains = 2, budget = { steps = 300 }, warmup = 0,
  target = cs.target.gaussian { dim = 2 },
  arms = { a = cs.kernel.random_walk { step = 1 }, b = cs.kernel.random_walk { step = 2 } } }
END
every='local all = {} for i = 1, #run.arms do for c = 1, 2 do all[#all + 1] = table.concat(run:arm(i):chain(c):state(), " ") end end print("at " .. run.steps, #run.arms, table.concat(all, " "))'
cat >"$work/keys" <<END
run:step(100)
:arm add mala step=0.4 as m
run:step(20)
$every
:arm kernel b mala step=0.3
:set m.step 0.6
run:step(30)
:arm drop a
run:step(10)
$every
:rewind to 130
:set b.step 0.2
run:step(40)
:undo
run:step(90)
$every
run:step(40)
:step 16
END
{ cat "$work/keys"; printf '%s\nprint "JOURNAL"\n:journal inputs\n' "$every"; } |
    "$program" repl "$work/arms.lua" >"$work/said" 2>&1
sed '1,/^JOURNAL/d' "$work/said" >"$work/arms.txt"
grep '^at ' "$work/said" | sed '/^JOURNAL/,$d' >"$work/ats"
grep -q '^[0-9]* run beyond_budget ' "$work/arms.txt" || fault "no message about the budget: $(cat "$work/arms.txt")"
tail -1 "$work/ats" >"$work/want"
end=$(sed 's/^at \([0-9]*\).*/\1/' "$work/want")
[ "$end" -gt 300 ] || fault "it ended at step $end: $(cat "$work/said")"
record "$work/arms.txt" "$end" >"$work/arms.cast"
echo "$every" | "$program" repl "$work/arms.cast" | grep '^at ' | cmp - "$work/want" ||
    fault "the arms have other states: $(cat "$work/arms.txt")"
# The states at each step are the same if the step is reached by a rewind or by a
# replay.
for step in 40 115 131 200 301; do
    printf ':rewind to %s\n%s\n' $step "$every" | "$program" repl "$work/arms.cast" | grep '^at ' >"$work/a"
    printf ':replay %s %s\n%s\n' "$work/arms.cast" $step "$every" | "$program" repl | grep '^at ' >"$work/b"
    [ -s "$work/a" ] && cmp "$work/a" "$work/b" || fault "step $step has another state"
done

# The frame at a step is the same in whichever way the step is reached.
picture() { # WORDS ...: prints the frame without the line of the last message
    "$program" shot "$@" --size 100x30 | sed '29d'
}
picture "$work/a.cast" >"$work/a.txt"
grep -q 'step 233' "$work/a.txt" || fault "no frame at step 233"
for way in "$work/saved.lua --at 233" \
    "$work/two.lua --set seed=11 --set chains=3 --set a.step=0.7 --load $work/kept.checkpoint" \
    "$work/two.lua --set seed=11 --set chains=3 --replay $work/journal.txt"; do
    picture $way >"$work/b.txt" || fault "$way: no frame"
    grep -q 'step 233' "$work/b.txt" || fault "$way: not at step 233: $(cat "$work/b.txt")"
done
picture "$work/a.cast" --at 183 >"$work/b.txt"
grep -q 'step 183' "$work/b.txt" || fault "no frame at step 183"
picture "$work/a.cast" --at 183 --steps 50 >"$work/b.txt"
grep -q 'step 233' "$work/b.txt" || fault "no frame 50 steps later"

# Files that Lua's own require reads for a trusted scenario are recorded too.
mkdir "$work/trust"
cat >"$work/trust/t.lua" <<END
local cs = require "chainscope"
return cs.scenario { title = "t", seed = 3, chains = 1, budget = { steps = 300 },
  target = cs.target.gaussian { dim = 2, scale = io.open("$work/trust/scale"):read "n" },
  arms = { a = cs.kernel.random_walk { step = require "lib.width" } } }
END
mkdir "$work/trust/lib"
echo 2 >"$work/trust/scale"
echo 'return 2' >"$work/trust/lib/width.lua"
one='for c = 1, 1 do print(run.steps, table.concat(run:arm(1):chain(c):state(), " ")) end'
printf 'run:step(30)\n%s\nprint "JOURNAL"\n:journal inputs\n' "$one" |
    "$program" repl "$work/trust/t.lua" --trust >"$work/said"
sed '1,/^JOURNAL/d' "$work/said" >"$work/trust.txt"
record "$work/trust.txt" 30 >"$work/t.cast"
echo 'return 3' >"$work/trust/lib/width.lua"
echo "$one" | "$program" repl "$work/t.cast" --trust >"$work/is" 2>"$work/err"
grep '^30.[0-9-]' "$work/said" | cmp - "$work/is" || fault "a trusted run differs: $(cat "$work/err")"
grep -q 'width.lua was changed' "$work/err" || fault "not reported: $(cat "$work/err")"
echo 3 >"$work/trust/scale" # not recorded
echo "$one" | "$program" repl "$work/t.cast" --trust >"$work/is" 2>"$work/err"
[ $? -eq 1 ] && grep -q 'no longer produces the recorded run' "$work/err" || fault "another run is repeated: $(cat "$work/is")"

# A recording that claims to come from another folder cannot read files in that
# folder. Only recorded files are opened, and only if their checksums match.
mkdir "$work/private"
printf 'x\n42\n' >"$work/private/secret.csv"
cat >"$work/private/s.lua" <<END
local cs = require "chainscope"
return cs.scenario { title = "t", seed = 3, chains = 1, target = cs.target.gaussian { dim = 2 },
  arms = { a = cs.kernel.random_walk { step = cs.read_table("secret.csv").x[1] } } }
END
echo ':journal inputs' | "$program" repl "$work/private/s.lua" | sed '/^data/d' >"$work/s.txt"
record "$work/s.txt" 0 >"$work/s.cast"
echo "$one" | "$program" repl "$work/s.cast" >"$work/is" 2>"$work/err" || fault "the scenario itself cannot read the file: $(cat "$work/err")"
rm "$work/private/s.lua"
echo "$one" | "$program" repl "$work/s.cast" >"$work/is" 2>"$work/err"
[ $? -eq 1 ] && grep -q "does not contain the file 'secret.csv'" "$work/err" || fault "a file outside the recording is read: $(cat "$work/is" "$work/err")"

# If the files are moved together, they are found.
mkdir "$work/elsewhere"
mv "$work/two.lua" "$work/a.cast" "$work/elsewhere"
again "$work/elsewhere/a.cast" 2>"$work/err" | cmp - "$work/at233" || fault "the moved file is not found"
[ -s "$work/err" ] && fault "a message about the moved file: $(cat "$work/err")"
mv "$work/elsewhere/a.cast" "$work"
refused() { # WORDS, FILE ...: checks that the message for the files has WORDS
    words=$1
    shift
    "$program" shot "$@" >/dev/null 2>"$work/err"
    [ $? -eq 1 ] && grep -q "$words" "$work/err" || fault "$*: $(cat "$work/err")"
}
sed '/"[Jc]"/d' "$work/b.cast" >"$work/c.cast"
refused 'contains no run' "$work/c.cast"
sed '/"J"/d' "$work/b.cast" >"$work/c.cast"
refused 'c.cast:7: the recording is damaged' "$work/c.cast"
echo '{"version": 9}' >"$work/c.cast"
refused 'c.cast:1' "$work/c.cast"
printf '{"version": 2, "width": 9, "height": 9}\n[1, "o", 3]\n' >"$work/c.cast"
refused 'c.cast:2' "$work/c.cast"
exit $faults
