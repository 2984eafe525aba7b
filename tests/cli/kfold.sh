#!/bin/sh
# usage: kfold.sh PROGRAM SCENARIO
# Tests `kfold`: the folds of several models as jobs, whose results are those of cs.kfold
# and do not depend on the number of processes; folders of results, and mistakes.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

cat >start.lua <<'END'
local cs = require "chainscope"
local y = { 0.3, -1.2, 2.1, 0.7, -0.4, 1.5, 0.2, -0.9, 1.1, 0.6, 3.2, -0.1 }
local function rows(list)
  local v = {}
  for i, k in ipairs(list) do v[i] = y[k] end
  return cs.math.vector(v)
end
local function model(train, test)
  local inside, outside = rows(train), rows(test)
  return { target = cs.target {
    params = { mu = cs.real() },
    log_density = function(p) return cs.lpdf.normal(inside, p.mu, 1) + cs.lpdf.normal(p.mu, 0, 10) end,
    generated = function(p) return { log_lik = cs.lpdf.each.normal(outside, p.mu, 1) } end,
  } }
end
local all = {}
for i = 1, #y do all[i] = i end
END
cat start.lua - >model.lua <<'END'
return cs.scenario {
  title = "A mean", target = model(all, all).target, kfold = { rows = #y, model = model, seed = 5 },
  chains = 4, seed = 3, warmup = 100, arms = { a = cs.kernel.mala { step = 0.5 } }, budget = { steps = 600 },
}
END
# The same model by rows. Its columns are those of a file, or a list of rows.
by_rows() {
    cat <<END
local cs = require "chainscope"
return cs.scenario {
  title = "A mean, by rows", kfold = $2, chains = 4, seed = 3, warmup = 100,
  target = cs.target {
    params = { mu = cs.real() }, data = $1, log_lik = "terms",
    term = function(p, row) return cs.lpdf.normal(row.y, p.mu, 1) end,
    prior = function(p) return cs.lpdf.normal(p.mu, 0, 10) end,
  },
  arms = { a = cs.kernel.mala { step = 0.5 } }, budget = { steps = 600 },
}
END
}
printf 'y\n0.3\n-1.2\n2.1\n0.7\n-0.4\n1.5\n0.2\n-0.9\n1.1\n0.6\n3.2\n-0.1\n' >y.csv
by_rows '"y.csv"' nil >file.lua
by_rows '{ { y = 0.3 }, { y = -1.2 }, { y = 2.1 }, { y = 0.7 }, { y = -0.4 }, { y = 1.5 }, { y = 0.2 }, { y = -0.9 }, { y = 1.1 }, { y = 0.6 }, { y = 3.2 }, { y = -0.1 } }' nil >list.lua

# The numbers of cs.kfold, and for one row per fold those of the exact density.
cat start.lua - >by_script.lua <<'END'
local function whole(train, test)
  local t = model(train, test)
  t.chains, t.seed, t.warmup, t.arms, t.budget = 4, 3, 100, { a = cs.kernel.mala { step = 0.5 } }, { steps = 600 }
  return t
end
local one = cs.kfold { rows = #y, model = whole, folds = 3, seed = 5 }
print(("%.12g %.12g %.12g"):format(one.elpd, one.error, one.elpd_mcse))
local sum = 0
for i = 1, #y do
  local total = 0
  for k = 1, #y do total = total + (k ~= i and y[k] or 0) end
  local precision = #y - 1 + 1 / 100
  local variance = 1 + 1 / precision
  sum = sum - 0.5 * math.log(2 * math.pi * variance) - (y[i] - total / precision) ^ 2 / 2 / variance
end
print(("exact %.12g"):format(sum))
END
"$program" repl <by_script.lua >script || fault "cs.kfold: $(cat script)"
exits 0 kfold model.lua --folds 3 --format csv
cp said one.csv
awk 'NR == FNR { if (NR == 1) { split($0, want, " ") } next }
     FNR == 2 { split($0, got, ","); exit !(got[2] - want[1] < 1e-9 && want[1] - got[2] < 1e-9 && got[3] - want[2] < 1e-9 &&
                want[2] - got[3] < 1e-9 && got[4] - want[3] < 1e-9 && want[3] - got[4] < 1e-9 && got[8] == 3 && got[9] == 12) }' script one.csv ||
    fault "not the numbers of cs.kfold: $(cat script one.csv)"
exits 0 kfold model.lua file.lua list.lua --folds 12 --format csv --jobs 1
cp said one.csv
exits 0 kfold model.lua file.lua list.lua --folds 12 --format csv --jobs 3
cmp -s said one.csv || fault "the number of jobs changes the results: $(cat said one.csv)"
exact=$(sed -n 's/^exact //p' script)
awk -F, -v exact="$exact" 'NR > 1 { far = $2 - exact; if (far < 0) far = -far; if (far > 3 * $4 || $4 > 0.1) bad = 1; n++ }
     END { exit bad || n != 3 }' one.csv || fault "not the exact density $exact: $(cat one.csv)"
[ "$(sed -n 's/^file,//p' one.csv | cut -d, -f 1-3)" = "$(sed -n 's/^list,//p' one.csv | cut -d, -f 1-3)" ] ||
    fault "a file and a list of the same rows differ: $(cat one.csv)"

# Results are kept; parts share a folder.
exits 0 kfold model.lua --folds 4 --format csv
cp said four.csv
exits 0 kfold model.lua --folds 4 --out kept --part 1/2
exits 0 kfold model.lua --folds 4 --out kept --resume --format csv
cmp -s said four.csv || fault "kept folds differ: $(cat said four.csv)"
exits 1 kfold model.lua --folds 5 --out kept --resume

# Mistakes.
exits 1 kfold "$2"
says 'the scenario has no rows to leave out: give it kfold'
exits 1 kfold model.lua --folds 13
says 'between 2 and the number of rows, 12'
exits 2 kfold model.lua --folds 1
exits 2 kfold
by_rows '{ y = { 1, 2, 3 } }' nil >three.lua
exits 1 kfold model.lua three.lua
says 'model has 12 rows and three has 3'
sed 's/cs.lpdf.each.normal(outside/cs.lpdf.each.normal(inside/' model.lua >inside.lua
exits 1 kfold inside.lua --folds 4 --jobs 1
says 'inside without fold 1: cs.kfold: log_lik has 9 elements, but fold 1 has 3 rows'
exits 1 kfold missing.lua
exit $faults
