#!/bin/sh
# usage: journal.sh PROGRAM SCENARIO
# Tests a long session with many parameter changes that is saved as a script.
# Running the script gives the same draws.
. "$(dirname "$0")/../support/begin.sh"
scenario=$2
draws() { grep -v '^#' "$1"; }
# The script specifies no warm-up, because only `run` has a default warm-up.
sed 's/, warmup = 0//' "$scenario" >"$work/two.lua"
scenario=$work/two.lua

"$program" repl "$scenario" --set seed=11 --set chains=3 >"$work/said" 2>"$work/err" <<END
:out $work/first
run:step(100)
:set a.step 0.3
run:step(50)
run:arm(1):chain(2):set_state { 0.5, -0.25 }
run:step(50)
run:arm("a"):set("step", cs.schedule.cosine { max = 1.5, min = 0.5, period = 20 })
run:step(33)
run:arm("a"):use(cs.kernel.mala { step = 0.4 })
run:step(50)
run:arm("a"):set("step", { 1.5, 0.75, 0.1 })
run:step(50)
run:arm("a"):set("step", 0.2)
run:step(500)
run:arm("a"):use(cs.kernel.simulated_tempering { temperatures = { 1, 3 }, log_weights = { 0, 1 }, kernel = cs.kernel.mala { step = cs.schedule.cosine { max = 1, min = 0.1, period = 9 } } })
run:step(70)
:save $work/saved.lua
:out
:save $scenario
END
grep -q 'is not a saved run' "$work/err" || fault "a scenario is overwritten"
[ "$(wc -l <"$work/err")" -eq 1 ] || fault "$(cat "$work/err")"
"$program" run "$work/saved.lua" --steps 903 --out "$work/again" >/dev/null ||
    fault "the saved script does not run: $(cat "$work/saved.lua")"
"$program" run "$scenario" --seed 11 --steps 903 --warmup 0 --out "$work/plain" >/dev/null
for i in 1 2 3; do
    draws "$work/first/a_$i.csv" >"$work/a"
    draws "$work/again/a_$i.csv" | cmp - "$work/a" || fault "chain $i differs"
    draws "$work/plain/a_$i.csv" | cmp -s - "$work/a" && fault "the parameter changes had no effect"
    [ "$(wc -l <"$work/a")" -gt 834 ] || fault "not 833 draws plus those of the cold chain"
done

# When it is saved again from the saved script, it is still the same run.
printf 'run:step(903)\n:save %s\n' "$work/saved.lua" |
    "$program" repl "$work/saved.lua" >/dev/null || fault "cannot save again"
"$program" run "$work/saved.lua" --steps 903 --out "$work/third" >/dev/null
draws "$work/third/a_1.csv" >"$work/b"
draws "$work/first/a_1.csv" | cmp - "$work/b" || fault "the second saved script differs"

# The journal next to the draws repeats the run without any script.
"$program" run "$scenario" --seed 11 --chains 3 --steps 1e6 \
    --replay "$work/first/journal.txt" --out "$work/replayed" >"$work/said" ||
    fault "the journal is not replayed"
for i in 1 2 3; do
    draws "$work/replayed/a_$i.csv" >"$work/b"
    draws "$work/first/a_$i.csv" | cmp - "$work/b" || fault "chain $i: replay differs"
done
grep -q '^903 steps' "$work/said" || fault "the replay ends at another step"
echo '12 1 nonsense' >"$work/bad.txt"
for bad in bad none; do
    "$program" run "$scenario" --replay "$work/$bad.txt" >"$work/said" 2>"$work/err"
    [ $? -eq 1 ] && grep -q "$bad.txt" "$work/err" || fault "$bad: $(cat "$work/err")"
done

"$program" list scenarios | sed -n 2p | grep -q 01_first_walk ||
    fault "the gallery does not begin with the lessons"

# Settings that exist only in a script are reported.
printf 'run:step(5)\nrun:arm(1):set("step", function(i) return 1 / i end)\n:save %s\n' \
    "$work/lost.lua" | "$program" repl "$scenario" >"$work/said" ||
    fault "cannot save a function"
grep -q 'except 1: not saved are changes by Lua functions' "$work/said" || fault "a lost setting is not reported"
exit $faults
