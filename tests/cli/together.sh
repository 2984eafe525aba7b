#!/bin/sh
# usage: together.sh PROGRAM
# Tests that `check` names coordinates that must change together: sums of bits,
# permutations as labels and as bits, equal bits, islands of states, labels that
# follow a bit, and bits beside a real parameter; in spaces whose states are listed
# and in spaces that are searched. Kernels that change enough sites hold.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

# model PARAMS CONDITION START KERNEL: checks the law reach.
model() {
    cat >model.lua <<END
local cs = require "chainscope"
local M, kernel = cs.math, cs.kernel
local function product(n, f)
  local x = 1
  for i = 1, n do x = x * f(i) end
  return x
end
-- Bits 3 i - 2, 3 i - 1 and 3 i are equal.
local function triples(p, n)
  return product(n, function(i) return M.eq(p.b[3 * i - 2], p.b[3 * i - 1]) * M.eq(p.b[3 * i - 1], p.b[3 * i]) end)
end
-- The bits are a matrix with one 1 in each row and column.
local function permutation(p, n)
  return product(n, function(i)
    local row, column = 0, 0
    for j = 1, n do row, column = row + p.b[(i - 1) * n + j], column + p.b[(j - 1) * n + i] end
    return M.eq(row, 1) * M.eq(column, 1)
  end)
end
local function unit(n)
  local b = {}
  for i = 1, n * n do b[i] = (i - 1) % (n + 1) == 0 and 1 or 0 end
  return b
end
local function zeros(n) return M.fill(0, n) end
return cs.scenario { title = "a model", seed = 4, chains = 4, start = $3,
  target = cs.target { params = { $1 }, log_density = function(p)
    return M.log($2) end },
  arms = { a = $4 } }
END
    "$program" check model.lua --law reach --seconds 20 >out 2>&1
}
# broken WHAT TEXT: the last model is broken, with this text.
broken() {
    grep -q "BROKEN .*$2" out || fault "$1: $(cat out)"
}
# holds WHAT TEXT: the last model is not broken.
holds() {
    grep -q "$2" out && ! grep -q BROKEN out || fault "$1: $(cat out)"
}

sum='M.eq(M.sum(p.b), 2)'
bits='{ b = cs.bit(4) }'
on_b='kernel.cycle { kernel.gibbs { on = "b" } }'
model "$bits" "$sum" '{ b = { 1, 1, 0, 0 } }' "$on_b"
broken 'a fixed sum' '6 possible states form 6 parts that no step connects: .* b.[1-4] and b.[1-4] must change together.*sites = 2'
model "$bits" "$sum" '{ b = { 1, 1, 0, 0 } }' 'kernel.cycle { kernel.gibbs { on = "b", sites = 2 } }'
holds 'pairs of sites' 'holds *all 6 possible states of 16'

labels='product(3, function(i) return product(i - 1, function(j) return 1 - M.eq(p.z[i], p.z[j]) end) end)'
model '{ z = cs.label(3, 3) }' "$labels" '{ z = { 1, 2, 3 } }' 'kernel.cycle { kernel.gibbs { on = "z" } }'
broken 'a permutation' 'z.[1-3] and z.[1-3] must change together'
model '{ b = cs.bit(9) }' 'permutation(p, 3)' '{ b = unit(3) }' 'kernel.gibbs { sites = 3 }'
broken 'a permutation of bits' 'b.[1-9], b.[1-9], b.[1-9] and b.[1-9] must change together.*sites = 4'
model '{ b = cs.bit(9) }' 'permutation(p, 3)' '{ b = unit(3) }' 'kernel.gibbs { sites = 4 }'
holds 'four sites' 'holds *all 6 possible states of 512'
model '{ b = cs.bit(6) }' 'triples(p, 2)' '{ b = zeros(6) }' 'kernel.cycle { kernel.gibbs { on = "b", sites = 2 } }'
broken 'equal bits' 'b.[14], b.[25] and b.[36] must change together; .* all of them, .* sites = 3'
model '{ b = cs.bit(6) }' 'triples(p, 2)' '{ b = zeros(6) }' 'kernel.dmala {}'
holds 'proposals for all sites' 'holds *all 4 possible states'

# No member moves both parameters.
model '{ z = cs.label(3, 2) }, { b = cs.bit() }' 'M.eq(M.eq(p.z[1], 2), p.b)' '{ z = { 1, 1 }, b = 0 }' \
    'kernel.cycle { kernel.gibbs { on = "b" }, kernel.gibbs { on = "z", sites = 2 } }'
broken 'two parameters' '2 parts that no step connects: .* z.1 and b must change together; use a member that draws both'

# Too many states to list.
model '{ b = cs.bit(40) }' 'M.eq(M.sum(p.b), 0)' '{ b = zeros(40) }' 'kernel.gibbs {}'
holds 'one state' 'only known state'
model '{ b = cs.bit(36) }' 'permutation(p, 6)' '{ b = unit(6) }' 'kernel.gibbs { sites = 2 }'
broken 'a large permutation' 'left its start: b.1, b.2, b.7 and b.8 must change together'
model '{ b = cs.bit(30) }' 'M.le(M.sum(p.b), 1) + M.ge(M.sum(p.b), 4)' '{ b = zeros(30) }' 'kernel.gibbs {}'
broken 'islands' 'left the 31 states around its start: b.2, b.3 and b.4 must change together'
model '{ b = cs.bit(24) }' '1' '{ b = zeros(24) }' 'kernel.gibbs {}'
holds 'no condition' 'every coordinate changed .* stopped at its limit, after 1[0-9]* states'

# Beside a real parameter.
real=') - 0.5 * (p.m - p.b[1]) ^ 2 + (0'
members='kernel.slice { on = "m" }'
model "$bits, { m = cs.real() }" "$sum$real" '{ b = { 1, 0, 0, 1 }, m = 0 }' "kernel.cycle { kernel.gibbs { on = \"b\", times = 4 }, $members }"
broken 'a mixed space' '6 possible values of the discrete .* b.[1-4] and b.[1-4] must change together'
model "$bits, { m = cs.real() }" "$sum$real" '{ b = { 1, 0, 0, 1 }, m = 0 }' "kernel.cycle { kernel.gibbs { on = \"b\", sites = 2 }, $members }"
holds 'a mixed space with pairs' 'holds *all 6 values of the discrete coordinates .* of 16'
model "{ b = cs.bit(24) }, { m = cs.real() }" "triples(p, 8)$real" '{ b = zeros(24), m = 0 }' "kernel.cycle { kernel.gibbs { on = \"b\", scan = \"sweep\" }, $members }"
broken 'a large mixed space' 'b.1, b.2 and b.3 must change together'
model "{ b = cs.bit(24) }, { m = cs.real() }" "1$real" '{ b = zeros(24), m = 0 }' "kernel.cycle { kernel.gibbs { on = \"b\", scan = \"sweep\" }, $members }"
holds 'a free mixed space' 'too many values of the discrete coordinates to list; every discrete coordinate changed .* stopped at its limit'
exit $faults
