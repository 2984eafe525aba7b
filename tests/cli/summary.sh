#!/bin/sh
# usage: summary.sh PROGRAM SCENARIO
# Tests that R-hat and ESS are the same everywhere: in the printed output, in
# summary.json, in Lua, on the screen and in claims. The claims are stored with
# the draws.
. "$(dirname "$0")/../support/begin.sh"
scenario=$2

cat >"$work/claims.lua" <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "Claims", shows = "that they are kept",
  target = cs.target.gaussian { dim = 12 }, chains = 3, seed = 7,
  arms = { a = cs.kernel.random_walk { step = 1.0 } },
  budget = { steps = 3000 }, warmup = 0, screen = { "summary" },
  claims = {
    { arm = "a", stat = "rhat", of = 1, at_most = 2, paper = "says \"so\"" },
    { arm = "a", stat = "ess", of = 2, at_least = 1e9, holds = false },
    { arm = "a", stat = "ess_bulk", of = 1, at_least = 1e9 },
  },
}
END
"$program" run "$work/claims.lua" --out "$work/out" >"$work/said"
[ $? -eq 1 ] || fault "the exit code does not report a claim that does not hold"
"$program" run "$work/claims.lua" --steps 3001 >"$work/null" ||
    fault "another budget than the scenario's breaks its claims"
json=$work/out/summary.json
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$json" 2>"$work/err" ||
    ! command -v python3 >"$work/null" || fault "no JSON: $(cat "$work/err")"

# of ROW COLUMN: prints a figure in summary.json.
of() { sed -n "s/.*\"$1\": {.*\"$2\": \\([^,}]*\\).*/\\1/p" "$json"; }
# close A B WHAT: checks that A and B are equal to the displayed digits.
close() {
    [ -n "$1" ] && [ -n "$2" ] &&
        awk "BEGIN { d = $1 - $2; if (d < 0) d = -d; exit !(d <= 6e-4 * ($1 > 1 ? $1 : 1)) }" ||
        fault "$3: $1 is not $2"
}
rhat=$(of x.1 rhat) ess=$(of x.2 ess) bulk=$(of x.1 ess_bulk)
row() { awk -v r="$1" -v c="$2" '$1 == r { print $c; exit }' "$3"; }
close "$(row x.1 5 "$work/said")" "$rhat" "R-hat printed"
close "$(row x.2 6 "$work/said")" "$ess" "ESS printed"
grep -q '^  x.12 ' "$work/said" || fault "the last coordinate is not judged"
# A warm-up excludes the steps from a distant start from the draws, the files
# and the figures.
cat >"$work/far.lua" <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "Far", target = cs.target { space = cs.real(1),
    log_density = function(x) return -(x[1] - 40)^2 / 2 end },
  chains = 4, seed = 1, arms = { m = cs.kernel.mala { step = 0.5 } }, budget = { steps = 5000 },
}
END
"$program" run "$work/far.lua" --warmup 0 >"$work/far"
grep -q 'use a longer warm-up' "$work/far" || fault "the warm-up is not reported"
"$program" run "$work/far.lua" --out "$work/warm" >"$work/far"
grep -q 'warm-up: 500 steps per chain are not draws; `warmup = 0` keeps them' "$work/far" || fault "no warm-up"
grep -q 'use a longer' "$work/far" && fault "the warm-up is among the draws"
[ "$(grep -c '^[-0-9]' "$work/warm/m_1.csv")" = 4500 ] || fault "the files have the warm-up"
grep -q 'num_warmup = 500' "$work/warm/m_1.csv" || fault "the file does not report its warm-up"
"$program" run "$work/far.lua" --warmup 5000 >"$work/far" 2>&1 && fault "a warm-up of all steps is accepted"
grep -q 'leaves no draws' "$work/far" || fault "no message that the warm-up takes all steps"
"$program" run "$work/far.lua" --warmup often >"$work/far" 2>&1 && fault "an invalid warm-up is accepted"
# The means equal those of the columns of the files.
mean() {
    awk -F, -v c="$1" '/^#/ { next } /^lp__/ { for (i = 1; i <= NF; i++) if ($i == c) n = i; next }
        { s += $n; k++ } END { printf "%.8g", s / k }' "$work"/out/a_*.csv
}
close "$(of lp__ mean)" "$(mean lp__)" "mean of lp__"
close "$(of x.12 mean)" "$(mean x.12)" "mean of x.12"

printf 'run:step(3000)\nprint(run:summary())\n' |
    "$program" repl "$work/claims.lua" >"$work/lua" || fault "no repl"
close "$(row x.1 5 "$work/lua")" "$rhat" "R-hat in Lua"
"$program" shot "$work/claims.lua" --steps 3000 --size 120x40 --keys ':zoom summary<enter>' >"$work/shot"
sed -n 's/^.*\(x\.[12] .*\)$/\1/p' "$work/shot" >"$work/rows"
close "$(row x.1 4 "$work/rows" | tr -d '!')" "$rhat" "R-hat on the screen"

measured() { sed -n "s/.*\"figure\": \"$1\".*\"measured\": \\([^,}]*\\).*/\\1/p" "$json"; }
close "$(measured 'rhat(1)')" "$rhat" "R-hat claimed"
close "$(measured 'ess(2)')" "$ess" "ESS claimed"
close "$(measured 'ess_bulk(1)')" "$bulk" "bulk ESS claimed"
for text in '"arm": "a"' '"bound": "at most 2"' '"verdict": "holds"' \
    '"paper": "says \"so\""' '"verdict": "does not hold, as expected"' \
    '"verdict": "DOES NOT HOLD"' 'judged": "at the end of'; do
    grep -qF -- "$text" "$json" || fault "no $text in summary.json"
done

# The summary is printed in other formats, and nothing else is printed.
"$program" run "$work/claims.lua" --out "$work/json" --format json >"$work/said"
cmp "$work/said" "$work/json/summary.json" || fault "the printed JSON differs from summary.json"
"$program" run "$work/claims.lua" --format csv >"$work/said"
head -1 "$work/said" | grep -q "^arm,quantity,mean,sd,mcse,rhat,ess,ess_bulk,ess_tail,5%,5%_mcse,5%_ess,.*,median,mad,mcse_sd,mcse_median,mcse_mad,ess_sd,ess_median$" &&
    [ "$(wc -l <"$work/said")" = 14 ] || fault "CSV: $(cat "$work/said")"
close "$(awk -F, '$2 == "x.1" { print $6 }' "$work/said")" "$rhat" "R-hat in CSV"
"$program" run "$work/claims.lua" --format latex --all >"$work/said"
grep -q '^x.12 & ' "$work/said" && grep -q '^a & ess(2) & ' "$work/said" || fault "LaTeX: $(cat "$work/said")"
"$program" run "$work/claims.lua" --format words >"$work/said" 2>&1
[ $? -eq 2 ] || fault "an unknown format is accepted"
"$program" run "$work/claims.lua" --format csv --bias >"$work/said" 2>&1 && fault "the bias is not reported"

# In an interrupted run, the claims report that it was interrupted. A scenario
# without claims has no claims in its summary.
"$program" run "$work/claims.lua" --steps 100 --out "$work/short" >"$work/said"
grep -q 'judged": "at step 100 of another' "$work/short/summary.json" ||
    fault "judged before the budget's end"
"$program" run "$scenario" --steps 50 --out "$work/none" >"$work/said"
grep -q claims "$work/none/summary.json" && fault "claims that the scenario does not have"

# If R-hat cannot detect the cause of a wrong result, the cause is printed, and
# is in the JSON.
cat >"$work/modes.lua" <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "Hills", shows = "what is missed", start = { -5 },
  target = cs.target.mixture { means = { { -5 }, { 5 } } }, seed = 1,
  arms = { near = cs.kernel.random_walk { step = 1 }, far = cs.kernel.random_walk { step = 1e6 },
           dlp = { kernel = cs.kernel.hmc { step = 0.03 }, tuner = cs.tuner.acceptance { steps = 500 } } },
  budget = { steps = 4000 },
}
END
"$program" run "$work/modes.lua" --out "$work/modes" --set dlp.step=0.5 >"$work/said" ||
    fault "the run with modes fails"
for text in '1 of 2 known modes were never visited, with 0.5 of the mass' 'modes visited: 1 of 2, 1 by every chain; each chain visited 1' \
    'all chains start at one place' 'accepts 0 % at step size 1e+06: try 1e+05' \
    'distance from the exact answer: ks.x.1 0.5' 'tuned by acceptance in 500 steps'; do
    grep -qF -- "$text" "$work/said" || fault "not printed: $text"
done
grep -q '"warnings": \["1 of 2 known modes.*"modes": 2, "modes_visited": 1, "mode_shares": \[1, 0\]' \
    "$work/modes/summary.json" || fault "no modes in summary.json"
# If each chain stays in one of two hills, the chains together have visited both
# hills, but no single chain has.
sed 's/start = { -5 }/start = { { -5 }, { 5 }, { 5 } }, chains = 3/' "$work/modes.lua" >"$work/apart.lua"
"$program" run "$work/apart.lua" --out "$work/apart" --set dlp.step=0.5 >"$work/said"
for text in 'modes visited: 2 of 2, 0 by every chain; each chain visited 1' \
    '2 of 2 known modes were rarely or never visited by some chains, mode 1 by 2 of 3'; do
    grep -qF -- "$text" "$work/said" || fault "not printed: $text"
done
grep -q '"modes_visited_by_all": 0, "mode_chains": \[1, 2\], "mode_visits": \[\[3600, 0\], \[0, 3600\], \[0, 3600\]\]' \
    "$work/apart/summary.json" || fault "no visits of each chain in summary.json"
# The draws from which figures are computed are all written draws or, without
# files, the states of all steps.
"$program" run "$work/claims.lua" --steps 3500 --thin 7 --out "$work/out" --force >"$work/said"
grep -q 'all 500 written draws per chain are used, one per 7 steps' "$work/said" ||
    fault "thinned: $(cat "$work/said")"
for name in lp__ x.2 x.12; do
    close "$(of $name mean)" "$(mean $name)" "thinned, mean of $name"
done
"$program" run "$work/claims.lua" --steps 20000 >"$work/said"
grep -q 'kept draws' "$work/said" && fault "kept: $(cat "$work/said")"
# A single step into the other hill does not count as a reliable visit.
sed 's/near = cs.kernel.random_walk { step = 1 }, far.*/near = cs.kernel.random_walk { step = 1 } },/
    /dlp = /d; s/steps = 4000/steps = 20000/' "$work/modes.lua" >"$work/strayed.lua"
"$program" run "$work/strayed.lua" >"$work/said"
grep -q 'modes visited: 2 of 2' "$work/said" || fault "no step leaves the hill"
grep -q '1 of 2 known modes have less than a tenth of their mass: mode 2 has 0.00' "$work/said" ||
    fault "a mode reached by a single step counts as visited"
"$program" run "$work/modes.lua" --steps 50 >"$work/said" 2>"$work/err"
[ $? -eq 1 ] || fault "a run without draws succeeds"
for file in said err; do
    grep -q 'no draws: the run ended at step 50, during its warm-up' "$work/$file" ||
        fault "no message about a shorter warm-up: $file"
done
grep -q 'nan' "$work/said" && fault "nan in a summary"

# A run without the probe has no figures of this probe, and gives the reason.
sed 's/budget/probes = { "acceptance", only = true }, budget/; s/, screen = { "summary" }//; /claims = {/,/^  },/d' \
    "$work/claims.lua" >"$work/bare.lua"
"$program" run "$work/bare.lua" >"$work/said" 2>&1
grep -q 'no probe diagnostics' "$work/said" || fault "bare: $(cat "$work/said")"

# However long the summary is, it is complete in summary.json and in the printed
# output.
cat >"$work/wide.lua" <<'END'
local cs = require "chainscope"
local arms = {}
for i = 1, 100 do arms["arm_" .. i] = cs.kernel.random_walk { step = 0.1 } end
return cs.scenario {
  title = "Wide", shows = "a long summary", chains = 2, seed = 1, arms = arms,
  target = cs.target.gaussian { dim = 64 }, budget = { steps = 50 },
  probes = { diagnostics = { coordinates = 64 } },
}
END
"$program" run "$work/wide.lua" --out "$work/wide" >"$work/said" ||
    fault "the wide run fails"
grep -q 'the 10 worst of 65 quantities' "$work/said" || fault "the worst quantities are not named"
grep -q '"x.64"' "$work/wide/summary.json" || fault "x.64 is not in the JSON"
[ "$(grep -c '"arm"' "$work/wide/summary.json")" = 100 ] &&
    [ "$(tail -c 2 "$work/wide/summary.json")" = '}' ] ||
    fault "a long summary.json is cut"
[ "$(grep -c '^arm_[0-9]* (random_walk)' "$work/said")" = 100 ] &&
    [ "$(grep -c '^  x.1 ' "$work/said")" = 100 ] || fault "a long summary is cut"

# For a model with many parameters the summary has the scalars, which are the
# main results, and the coordinates that were requested.
cat >"$work/scalars.lua" <<'END'
local cs = require "chainscope"
return cs.scenario { title = "s", chains = 2, seed = 1, budget = { steps = 200 },
  target = cs.target { params = { { effect = cs.real() }, { z = cs.real(30) }, { zz = cs.real(2) } },
    log_density = function(p) return cs.lpdf.normal(p.effect, 0.7, 0.1) + cs.lpdf.normal(p.z, 0, 1) + cs.lpdf.normal(p.zz, 0, 1) end },
  arms = { nuts = cs.kernel.nuts {} } }
END
rows() { "$program" run "$work/scalars.lua" "$@" >"$work/said" 2>&1; grep -c '^  \(lp__\|effect\|z\.[0-9]*\|zz\.[0-9]\) ' "$work/said"; }
[ "$(rows)" = 12 ] || fault "scalars: $(cat "$work/said")"
grep -q '^  effect ' "$work/said" || fault "the scalar is not shown"
grep -q 'the 1 scalar and the 10 worst of 34 quantities (--show NAME, --all)' "$work/said" || fault "the selection is not reported"
[ "$(rows --all)" = 34 ] || fault "--all: $(cat "$work/said")"
rows --show zz,z.30 >"$work/n"
grep -q '^  zz.1 ' "$work/said" && grep -q '^  zz.2 ' "$work/said" && grep -q '^  z.30 ' "$work/said" ||
    fault "--show: $(cat "$work/said")"
[ "$(cat "$work/n")" -le 15 ] || fault "--show zz shows z too"

# For several arms the summary names the leading arm, as the screen does.
cat >"$work/steps.lua" <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "Steps", target = cs.target.gaussian { dim = 2 }, chains = 8, seed = 3, warmup = 0,
  arms = { tiny = cs.kernel.random_walk { step = 0.1 }, good = cs.kernel.random_walk { step = 1.7 } },
  budget = { steps = 4000 }, screen = { "summary" },
}
END
"$program" run "$work/steps.lua" >"$work/said" || fault "steps do not run"
grep -qE '^`good` leads `tiny` [0-9]+x .* in effective draws per evaluation\.$' "$work/said" ||
    fault "no arm leads: $(cat "$work/said")"
"$program" shot "$work/steps.lua" --steps 4000 --size 120x40 >"$work/shown"
grep -q '`good` leads `tiny` [0-9]*x' "$work/shown" || fault "no arm leads in the panel"
"$program" shot "$work/steps.lua" --steps 4000 --size 120x40 --keys ':summary<enter>' >"$work/shown"
[ "$(grep -c '`good` leads `tiny` [0-9]*x' "$work/shown")" -ge 1 ] || fault "no arm leads in :summary"
"$program" run "$work/steps.lua" --chains 1 --steps 50 >"$work/said" || fault "a short run fails"
grep -q ' leads ' "$work/said" && fault "an arm with one chain leads"

# Each chain never moves from a start of its own. By every formula each chain
# counts as one effective draw, so the arms are not compared.
sed 's/tiny = .*step = 0.1/stuck = cs.kernel.random_walk { step = 1e9/' "$work/steps.lua" >"$work/stuck.lua"
"$program" run "$work/stuck.lua" >"$work/said" || fault "the run of stuck chains fails"
grep -qxF '`stuck` has fewer than two effective draws per chain, too few to compare.' "$work/said" ||
    fault "chains that never moved are compared: $(cat "$work/said")"

# Without files, figures use all draws and all quantities: the summary of a long
# run is that of its files, also if the draws need more than 64 MiB.
# The few slow coordinates need the sums of many lags.
cat >"$work/many.lua" <<'END'
local cs = require "chainscope"
local fast, slow = {}, {}
for i = 1, 900 do table.insert(i % 50 == 0 and slow or fast, i) end
return cs.scenario {
  title = "Many", target = cs.target.gaussian { dim = 900 }, chains = 4, seed = 2, warmup = 0, budget = { steps = 2500 },
  arms = { a = cs.kernel.cycle { cs.kernel.hmc { on = fast, step = 0.16, leapfrogs = 10, name = "fast" },
             cs.kernel.random_walk { on = slow, step = 0.07, name = "slow" } } },
}
END
"$program" run "$work/many.lua" --format csv --quantiles 2.5,50,97.5 >"$work/many.csv" || fault "no run without files"
"$program" run "$work/many.lua" --out "$work/many" --format csv --quantiles 2.5,50,97.5 >"$work/many.files" ||
    fault "no run with files"
cmp -s "$work/many.csv" "$work/many.files" || fault "files change the figures"
[ "$(wc -l <"$work/many.csv")" = 902 ] || fault "not all quantities are summarised: $(wc -l <"$work/many.csv")"
"$program" summary "$work/many" --format csv --quantiles 2.5,50,97.5 >"$work/many.read" || fault "no summary of files"
cut -d, -f 2- "$work/many.files" >"$work/a"
cut -d, -f 2- "$work/many.read" >"$work/b"
cmp -s "$work/a" "$work/b" || fault "the summary of the files is another: $(diff "$work/a" "$work/b" | head -4)"
head -n 1 "$work/many.csv" | grep -q "^arm,quantity,mean,sd,mcse,rhat,ess,ess_bulk,ess_tail,2.5%,2.5%_mcse,2.5%_ess,50%," ||
    fault "the columns: $(head -n 1 "$work/many.csv")"
# The multivariate ESS has an error, and a reason if it is too large or above the
# number of draws. Trajectories of half a period make draws antithetic.
cat >"$work/joint.lua" <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "Together", target = cs.target.gaussian { dim = 3 }, chains = 4, seed = 3, warmup = 0, budget = { steps = 2000 },
  arms = { turned = cs.kernel.hmc { step = 0.5, leapfrogs = 5 }, free = cs.kernel.independence {},
           slow = cs.kernel.random_walk { step = 0.05 } },
}
END
"$program" run "$work/joint.lua" >"$work/joint"
grep -c 'multivariate ESS, of 3 quantities together: [0-9.e+]* +- [0-9.e+]*' "$work/joint" | grep -qx 3 ||
    fault "errors of the multivariate ESS: $(grep multivariate "$work/joint")"
grep -q '(above the 8000 draws: they are antithetic)' "$work/joint" || fault "nothing on antithetic draws"
grep -q '(too large: the autocorrelation is longer than its batches)' "$work/joint" || fault "nothing on short batches"
"$program" run "$work/joint.lua" --chains 1 --steps 40 | grep -q ' % too large: few draws for 3 quantities)' ||
    fault "nothing on few batches"
"$program" run "$work/joint.lua" --format json | grep -q '"ess_multivariate_error": [0-9]' || fault "no error in JSON"
"$program" run "$work/claims.lua" --quantiles 25 --format html >"$work/html"
grep -q '<th[^>]*>25%</th>' "$work/html" || fault "no quantile in HTML"
"$program" run "$work/claims.lua" --quantiles 25 --format markdown | grep -q '| 25% |' || fault "no quantile in Markdown"
"$program" run "$work/claims.lua" --quantiles 25 --format latex | grep -q '25\\%' || fault "no quantile in LaTeX"
for wrong in 5,5 0 100 95,5 5,x 1,2,3,4,5,6,7,8,9,10; do
    "$program" run "$work/claims.lua" --quantiles $wrong >"$work/wrong" 2>&1 && fault "--quantiles $wrong is accepted"
    grep -q 'is not a list of percentages' "$work/wrong" || fault "--quantiles $wrong: $(cat "$work/wrong")"
done
exit $faults
