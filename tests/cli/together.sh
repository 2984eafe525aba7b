#!/bin/sh
# usage: together.sh PROGRAM
# Tests that `check` names coordinates that must change together: a fixed sum of
# bits, a permutation of labels, and bits beside a real parameter.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

# model PARAMS CONDITION START KERNEL: checks the law reach.
model() {
    cat >model.lua <<END
local cs = require "chainscope"
local M = cs.math
return cs.scenario { title = "a model", seed = 4, chains = 4, start = $3,
  target = cs.target { params = { $1 }, log_density = function(p)
    return M.log($2) end },
  arms = { a = cs.kernel.cycle { $4 } } }
END
    "$program" check model.lua --law reach --seconds 2 >out 2>&1
}

sum='M.eq(p.b[1] + p.b[2] + p.b[3] + p.b[4], 2)'
bits='{ b = cs.bit(4) }'
model "$bits" "$sum" '{ b = { 1, 1, 0, 0 } }' 'cs.kernel.gibbs { on = "b" }' && fault "a fixed sum holds: $(cat out)"
grep -q 'BROKEN .*b.1 and b.3 must change together' out || fault "a fixed sum: $(cat out)"
model "$bits" "$sum" '{ b = { 1, 1, 0, 0 } }' 'cs.kernel.gibbs { on = "b", sites = 2 }' || fault "pairs of sites fail: $(cat out)"

all='(1 - M.eq(p.z[1], p.z[2])) * (1 - M.eq(p.z[1], p.z[3])) * (1 - M.eq(p.z[2], p.z[3]))'
model '{ z = cs.label(3, 3) }' "$all" '{ z = { 1, 2, 3 } }' 'cs.kernel.gibbs { on = "z" }' && fault "a permutation holds: $(cat out)"
grep -q 'BROKEN .*z.1 and z.2 must change together' out || fault "a permutation: $(cat out)"

real="$sum) - 0.5 * (p.m - p.b[1]) ^ 2 + (0"
model "$bits, { m = cs.real() }" "$real" '{ b = { 1, 0, 0, 1 }, m = 0 }' \
    'cs.kernel.gibbs { on = "b", times = 4 }, cs.kernel.slice { on = "m" }' && fault "a mixed space holds: $(cat out)"
grep -q 'BROKEN .*b.1 and b.2 must change together' out || fault "a mixed space: $(cat out)"
exit $faults
