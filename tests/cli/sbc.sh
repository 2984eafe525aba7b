#!/bin/sh
# usage: sbc.sh PROGRAM SCENARIO
# Tests simulation-based calibration. Kernels that sample the posterior pass, and
# so do exact draws. A biased kernel, a wrong prior and a wrong likelihood fail. A
# kernel that does not move proves nothing. The ranks depend only on the seed
# and the number of the replicate.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

cat >normal.lua <<'END'
local cs = require "chainscope"
local function posterior(y)
  return cs.target { params = { mu = cs.real() }, log_density = function(p)
    return cs.lpdf.normal(p.mu, 0, PRIOR) + cs.math.sum(cs.lpdf.normal(cs.math.vector(y), p.mu, NOISE))
  end }
end
return cs.scenario { title = "Normal", target = posterior { 1, 2, 0, 1 }, chains = 4, seed = 5,
  budget = { steps = 500 },
  arms = { walk = cs.kernel.random_walk { step = 1 }, langevin = cs.kernel.sgld { rate = 0.25 },
           still = cs.kernel.random_walk { step = 1e-6 } },
  sbc = { replicates = 40, target = posterior,
    prior = function(draw) return { mu = draw:normal() } end,
    data = function(theta, draw)
      local y = {}
      for i = 1, 4 do y[i] = theta.mu + draw:normal() end
      return y
    end,
    quantities = { "mu", near = function(row, data) return math.abs(row.mu - data[1]) end } },
}
END
# model NAME PRIOR NOISE: writes a model with these standard deviations.
model() { sed "s/PRIOR/$2/; s/NOISE/$3/" normal.lua >"$1.lua"; }
model right 1 1
model prior 0.3 1
model noise 1 0.3

exits 1 sbc right.lua --out kept
says '^walk: holds'
says '^langevin: DOES NOT HOLD'
says '^still: cannot tell: .*too few effective draws'
says 'near, walk: p = '
says 'log_density, walk'
exits 0 sbc right.lua --arm walk --format json --jobs 3 --replicates 20
cp said walk.json
exits 0 sbc right.lua --arm walk --format json --jobs 1 --workers 2 --replicates 20
cmp -s said walk.json || fault "ranks depend on processes"
exits 1 sbc prior.lua --arm walk --replicates 20
says '^walk: DOES NOT HOLD.*draws are too close together'
exits 1 sbc noise.lua --arm walk --replicates 20
says '^walk: DOES NOT HOLD'

# Gibbs sampling of a single site makes exact draws, so the distribution of the
# ranks is known, also with ties.
cat >exact.lua <<'END'
local cs = require "chainscope"
local function posterior(y)
  return cs.target { space = cs.categorical(1, 5), traced = false,
    log_density = function(x) return -0.5 * (y - x[1]) ^ 2 end }
end
return cs.scenario { title = "Exact", target = posterior(2), chains = 2, budget = { steps = 250 },
  arms = { gibbs = cs.kernel.gibbs {} },
  sbc = { replicates = 20, target = posterior, draws = 31,
    prior = function(draw) return { draw:below(5) - 1 } end,
    data = function(theta, draw) return theta[1] + draw:normal() end },
}
END
exits 0 sbc exact.lua --format json --out whole
cp said exact.json
grep -q '"verdict": "holds"' said || fault "exact draws: $(cat said)"
if command -v python3 >null; then
    python3 - exact.json walk.json <<'END' || fault "wrong ranks"
import json, sys
exact, walk = [json.load(open(f)) for f in sys.argv[1:]]
for q in exact["quantities"]:
    assert len(q["ranks"]) == 20 and max(q["ranks"]) <= 31 and q["draws"] == 31, q
    assert abs(q["mean"] - 0.5) < 4 * q["mean_error"] and q["p"] > 1e-3, q
assert {q["quantity"] for q in walk["quantities"]} == {"mu", "near", "log_density"}
END
fi

# If the true values are above all draws, below all draws, or equal to all
# draws, the rank is the last, the first, or any rank.
for truth in 4 0; do
    sed "s/prior = .*/prior = function() return { $truth } end,/; s/draws = 31/draws = 31, quantities =\
        { own = function(row) return row[1] end, same = function() return 7 end }/
        s/-0.5 \* (y - x\[1\]) ^ 2/x[1] == $truth and -200 or 0/" exact.lua >end$truth.lua
    "$program" sbc end$truth.lua --format json >end$truth.json 2>err || [ $? -eq 1 ] ||
        fault "true values of $truth: $(cat err)"
done
if command -v python3 >null; then
    python3 - end4.json end0.json <<'END' || fault "wrong ranks at the ends"
import json, sys
for path, want in zip(sys.argv[1:], ({31}, {0})):
    ranks = {q["quantity"]: q["ranks"] for q in json.load(open(path))["quantities"]}
    assert set(ranks["own"]) == want, ranks
    assert min(ranks["same"]) < 6 and max(ranks["same"]) > 25 and max(ranks["same"]) <= 31, ranks
END
fi

# Merges parts, and compares the formats of the stored results.
exits 0 sbc exact.lua --out whole --resume
cp said whole.txt
mkdir parts
for k in 2 1; do exits 0 sbc exact.lua --out parts/$k --part $k/2; done
exits 0 merge exact.lua parts --out merged
cmp -s said whole.txt || fault "merged: $(diff said whole.txt)"
for form in svg html md; do
    exits 1 sbc right.lua --out kept --resume -o table.$form
done
grep -q '^<svg' table.svg && grep -q '<svg' table.html || fault "no picture"
grep -q '^| walk | mu |' table.md || fault "no table: $(cat table.md)"

# In the background of the screen the ranks are the same, here for twenty data
# sets.
shot() { XDG_STATE_HOME=$work XDG_CACHE_HOME=$work "$program" shot "$@"; }
shot right.lua --size 120x40 --steps 10 --keys ':arm drop langevin<enter>:sbc 20<enter>xx' >shown.txt
grep -q '20 of 20 data sets; ranks among 63 draws' shown.txt || fault "no panel: $(cat shown.txt)"
p=$(sed -n 's/.*"arm": "walk", "quantity": "mu", "p": \([0-9.e-]*\),.*/\1/p' walk.json)
p=$(awk "BEGIN { printf \"%.2g\", $p }")
grep -q "mu, walk: p = $p;" shown.txt || fault "$p is not shown: $(cat shown.txt)"
shot "$2" --steps 10 --keys ':sbc<enter>m' | grep -q 'the calibration is ended' ||
    fault "a target without simulated data is accepted"

# Invalid options are refused.
exits 2 sbc right.lua --replicates 3
exits 1 sbc "$2"
says 'has no field sbc, so data cannot be simulated'
sed 's/return y/return nil/' right.lua >none.lua
exits 1 sbc none.lua
says 'sbc: `data` returned nothing'
sed 's/replicates = 40/draws = 50/' right.lua >fifty.lua
exits 1 sbc fifty.lua
says 'draws = 50 is not one less than a power of 2'
exit $faults
