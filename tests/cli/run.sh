#!/bin/sh
# usage: run.sh PROGRAM SCENARIO
# Tests that a run which is interrupted and resumed has the same draws as an
# uninterrupted run. Files are not overwritten without a request.
. "$(dirname "$0")/../support/begin.sh"
scenario=$2
draws() { grep -v -e Sampling -e Total "$1"; }

"$program" run "$scenario" --out "$work/whole" >"$work/out" 2>"$work/err" ||
    fault "run fails: $(cat "$work/err")"
[ -s "$work/err" ] && fault "stderr of a pipe is not empty"
grep -q 'x.2' "$work/out" || fault "no summary"
[ "$(grep -vc '^#' "$work/whole/a_3.csv")" -eq 20001 ] || fault "not 20000 draws"
"$program" run "$scenario" --out "$work/part" --steps 7001 >/dev/null
cmp -s "$work/whole/a_1.csv" "$work/part/a_1.csv" && fault "7001 steps give the draws of 20000"
"$program" run "$scenario" --out "$work/part" --steps 20000 --resume >/dev/null ||
    fault "cannot resume"
for i in 1 2 3; do
    draws "$work/whole/a_$i.csv" >"$work/a"
    draws "$work/part/a_$i.csv" >"$work/b"
    cmp "$work/a" "$work/b" || fault "chain $i: resumed draws differ"
done
"$program" run "$scenario" --out "$work/whole" >/dev/null 2>"$work/err"
[ $? -eq 1 ] || fault "a run is overwritten"
grep -q -e --force "$work/err" || fault "no remedy is printed"
"$program" run "$scenario" --seed 8 --out "$work/whole" --force >/dev/null ||
    fault "--force does not overwrite"
cmp -s "$work/whole/a_1.csv" "$work/part/a_1.csv" && fault "--seed has no effect"
"$program" run "$work/none.lua" >/dev/null 2>&1
[ $? -eq 1 ] || fault "a missing file is not reported"
"$program" run >/dev/null 2>&1
[ $? -eq 2 ] || fault "a missing argument is not reported"
"$program" run "$scenario" --workers 2 --out "$work/two" >/dev/null ||
    fault "--workers is refused"
draws "$work/two/a_2.csv" >"$work/a"
draws "$work/part/a_2.csv" >"$work/b"
cmp "$work/a" "$work/b" || fault "draws depend on the number of workers"
"$program" shot "$scenario" --size 80x24 --steps 3000 >"$work/shot" ||
    fault "no shot"
grep -q '3,000' "$work/shot" || fault "the shot does not show step 3000"
[ "$(wc -l <"$work/shot")" -eq 24 ] || fault "the shot does not have 24 lines"
cat >"$work/tours.lua" <<'END'
local cs = require "chainscope"
return cs.scenario { title = "Tours", target = cs.target.tsp { cities = 10 },
  chains = 2, arms = { cs.kernel.gibbs {} }, screen = { "summary" } }
END
"$program" shot "$work/tours.lua" --size 200x60 >"$work/shot" &&
    grep -q 'city.1 ' "$work/shot" && ! grep -q 'exact mean' "$work/shot" ||
    fault "exact means of bits are shown for cities"
# Panels of single quantities request these quantities. Exact values are shown
# too.
cat >"$work/one.lua" <<'END'
local cs = require "chainscope"
return cs.scenario { title = "One", target = cs.target.gaussian { dim = 3 }, chains = 4,
  arms = { a = cs.kernel.random_walk {}, b = cs.kernel.hmc { step = 0.3 } },
  screen = { { "marginal", quantity = "x.2" }, "autocorrelation", "ranks", "running",
             { "pairs", quantity = { "x.3", "x.1" } }, "transitions" } }
END
"$program" shot "$work/one.lua" --size 200x80 --steps 3000 >"$work/shot" || fault "no shot"
for word in 'v 1/2  o next .*─ x\.2$' 'TV 0' 'the sum ends here' 'R-hat [01]' 'exact 0' ' x\.3 -[0-9.]* to '; do
    grep -q "$word" "$work/shot" || fault "a panel does not show '$word': $(cat "$work/shot")"
done
! grep -q 'being computed' "$work/shot" || fault "a shot does not wait for a report"
"$program" shot "$work/one.lua" --size 120x40 --steps 3000 --keys ':zoom transitions<enter>a' |
    grep -q 'E-BFMI' || fault "no E-BFMI"
# There are more chains than a snapshot can hold. A panel that is empty gives
# the reason.
cat >"$work/many.lua" <<'END'
local cs = require "chainscope"
local arms = {}
for i = 1, 4 do arms[i] = { name = "a" .. i, kernel = cs.kernel.random_walk {} } end
return cs.scenario { title = "Many", target = cs.target.gaussian { dim = 4 },
  chains = 1024, arms = arms, screen = { "map", "trace" } }
END
"$program" shot "$work/many.lua" --size 160x50 --steps 300 --keys aaa >"$work/shot" &&
    grep -q 'of this panel did not' "$work/shot" && ! grep -q 'keeps no' "$work/shot" ||
    fault "a full snapshot is not reported: $(cat "$work/shot")"
"$program" shot "$scenario" -o "$work/shot.svg" && grep -q '<svg' "$work/shot.svg" ||
    fault "no SVG"
"$program" shot "$scenario" -o "$work/shot.ans" && grep -q '\[[0-9;]*38;5' "$work/shot.ans" ||
    fault "no colours"
NO_COLOR=1 "$program" shot "$scenario" -o "$work/plain.ans" &&
    ! grep -q '\[[0-9;]*38;5' "$work/plain.ans" || fault "NO_COLOR colours ANSI"
NO_COLOR=1 "$program" shot "$scenario" -o "$work/plain.svg" &&
    [ "$(grep -o 'fill="#[0-9a-f]*"' "$work/plain.svg" | sort -u | wc -l)" -le 3 ] ||
    fault "NO_COLOR colours SVG"
"$program" "$scenario" </dev/null >/dev/null 2>"$work/err"
[ $? -eq 2 ] && grep -q 'needs a terminal' "$work/err" ||
    fault "the screen starts without a terminal"
# If the files of two arms would have the same name, the run is refused before
# its first step.
sed 's/arms = { a =/arms = { ["a_0.1"] = cs.kernel.random_walk {}, a_0_1 =/; s/r:arm("a")/r:arm("a_0_1")/' \
    "$scenario" >"$work/alike.lua"
"$program" run "$work/alike.lua" --out "$work/alike" >"$work/said" 2>&1 && fault "two arms share a file"
grep -q "the arms 'a_0.1' and 'a_0_1' would both write a_0_1_1.csv\|the arms 'a_0_1' and 'a_0.1' would" "$work/said" ||
    fault "arms alike: $(cat "$work/said")"
[ ! -e "$work/alike" ] || fault "arms alike: $(ls "$work/alike")"
exit $faults
