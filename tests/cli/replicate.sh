#!/bin/sh
# usage: replicate.sh PROGRAM SCENARIO
# Tests the claims of a paper: three formats, three answers, exit codes, and
# stored results.
. "$(dirname "$0")/../support/begin.sh"

# exits CODE WORDS...: runs replicate with these arguments and expects CODE; the
# output is in $work/said.
exits() {
    want=$1
    shift
    "$program" replicate "$@" >"$work/said" 2>"$work/err"
    code=$?
    [ $code = "$want" ] ||
        fault "replicate $*: exit $code, not $want: $(cat "$work/err")"
}
says() { grep -q -- "$1" "$work/said" "$work/err" || fault "no '$1' in $(cat "$work/said" "$work/err")"; }

# scenario NAME CLAIMS: writes a scenario.
scenario() {
    cat >"$work/$1.lua" <<END
local cs = require "chainscope"
return cs.scenario {
  title = "A | title", shows = "claims", source = "a \"paper\", 1.2",
  target = cs.target.bernoulli4 {}, chains = 4, seed = 3,
  arms = { a = cs.kernel.gibbs {}, dmala = cs.kernel.dmala { step = 1 } },
  budget = { steps = 2000 }, setting = "2000 of 9000 | steps",
  full = { budget = { steps = 3000 }, seeds = 3, setting = "3000 of 9000 steps" },
  claims = { $2 },
}
END
}
holds='{ arm = "dmala", stat = "acceptance", exact = 0.767284, paper = "accepts | all" },'
fails='{ arm = "a", stat = "log_density", at_least = 0, paper = "says 1", holds = false },'
open='{ arm = "a", stat = "mode_share", of = 1, near = 0.07689, within = 0.0001 },'
never='{ arm = "dmala", stat = "mcse", of = 1, at_least = 0, only = "quick" },'
none='{ arm = "a", stat = "cycle_acceptance", of = 1, at_most = 1 },'
scenario good "$holds"
scenario all "$holds $fails $open $never"
scenario null "$none"
sed 's/budget = { steps = 2000/probes = { "energy" }, &/' "$work/null.lua" \
    >"$work/bare.lua"

exits 0 "$work/good.lua"
says 'full setting'
says '^./good: A | title'
says 'exactly 0.767284, to 0.038 .* +- .* (2)  holds'
says 'spread of 3 seeds'
says '^  setting: 3000 of 9000 steps$'
says 'Hold: 1; do not hold: 0; cannot tell: 0'
exits 0 "$work/good.lua" --quick
says 'quick setting'
says 'jackknife of 4 chains'
says '^  setting: 2000 of 9000 | steps$'
exits 1 "$work/all.lua" --quick
says 'does not hold, as expected'
says 'cannot tell: needs full$'
says 'Hold: 2; do not hold: 1; cannot tell: 1'
says '^  acceptance = share of the proposals'
[ "$(grep -c '^  mode_share = ' "$work/said")" = 1 ] || fault "a figure is printed twice"
exits 1 "$work/all.lua"
says 'Hold: 1; do not hold: 1; cannot tell: 1'
says ' cannot tell$'

# A ratio that is on the claimed side but has another size gets a verdict of its
# own.
scenario size '{ arm = "dmala", stat = "ess", relation = "more", than = "a", times = 71.2, quote = "a little \"more\"", where = "section 2" },
    { arm = "dmala", stat = "ess", relation = "more", than = "a", times = 71.2, holds = "other size", paper = "71.2", source = "program" },'
exits 0 "$work/size.lua" --quick
says 'ess over a.s  71.2 times, within a factor of 1.25 .* RIGHT DIRECTION, OTHER SIZE$'
says 'right direction, other size, as expected$'
says 'paper: "a little "more"" (section 2)$'
says 'paper: 71.2 (its program)$'
says 'cannot tell: 0; right direction, other size: 2. 1 not as the scenario expects.'
exits 0 "$work/size.lua" --quick --format json
says '"other_size": 2, "cannot_fail": 0, "cannot_tell": 0, "not_as_said": 1'
says '"where": "section 2"'

# A bound that cannot fail is not tested, and the claim does not count as
# holding. The same is true of a bound at the limit of the range of a figure.
scenario loose '{ arm = "dmala", stat = "mine", at_least = -60, measure = function() return -0.6, 0.3, 20 end },
    { arm = "dmala", stat = "mine", at_least = -2, measure = function() return -0.6, 0.3, 20 end },
    { arm = "dmala", stat = "acceptance", at_least = 0 },
    { arm = "dmala", stat = "acceptance", at_least = 0.1, only = "full" },'
exits 0 "$work/loose.lua" --quick
[ "$(grep -c '^      its bound cannot fail$' "$work/said")" = 2 ] || fault "loose: $(cat "$work/said")"
says 'Hold: 1; do not hold: 0; cannot tell: 0; hold by bounds that cannot fail: 2. 1 claim is left out (full setting only).'
exits 0 "$work/loose.lua" --quick --format json
says '"cannot_fail": 2, .*"of_the_full_setting_only": 1'

# If all claims need the full setting, the output of the quick setting says so.
scenario later '{ arm = "a", stat = "acceptance", at_least = 0.1, only = "full" },'
exits 0 "$work/later.lua" --quick
says '^0 claims in 1 scenario. .* 1 claim is left out (full setting only).$'

# The setting is computed from the opened run, and compared with the numbers
# that the paper states.
sed 's/setting = "2000 of 9000 | steps"/printed = { steps = 9000, chains = 4, rows = 10, seeds = 11, arms = { dmala = { step = 0.1 }, a = { scan = "random" } } }, setting = "in short"/;
     s/bernoulli4 {}/bernoulli4 { }/' "$work/good.lua" >"$work/printed.lua"
exits 0 "$work/printed.lua" --quick
says '^  setting: rows 0 for 10, seeds 1 for 11, steps 2000 for 9000, dmala.step 1 for 0.1; in short$'
exits 0 "$work/printed.lua"
says '^  setting: rows 0 for 10, seeds 3 for 11, steps 3000 for 9000, dmala.step 1 for 0.1; 3000 of 9000 steps$'
sed 's/dmala = { step = 0.1 }/dmla = { step = 0.1 }/' "$work/printed.lua" >"$work/bad.lua"
exits 1 "$work/bad.lua"
says " names the arm 'dmla', which does not exist: did you mean 'dmala'"
mkdir "$work/data"
for here in no yes; do
    [ $here = no ] || echo 1 >"$work/data/table.csv"
    sed 's/^local cs = .*/&\ncs.has_data "table.csv"/' "$work/good.lua" >"$work/asks.lua"
    CHAINSCOPE_DATA=$work/data exits 0 "$work/asks.lua" --quick
    [ $here = no ] && says 'steps; missing: table.csv$'
    [ $here = yes ] && says 'steps; data: table.csv (sum [0-9a-f]\{8\})$'
done
rm -r "$work/data"

# The columns are aligned, however long the name of a figure is.
scenario long '{ arm = "a", stat = "mode_share", of = 1, less_than = "dmala", near = 0, within = 1 },
    { arm = "dmala", stat = "acceptance", at_least = 0.5 },'
exits 0 "$work/long.lua" --quick
[ "$(sed -n 's/ holds.*//p' "$work/said" | awk '{ print length }' | sort -u | wc -l)" = 1 ] ||
    fault "columns are not aligned: $(cat "$work/said")"

# Without the paper's data the paper's figures are not judged. A figure without
# an error is not judged.
scenario data '{ arm = "a", stat = "acceptance", at_least = 0, paper = "1", data = "no/such.csv" },
    { arm = "a", stat = "mine", at_least = 0, measure = function() return 1 end },'
exits 0 "$work/data.lua" --quick
says ' -  *not run: no data$'
says 'not measured: no/such.csv is not in the folder CHAINSCOPE_DATA (links that lead out of it are not followed)$'
says ' cannot tell: no error known$'
says 'Hold: 0; do not hold: 0; cannot tell: 1; not run for lack of data: 1.'

# If no claim has its data nothing is run, even without a budget. A link that
# leads out of the folder does not count as data. Results from a machine that
# has the data are shown.
scenario idle '{ arm = "a", stat = "acceptance", at_least = 0, paper = "1", data = "table.csv" },'
sed 's/steps = 3000/steps = 1e15/' "$work/idle.lua" >"$work/endless.lua"
mkdir "$work/data"
ln -s "$work/good.lua" "$work/data/table.csv"
CHAINSCOPE_DATA=$work/data exits 0 "$work/endless.lua"
says ' -  *not run: no data$'
exits 0 "$work/endless.lua" --format json
says '"seeds": 0, '
rm "$work/data/table.csv"
echo 1 >"$work/data/table.csv"
CHAINSCOPE_DATA=$work/data exits 0 "$work/idle.lua" --out "$work/there"
says ' holds$'
exits 0 "$work/idle.lua" --out "$work/there" --resume
says ' holds$'

# If a claim cannot be judged, the table is not empty.
scenario wrong '{ arm = "a", stat = "mine", at_least = 0, measure = function() return "much" end },'
exits 1 "$work/wrong.lua" --quick
says "measure\`* of the claim 'mine' returned a string"

# CSV has one line per claim.
exits 1 "$work/all.lua" --quick --format csv
says '^scenario,arm,figure,paper,'
exits 1 "$work/wrong.lua" --quick --format csv
says "measure\`* of the claim 'mine' returned a string"

# All three formats have the same contents, and a table keeps its columns.
exits 1 "$work/all.lua" --quick --format markdown
sed 's/title = "A | title"/title = "![a](http:\/\/x\/y.png) <b>"/; s/setting = "2000 of/setting = "[b](z) of/' "$work/all.lua" >"$work/live.lua"
exits 1 "$work/live.lua" --quick --format markdown
says '^## \\!\\\[a\\\](http://x/y.png) \\<b\\>$'
says '^Setting: \\\[b\\\](z)'
exits 1 "$work/all.lua" --quick --format markdown
says 'accepts .| all'
says '^Setting: 2000 of 9000 \\| steps'
[ "$(grep -c '^|' "$work/said")" = 6 ] || fault "rows: $(cat "$work/said")"
[ "$(grep '^|' "$work/said" | sed 's/\\.//g; s/[^|]//g' | sort -u | wc -l)" = 1 ] ||
    fault "rows have different lengths"
exits 1 "$work/all.lua" --quick -o "$work/all.json"
[ -s "$work/said" ] && fault "the file differs from stdout"
exits 0 "$work/bare.lua" --quick --format json
says '"measured": null'
says '"reason": "the run has no probe cycle: probes = '
if command -v python3 >"$work/null"; then
    python3 - "$work/all.json" "$work/said" <<'END' || fault "wrong JSON"
import json, math, sys
all, null = [json.load(open(f)) for f in sys.argv[1:]]
assert all["complete"] and all["setting"] == "quick", all
assert [all[k] for k in ("hold", "do_not_hold", "cannot_tell")] == [2, 1, 1], all
claims = all["scenarios"][0]["claims"]
assert [c["answer"] for c in claims] == ["holds", "does not hold", "cannot tell", "holds"]
assert claims[0]["exact"] == 0.767284 and claims[0]["paper"] == "accepts | all"
assert claims[0]["setting"] == "2000 of 9000 | steps" and claims[0]["freedom"] == 3
assert "setting" not in claims[3] and all["not_run"] == 0 and all["absent"] == []
assert claims[1]["error"] > 0 and math.isfinite(claims[1]["measured"])
assert null["scenarios"][0]["claims"][0]["measured"] is None
END
fi

# Wrong arguments are usage errors. If a scenario fails, this is reported, and
# the other scenarios are run.
exits 2 edpl
says "did you mean 'edlp'"
exits 2 edlp sharp_and_flt
says "did you mean 'sharp_and_flat'"
exits 2 edlp --format jason
says "did you mean 'json'"
exits 2 edlp --quik
exits 2 edlp --workers x
exits 1 "$work/none.lua"
says 'failed: '
says '1 scenario failed'
sed 's/steps = 3000/stps = 1/' "$work/good.lua" >"$work/bad.lua"
exits 1 "$work/bad.lua"
says "bad.lua:2: .*'stps'.*'steps'"
sed 's/seeds = 3/seeds = 0/' "$work/good.lua" >"$work/bad.lua"
exits 1 "$work/bad.lua"
says 'seeds = 0 is out of range'
sed '/claims =/d' "$work/good.lua" >"$work/bad.lua"
exits 1 "$work/bad.lua"
says 'has no claims'

# After Ctrl-C the runs that are complete are kept, and the table is complete.
sed 's/steps = 3000 }, seeds = 3/steps = 4e6 }, seeds = 900/' "$work/good.lua" \
    >"$work/long.lua"
"$program" replicate "$work/long.lua" -o "$work/long.json" --quick 2>"$work/err" ||
    fault "quick: $(cat "$work/err")"
rm "$work/long.json"
"$program" replicate "$work/long.lua" -o "$work/long.json" 2>"$work/err" &
pid=$!
sleep 1
kill -INT $pid
wait $pid
code=$?
[ $code = 130 ] || fault "after Ctrl-C: exit $code"
grep -q '"cannot_tell": [0-9]*, "not_as_said"' "$work/long.json" ||
    fault "the table is incomplete: $(cat "$work/long.json")"

# Parts of the runs that are merged, and a part that is resumed, give the same
# claims.
strip() { sed 's/([0-9.]* s)$//' "$1"; }
exits 1 "$work/all.lua" --out "$work/whole"
strip "$work/said" >"$work/whole.txt"
mkdir "$work/parts"
for k in 2 1; do
    exits 0 "$work/all.lua" --out "$work/parts/$k" --part $k/2
    says "part $k of 2 is complete"
done
rm "$work/parts/1/job_000001"
exits 0 "$work/all.lua" --out "$work/parts/1" --part 1/2 --resume
"$program" merge "$work/all.lua" "$work/parts" --out "$work/merged" >"$work/said"
code=$?
[ $code = 1 ] || fault "merged: exit $code"
strip "$work/said" | cmp -s - "$work/whole.txt" ||
    fault "merged: $(strip "$work/said" | diff - "$work/whole.txt")"
exits 1 "$work/all.lua" --jobs 3
strip "$work/said" | cmp -s - "$work/whole.txt" || fault "with three at a time"
exits 1 "$work/all.lua" --out "$work/whole" --resume --quick
says "'--quick' was"

# A file that cannot be written is reported.
exits 1 "$work/good.lua" --quick -o "$work/no/such/place.json"

# If no scenario covers a result of a paper, the result is listed at the end of
# the output.
home=$work/prefix/share/chainscope
mkdir -p "$work/prefix/bin" "$home/scenarios/paper"
cp "$program" "$work/prefix/bin/chainscope"
cp -R "$(dirname "$0")/../../lua" "$home/lua"
cp "$work/good.lua" "$home/scenarios/paper/one.lua"
printf 'table 9: \033[2Jdogs\n\nfigure 2\n' >"$home/scenarios/paper/absent.txt"
program=$work/prefix/bin/chainscope
exits 0 paper --quick
says '^Results without a scenario:$'
says '^- table 9: .x1b.2Jdogs$'
says '^- figure 2$'
exits 0 paper --quick --format json
says '"absent": \["table 9: .*dogs", "figure 2"\]'
exits 0 paper one --quick
grep -q 'no scenario' "$work/said" && fault "for one scenario: a result that another covers is listed"
grep -v 'paper = ' "$work/good.lua" >"$home/scenarios/paper/two.lua"
exits 2 paper two --quick
says "no claim of 'two' has a value stated in the paper: .*two.lua"
exit $faults
