#!/bin/sh
# usage: save_warmup.sh PROGRAM SCENARIO
# Tests files that include the rows of the warm-up. The draws are the same bytes
# as without these rows. Each row is present exactly once, however the run was
# interrupted. Readers find where the warm-up ends.
. "$(dirname "$0")/../support/begin.sh"
here=$(dirname "$0")
cd "$work" || exit 1

# The arms have a tuner with windows, a tuner that returns to earlier states, a
# plain warm-up, a warm-up that omits hot chains, and no warm-up. The values
# that one target reports differ from its state. One chain stops in its warm-up.
cat >all.lua <<'END'
local cs = require "chainscope"
local function density(x)
  if x[1] > 5 then return 0 / 0 end
  return -0.5 * (x[1]^2 + (x[2] - x[1])^2 / 0.1)
end
return cs.scenario {
  title = "t", chains = 3, seed = 3, budget = { steps = 700 }, warmup = 200,
  strict = STRICT, save_warmup = SAVE,
  target = cs.target { space = cs.real(2), traced = false, log_density = density },
  arms = {
    windows = { kernel = cs.kernel.hmc { step = 0.1, leapfrogs = 4 },
                tuner = cs.tuner.window_adaptation { steps = 300, metric = "dense" } },
    diagonal = { kernel = cs.kernel.random_walk {},
                 tuner = cs.tuner.window_adaptation { steps = 90, metric = "diagonal" } },
    plain = cs.kernel.random_walk { step = 2 },
    simulated_tempering = cs.kernel.simulated_tempering { kernel = cs.kernel.random_walk { step = 2 }, rungs = 2, learn = 50 },
  },
}
END
sed 's/STRICT/false/; s/SAVE/false/' all.lua >plain.lua
sed 's/STRICT/false/; s/SAVE/true/' all.lua >says.lua
sed 's/STRICT/true/; s/SAVE/nil/' all.lua >stops.lua
cat >back.lua <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "t", target = cs.target.bernoulli4 {}, chains = 2, seed = 8, budget = { steps = 500 },
  warmup = 0, arms = { cycle = { kernel = cs.kernel.dmala {}, tuner = cs.tuner.acs { trials = 40, period = 8 } },
                       none = cs.kernel.gibbs {} },
}
END

before() { sed -n '/^lp__/,/^# Adaptation terminated/p' "$1" | grep -v -e '^#' -e '^lp__'; }
draws() { sed '1,/^# Adaptation terminated/d' "$1" | grep -v '^#'; }
# An awk program that reads pairs of files. In row[FILE, PART, I] the first part
# is the warm-up, if the file has one, and the second part is the draws. n[FILE,
# PART] is the number of rows, and head[FILE, KEY] the header.
read_pairs='
FNR == 1 { part = 0; file[++files] = FILENAME }
/^#     [a-z_]+ = [0-9]* *$/ { head[FILENAME, $2] = $4 }
/stopped at step/ { stops[FILENAME] = 1 }
/^# Adaptation terminated/ { part = 2 }
/^lp__/ && !part { part = FILENAME ~ /^without/ ? 2 : 1 }
part && !/^#/ && !/^lp__/ { row[FILENAME, part, ++n[FILENAME, part]] = $0 }
# Compares the rows of a part of g with every thin-th row of f.
function same(f, g, part, thin,  i) {
    if (n[g, part] + 0 != int(n[f, part] / thin)) return 0
    for (i = 1; i <= n[g, part]; i++)
        if (row[g, part, i] != row[f, part, i * thin]) return 0
    return 1
}'
judge_pairs='
END {
    for (k = 1; k < files; k += 2) {
        f = file[k]; g = file[k + 1]; w = head[g, "num_warmup"]; m = head[g, "num_samples"]
        if (!same(f, g, 2, 1)) print g ", thin " thin ": other draws"
        if (head[f, "save_warmup"] != "0") print f ": a warm-up is told"
        if (head[g, "save_warmup"] != "1") print g ": no warm-up is told"
        if (w == "" || n[g, 1] + 0 != int(w / thin))
            print g ", thin " thin ": " n[g, 1] " rows of " w " steps"
        if (m == "" || m != head[f, "num_samples"]) print g ": " m " draws"
    }
    if (files % 2 || !files) print files " files, not pairs"
}'
# like SCENARIO THIN: checks that --save-warmup does not change the draws.
like() {
    rm -rf without with
    "$program" run "$1.lua" --out without --thin $2 >/dev/null 2>&1
    "$program" run "$1.lua" --out with --thin $2 --save-warmup >/dev/null 2>&1
    cmp -s without/summary.json with/summary.json || fault "$1: the summary differs"
    thin=$2
    set --
    for file in without/*_[0-9].csv; do set -- "$@" "$file" "with/${file#*/}"; done
    awk -v thin=$thin "$read_pairs$judge_pairs" "$@" >wrong 2>&1 && [ ! -s wrong ] ||
        fault "$(cat wrong)"
}
# timeless A B: checks that the files in A equal those in B, except for lines with
# times.
timeless() {
    diff -rqa -x checkpoint -x manifest -I '^#.* seconds (' "$1" "$2" | grep -v "^Only in $2: " >differ
    [ ! -s differ ] || fault "$(cat differ)"
}
warmed() { # FILE ROWS: checks the number of rows of the warm-up
    [ "$(before with/$1 | wc -l)" -eq $2 ] || fault "$1 has $(before with/$1 | wc -l) rows of warm-up, not $2"
}
like plain 1
warmed windows_1.csv 300; warmed diagonal_3.csv 90; warmed plain_2.csv 200
grep -q '^# Step size = [01]\.[0-9]*$' with/windows_1.csv || fault "no step size"
grep -A 2 '^# Elements of inverse mass matrix:' with/windows_1.csv | grep -q '^# [0-9.]*, [0-9.]*$' || fault "no matrix"
grep -q '^# Diagonal elements of inverse mass matrix:' with/diagonal_1.csv || fault "no variances"
[ "$(before with/simulated_tempering_1.csv | wc -l)" -lt 200 ] || fault "hot states are among the rows"
"$program" run says.lua --out says >/dev/null 2>&1
rm with/*.json with/*.txt
timeless with says # a field of this scenario has the effect of --save-warmup
like plain 7
warmed windows_1.csv 42
like back 1
like back 3
like stops 1
like stops 5
grep -l 'stopped at step' with/*.csv >/dev/null || fault "no chain stops"
# Chains stop during the warm-up and after it. When thinned, their rows are
# every seventh row, counted from the start of the warm-up and from the start of
# the draws.
cat >ends.lua <<'END'
local cs = require "chainscope"
local function density(x)
  if x[1] > 4.6 then return 0 / 0 end
  return -0.5 * x[1]^2
end
return cs.scenario {
  title = "t", chains = 16, seed = 4, budget = { steps = 900 }, warmup = 303, strict = true, save_warmup = true,
  target = cs.target { space = cs.real(1), traced = false, log_density = density },
  arms = { walk = cs.kernel.random_walk { step = 1.5 } },
}
END
"$program" run ends.lua --out all >/dev/null 2>&1
"$program" run ends.lua --out seventh --thin 7 >/dev/null 2>&1
set --
for f in all/*.csv; do set -- "$@" "$f" "seventh/${f#*/}"; done
awk "$read_pairs"'
END {
    for (k = 1; k < files; k += 2) {
        f = file[k]; g = file[k + 1]
        for (part = 1; part <= 2; part++)
            if (!same(f, g, part, 7)) print f ", part " part ": " n[g, part] " rows of " n[f, part]
        if (n[f, 1] < 303) early++
        else if (stops[f]) late++
    }
    if (files != 32) print files " files"
    if (early < 3 || late < 3) print early " stop early, " late " late"
}' "$@" >wrong 2>&1 && [ ! -s wrong ] || fault "$(cat wrong)"
cat >shown.lua <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "t", seed = 3, budget = { steps = 300 }, warmup = 40,
  target = cs.target { params = { s = cs.positive() }, log_density = function(p) return -p.s end },
  arms = { nuts = cs.kernel.nuts {}, walk = { kernel = cs.kernel.random_walk {}, chains = 1 } },
}
END
like shown 1
before with/walk_1.csv | awk -F, '{ low += $4 <= 0; same += NR > 1 && $4 == last && $2 < 1e-9; last = $4 }
    END { exit low || !(NR == 40) }' || fault "a warm-up has other columns than the draws"

# The rows are the path of the chain: the path of a warm-up that tunes nothing
# equals the same steps run as draws.
"$program" run plain.lua --out path --warmup 0 --steps 200 --set plain.step=2 >/dev/null 2>&1
rm -rf with; "$program" run plain.lua --out with --save-warmup >/dev/null 2>&1
grep -v -e '^#' -e '^lp__' path/plain_1.csv >a; before with/plain_1.csv >b
cmp -s a b || fault "the rows of the warm-up differ from its steps"

# ---- interrupted -----------------------------------------------------------------
# The run is interrupted after a number of steps: within a window, at its end,
# and within the draws. The option is not repeated when the run is resumed.
mkdir whole; cp with/*.csv whole
"$program" run plain.lua --out parts --steps 250 --save-warmup >/dev/null 2>&1
for steps in 280 300 301 450 700; do
    "$program" run plain.lua --out parts --steps $steps --resume >/dev/null 2>&1
done
timeless whole parts
"$program" run plain.lua --out plain --steps 250 >/dev/null 2>&1
"$program" run plain.lua --out plain --resume --save-warmup >/dev/null 2>err && fault "accepted too late"
grep -q 'save_warmup was 0, is 1' err || fault "too late: $(cat err)"

# The run is killed at any time.
cat >slow.lua <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "t", seed = 5, chains = 2, budget = { steps = 60000 }, warmup = 30000,
  target = cs.target { space = cs.real(2), traced = false, log_density = function(x)
    local s = 0
    for i = 1, 400 do s = s + x[1]^2 + x[2]^2 end
    return -s / 800
  end },
  arms = { walk = cs.kernel.random_walk { step = 2 } },
}
END
rm -rf whole; "$program" run slow.lua --out whole --save-warmup >/dev/null || fault "slow does not run"
"$program" run slow.lua --out killed --save-warmup >/dev/null 2>&1 &
for wait in 0.4 0.7 5.6; do
    sleep $wait
    until [ -e killed/checkpoint ]; do sleep 0.05; done
    kill -9 $! 2>/dev/null; wait $! 2>/dev/null
    until flock -n killed/lock true; do sleep 0.05; done # the workers have ended
    "$program" run slow.lua --out killed --resume >/dev/null 2>&1 &
done
wait
rm -f whole/*.json whole/*.txt
timeless whole killed

# ---- readers ---------------------------------------------------------------------
# A resampled file has no rows of the warm-up.
rm -rf with; "$program" run plain.lua --out with --save-warmup >/dev/null 2>&1
cat >weighs.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "t", seed = 2, chains = 2, budget = { steps = 400 }, warmup = 150,
  target = cs.target.mixture { means = { { -1 }, { 1 } } },
  arms = { csgld = cs.kernel.csgld { } } }
END
for how in "" --save-warmup; do
    "$program" run weighs.lua --out weighs$how $how >/dev/null 2>&1
    "$program" resample weighs$how --arm csgld --out same$how.csv >/dev/null 2>err || fault "resample: $(cat err)"
done
grep -v '^#' same.csv >a; grep -v '^#' same--save-warmup.csv >b
cmp -s a b || fault "resampled rows are from the warm-up"
if command -v Rscript >/dev/null; then
    Rscript --vanilla "$here/readers.R" with >R 2>err
    grep -qx R R || fault "R fails: $(cat err)"
    grep -vx R R >broken && fault "$(cat broken)"
fi
exit $faults
