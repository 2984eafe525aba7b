#!/bin/sh
# usage: mixed_draws.sh PROGRAM SCENARIO
# Tests draws of models with labels, integers and bits: in all files these columns
# are integers under their names, and reading them gives the same results. The
# summary names constants and labels that may be exchangeable, and compares the
# draws with the exact distribution if there are no real parameters.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

cat >mixed.lua <<'EOF'
local cs = require "chainscope"
return cs.scenario {
  title  = "Two kinds",
  target = cs.target {
    name   = "mixed",
    params = { { x = cs.real() }, { b = cs.bit(3) }, { k = cs.integer(1, 4) }, { z = cs.label(3, 2) } },
    log_density = function(p)
      return -0.5 * p.x * p.x + 50 * p.b[1] - 0.5 * p.k + 0.2 * p.z[1] - 0.1 * p.z[2] * p.k
    end,
    generated = function(p) return { twice = 2 * p.x } end,
  },
  start  = { x = 0, b = { 1, 0, 0 }, k = 1, z = { 1, 1 } },
  chains = 4, seed = 5,
  budget = { steps = 1200 },
}
EOF
"$program" run mixed.lua --out runs >said 2>&1 || { cat said; exit 1; }
csv=$(ls runs/*_1.csv)
grep -q '^# integers = b k z$' "$csv" || fault "the header does not list the integers: $(grep '^#' "$csv")"
grep -q '^lp__.*,x,b.1,b.2,b.3,k,z.1,z.2,twice$' "$csv" || fault "columns: $(grep '^lp__' "$csv")"
grep -v -e '^#' -e '^lp__' "$csv" | awk -F, '{ for (i = NF - 6; i < NF; i++) if ($i !~ /^[0-9]+$/) exit 1 }' ||
    fault "a discrete column is not an integer"
grep -q 'b.1 is constant (1 in all draws); a constant has no R-hat and no ESS' said ||
    fault "the constant b.1 is not reported: $(cat said)"

"$program" export runs -o draws.jsonl >out 2>&1 || fault "no JSON: $(cat out)"
grep '"chain": 1, "draw": 2,' draws.jsonl | grep -q '"b": \[1, [01], [01]\], "k": [1-4], "z": \[[123], [123]\]' ||
    fault "JSON: $(sed -n 2p draws.jsonl)"

# The same table from the files as from the run, and from netCDF.
table() { sed -n '/^ *mean /,/twice/p' "$1"; }
"$program" summary runs/*.csv >read 2>&1
table said >want
[ -s want ] || fault "no table: $(cat said)"
table read | cmp -s - want || fault "the draws that were read differ: $(cat read)"
if "$program" export runs -o draws.nc >out 2>&1; then
    "$program" summary draws.nc >read 2>&1
    table read | cmp -s - want || fault "the draws in netCDF differ: $(cat read)"
    if command -v ncdump >/dev/null; then
        ncdump -h draws.nc >head.txt
        for line in 'int64 b(chain, draw, b_dim_0)' 'int64 k(chain, draw)' 'int64 z(chain, draw' \
            'double x(chain, draw)' 'double twice(chain, draw)'; do
            grep -q -F "$line" head.txt || fault "netCDF has no $line: $(cat head.txt)"
        done
    fi
elif ! grep -q 'without netCDF' out; then
    fault "no netCDF: $(cat out)"
fi

# Without a screen of cells, acceptance is that of each member.
printf 'step 1200\nacceptance\n' | "$program" mixed.lua --plain >said 2>&1
grep -q '^Member x (nuts) of auto accepts .* percent of its steps, best is 80.0;' said ||
    fault "the member x is not described: $(cat said)"
grep -q '^Member k (gibbs) of auto accepts 100.0 percent of its steps; ' said ||
    fault "the member k is not described: $(cat said)"

# Without real parameters the space can be listed: chi-square against the exact
# distribution.
sed -e '/x = cs.real/s/{ x = cs.real() }, //; s/-0.5 \* p.x \* p.x + //; /generated/d; /start/d' mixed.lua >listed.lua
"$program" run listed.lua >said 2>&1 || fault "$(cat said)"
grep -q 'distance from the exact answer: .*chi2 0.0' said || fault "no chi-square: $(cat said)"

# A label that is fixed in one of two modes, and free in the other: R-hat would be 1.5.
cat >fixed.lua <<'EOF'
local cs = require "chainscope"
local M = cs.math
return cs.scenario {
  title  = "Two modes",
  target = cs.target {
    name   = "fixed",
    params = { { x = cs.real() }, { z = cs.label(2) } },
    log_density = function(p)
      return -0.5 * (M.abs(p.x) - 20)^2 - 50 * (p.z - 1) * (1 - M.gt(p.x, 0))
    end,
  },
  chains = 4, seed = 1,
  arms   = { a = cs.kernel.cycle { cs.kernel.nuts { on = "x" }, cs.kernel.gibbs { on = "z" } } },
  budget = { steps = 1200 },
}
EOF
"$program" run fixed.lua >said 2>&1 || fault "$(cat said)"
grep -q 'z is constant in [123] of 4 chains, and changes in the others' said ||
    fault "a label that is constant in some chains is not reported: $(cat said)"
grep -q '^  z .* inf ' said || fault "R-hat of z is finite: $(cat said)"

# Two components of equal weight: each chain of the cycle stays in one of two orders.
cat >swapped.lua <<'EOF'
local cs = require "chainscope"
local M, lpdf = cs.math, cs.lpdf
local y = { -5.1, -4.4, -5.3, 4.2, 4.9, 5.7, 5.2, -4.8 }
return cs.scenario {
  title  = "Two orders",
  target = cs.target {
    name   = "swapped",
    params = { { mu = cs.real(2) }, { z = cs.label(2, #y) } },
    log_density = function(p)
      return lpdf.categorical(p.z, { 0.5, 0.5 }) + lpdf.normal(p.mu, 0, 5) +
             lpdf.normal(y, M.gather(p.mu, p.z), 1)
    end,
  },
  chains = 4, seed = 3,
  arms   = { a = cs.kernel.cycle { cs.kernel.nuts { on = "mu" }, cs.kernel.gibbs { on = "z", scan = "sweep" } } },
  budget = { steps = 2000 },
}
EOF
"$program" run swapped.lua >said 2>&1 || fault "$(cat said)"
grep -q 'the labels of z may be exchangeable: the means of mu in chain [2-4] are those of chain 1' said ||
    fault "exchangeable labels are not reported: $(cat said)"
grep -q 'z.1, z.2, z.3, z.4 and 4 more are constant in some chains' said ||
    fault "labels that differ are not reported: $(cat said)"
grep -q '^  z.1 .* inf ' said || fault "R-hat of z.1 is finite: $(cat said)"
grep -q 'is good' said && fault "chains that disagree are good: $(cat said)"
exit $faults
