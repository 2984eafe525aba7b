-- Tests cs.theory. A user's chain, given as tables and as functions, is
-- compared with closed forms. Also tests the built-in chains, and invalid
-- input.
local cs = require "chainscope"

local function near(got, want, off)
  assert(math.abs(got - want) <= (off or 1e-12), ("%.17g <> %.17g"):format(got, want))
end
local function refused(make, fields, want)
  local ok, why = pcall(make, fields)
  assert(not ok and why:find(want, 1, true), want .. " <> " .. tostring(why))
end

-- There are two equally likely states. From each state the other one is
-- proposed. omega_2 has an overlap of 0.4, so 0.6 of the proposals are
-- accepted.
local t = cs.theory { logp = { 0, 0 }, propose = { { 0, 1 }, { 1, 0 } }, f = { 5, 7 }, matrices = true,
  second = { { { 0.5, 0.5 }, { 0.7, 0.3 } }, { { 0.3, 0.7 }, { 0.5, 0.5 } } } }
near(t.matrix.auxiliary[1][2], 0.6)
near(t.matrix.ideal[2][1], 1)
near(t.acceptance.auxiliary, 0.6)
near(t.gap.auxiliary, 1.2)
near(t.absolute_gap.auxiliary, 0.8)
near(t.gap.ideal, 2)
near(t.time.auxiliary, 0.8 / 1.2)
near(t.tv, 0.4)
near(t.kl, 0.4 * math.log(7 / 3))
near(t.theorem_2.tv, 0.6)
near(t.theorem_1.tv, 1)
near(t.theorem_2.kl, math.exp(-math.exp(-1)) * (3 / 7) ^ 0.4)
assert(t.imbalance < 1e-15 and t.bias == 0 and t.states == 2 and t.values == 1 and not t.proposition_6)
near(cs.theory { logp = { 0, 0 }, propose = { { 0, 1 }, { 1, 0 } }, accept = "barker" }.acceptance.auxiliary, 0.5)

-- A cycle of three states has the eigenvalues 1, -1/2 and -1/2. If all
-- proposals go in the same direction, no reverse proposal exists, so all
-- proposals are rejected.
local round = cs.theory { logp = { 0, 0, 0 }, propose = { { 0, 0.5, 0.5 }, { 0.5, 0, 0.5 }, { 0.5, 0.5, 0 } }, f = { 1, 0, 0 } }
near(round.gap.ideal, 1.5)
near(round.absolute_gap.ideal, 0.5)
near(round.time.ideal, 1 / 3)
near(round.acceptance.ideal, 1)
local one_way = cs.theory { logp = { 0, 0, 0 }, propose = { { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } } }
near(one_way.gap.ideal, 0)
near(one_way.acceptance.ideal, 0)

-- With omega_1, tables and functions give the same result. Case 2 is Metropolis
-- within Gibbs.
local first = { { 0.9, 0.1 }, { 0.2, 0.8 }, { 0.5, 0.5 } }
local propose = { { { 0, 0.5, 0.4 }, { 1, 0, 0 }, { 0.3, 0.3, 0.4 } }, { { 0.1, 0.8, 0.1 }, { 0.5, 0, 0.5 }, { 0, 1, 0 } } }
local function second(a, b, k) return { (1 + 3 * (a < b and 2 or 0) + k) / 10, (9 - 3 * (a < b and 2 or 0) - k) / 10 } end
local lists = {}
for k = 1, 2 do
  lists[k] = {}
  for a = 1, 3 do
    lists[k][a] = {}
    for b = 1, 3 do lists[k][a][b] = second(a, b, k) end
  end
end
local logp = { 0, 0.5, -1 }
local by_table = cs.theory { logp = logp, first = first, propose = propose, second = lists, given = true }
local by_function = cs.theory { logp = logp, first = function(a) return first[a] end,
  propose = function(a, k) return propose[k][a] end, second = second, given = true }
for name, value in pairs(by_table.gap) do assert(value == by_function.gap[name]) end
assert(by_table.values == 2 and by_table.gap.auxiliary < by_table.gap.within)
assert(by_table.proposition_6.first <= by_table.absolute_gap.within)
local alone = cs.theory { logp = logp, first = first, propose = propose }
assert(alone.gap.auxiliary == alone.gap.within)
near(alone.gap.within, by_table.gap.within, 1e-15)

-- If omega_2 is drawn from another distribution than the acceptance ratio
-- assumes, the chain has another stationary distribution, and no bounds are
-- given.
local off = cs.theory { logp = logp, first = first, propose = propose, second = lists,
  drawn = function() return { 0.5, 0.5 } end }
assert(off.bias > 1e-4 and off.imbalance > 1e-4 and not off.gap.auxiliary and not off.theorem_2 and off.gap.within)
local total = 0
for _, p in ipairs(off.stationary) do total = total + p end
near(total, 1)

-- ---- built-in chains ----

local x, terms, slopes = {}, { {} }, { {} }
for a = 1, 21 do
  x[a] = -2 + 0.2 * (a - 1)
  terms[1][a], slopes[1][a] = -x[a]^2, -2 * x[a]
end
for _, name in ipairs { "poisson_mh", "poisson_mala", "poisson_barker", "tuna_mh", "tuna_sgld" } do
  local fields = { x = x, terms = terms, slopes = slopes, step = 0.8 }
  fields[name:find "^tuna" and "chi" or "lambda"] = 0.3
  local r = cs.theory[name](fields)
  local bound = r.proposition_4 or r.proposition_5
  assert(r.imbalance < 1e-15 and r.theorem_1.tv > 1 - 1e-9 and r.lost < 1e-13, name)
  assert(not bound or r.gap.auxiliary > bound.sharper * r.gap.within and bound.sharper > bound.newer, name)
  near(r.pi[11] / r.pi[1], math.exp(4), 1e-9)
  near(r.size, name:find "^tuna" and 4 * 3.8 or 4, 1e-9)
end
local exchange = { x = { 0, 0.1, 0.2, 0.3 }, rows = 2, cols = 2, data = { 1, 1, 1, -1 }, step = 0.2 }
local exact = cs.theory.exchange(exchange)
assert(exact.second_values == 3 and exact.proposition_3 <= exact.theorem_2.tv and exact.bias == 0)
exchange.how, exchange.sweeps = "sweeps", 1
assert(cs.theory.exchange(exchange).bias > 1e-3)

-- ---- samplers of bits ----

-- For one bit with a flat density, each step flips the bit with probability p.
-- The distance from the limit decreases as (1 - 2 p)^k.
local even = cs.target { space = cs.binary(1), log_density = function(b) return 0 * b[1] end }
local p = 1 / (1 + math.exp(1))
local bit = cs.theory.dmala { target = even, step = 0.5, start = 1, steps = 4, powers = 3 }
near(bit.gap.chain, 2 * p)
near(bit.time.chain, (1 - p) / p)
near(bit.acceptance.chain, 1)
for k, far in ipairs(bit.series) do near(far, (1 - 2 * p)^(k - 1) / 2) end
near(bit.distance[3], (1 - 2 * p)^4 / 2)
near(bit.minorant.best, math.log(2 * p))
-- A cycle of two steps is compared with the same cycle given as lists.
local cycle = cs.theory.dmala { logp = { 0, 0 }, gradient = { { 0 }, { 0 } }, step = { 0.5, 0.5 }, balance = 0.7 }
near(cycle.absolute_gap.chain, 1 - (1 - 2 * p)^2)
near(cs.theory.dula { target = even, step = 0.5 }.bias, 0)
local joint = cs.theory.edula { target = even, step = 0.5, step_a = 1, eta = 1, grid = { 0, 0.5, 1 } }
assert(joint.states == 6 and joint.bias > 0.01 and joint.bias_bound and not joint.acceptance.chain)
near(cs.theory.edmala { target = even, step = 0.5, step_a = 4, eta = 1, grid = { 0, 1 } }.bias, 0)
refused(cs.theory.dmala, { step = 1 }, "target = a target of bits")
refused(cs.theory.dmala, { target = even }, "step")
refused(cs.theory.dmala, { target = even, step = {} }, "step")
refused(cs.theory.dmala, { target = even, step = 0 }, "must be above 0")
refused(cs.theory.dmala, { target = 3, step = 1 }, "target is a number")
refused(cs.theory.dmala, { target = cs.target.gaussian { mean = { 0 } }, step = 1 }, "real coordinates")
refused(cs.theory.dmala, { target = even, step = { 1, 1, 1 }, balance = { 1, 1 } }, "give one number, or one per step")
refused(cs.theory.dmala, { logp = { 0, 0, 0 }, gradient = { { 0 } }, step = 1 }, "for n bits give 2^n numbers")
refused(cs.theory.dmala, { target = even, step = 1, start = 3 }, "there are only 2 states")
refused(cs.theory.edula, { target = even, step = 1, step_a = 1, eta = 1, grid = { 1, 0 } }, "not above the number before it")
-- If the points are farther apart than half the step size of theta_a, the chain
-- is a different one.
for _, name in ipairs { "edula", "edmala" } do
  refused(cs.theory[name], { target = even, step = 1, step_a = 0.1, eta = 1, grid = { 0, 0.25, 0.5, 0.75, 1 } }, "with 8 values")
  assert(cs.theory[name] { target = even, step = 1, step_a = 0.1, eta = 1, grid = { 0, 1 / 7, 2 / 7, 3 / 7, 4 / 7, 5 / 7, 6 / 7, 1 } })
end
local many, ten = {}, cs.target { space = cs.binary(10), log_density = function(b) return 0 * b[1] end }
for k = 1, 64 do many[k] = k end
refused(cs.theory.edula, { target = ten, step = 1, step_a = 4, eta = 1, grid = many }, "use fewer values")
refused(cs.theory.edula, { target = even, step = 1, step_a = 1, eta = 1, grid = {} }, "grid")

-- ---- invalid input ----

refused(cs.theory, { propose = {} }, "needs the field 'logp'")
refused(cs.theory, 3, "expects a table")
refused(cs.theory, { logp = { 0, 0 }, propose = { { 0, 1 }, { 1, 0 } }, secund = {} }, "second")
refused(cs.theory, { logp = { 0, 0 }, propose = { { 0, 1 }, { 1 } } }, "propose[2] has 1 numbers, not 2")
refused(cs.theory, { logp = { 0, 0 }, propose = { { 0, 1 }, { 1, 0.5 } } }, "propose: row 2 sums to 1.5")
refused(cs.theory, { logp = { 0, 0 }, propose = { { 0, 1 }, { 1, 0 } }, second = { { { 1 }, { 1 } } } }, "second[2][1] is a nil")
refused(cs.theory, { logp = { 0, 0 }, propose = { { 0, 1 }, { 1, 0 } }, second = function() return { 0.5 } end }, "row 1 sums to 0.5")
refused(cs.theory, { logp = { 0, 0 }, propose = function() return nil end }, "propose(1) is a nil")
refused(cs.theory, { logp = { 0, 0 }, propose = { { 0, 1 }, { 1, 0 } }, first = { { 1, 0 }, { 0.5, 0.5 } } }, "propose[1][1] is a number")
refused(cs.theory, { logp = { 0, -1000 }, propose = { { 0, 1 }, { 1, 0 } } }, "state 2 has log density -1000")
refused(cs.theory, { logp = { 0, 0 / 0 }, propose = { { 0, 1 }, { 1, 0 } } }, "must be finite")
refused(cs.theory, { logp = { 0 }, propose = { { 1 } } }, "'logp' has 1 states")
refused(cs.theory, { logp = { 0, 0 }, propose = { { 0, 1 }, { 1, 0 } }, drawn = function() return { 1 } end }, "'drawn' needs 'second'")
refused(cs.theory.poisson_mh, { x = x, terms = terms, step = 0.1, lambda = 1 }, "smaller than the spacing of the points")
refused(cs.theory.poisson_mala, { x = x, terms = terms, step = 1, lambda = 1 }, "needs gradients")
refused(cs.theory.poisson_mh, { x = x, terms = { { 1, 2 } }, step = 1, lambda = 1 }, "'terms' has 1 lists of 2 numbers")
refused(cs.theory.poisson_mh, { x = { 0, 1, 3 }, terms = { { 1, 2, 1 } }, step = 2, lambda = 1 }, "state 2 is at 1")
refused(cs.theory.poisson_mh, { x = x, terms = terms, step = 1, lambda = 1, widths = { 3 } }, "outside its bounds -4 and -1")
refused(cs.theory.tuna_mh, { x = x, terms = terms, step = 1, chi = 1, lipschitz = { 3 } }, "its bound is 3")
refused(cs.theory.tuna_sgld, { x = x, terms = terms, slopes = slopes, step = 1, chi = 1, batch = 2 }, "a batch has 2 rows")
refused(cs.theory.tuna_mh, { x = x, terms = terms, step = 1, chi = 1e4 }, "a row has too many counts")
refused(cs.theory.poisson_mh, { x = x, terms = { terms[1], terms[1], terms[1], terms[1], terms[1], terms[1] }, step = 1, lambda = 3 }, "sums over the counts have")
refused(cs.theory.exchange, { x = { 0, 1 }, rows = 5, cols = 5, data = { 1 }, step = 2 }, "lattice of 25 sites")
refused(cs.theory.exchange, { x = { 0, 1 }, rows = 1, cols = 2, data = { 1, 0 }, step = 2 }, "spin 2 is 0")
refused(cs.theory.exchange, { x = { 0, 1 }, rows = 1, cols = 2, data = { 1 }, step = 2 }, "'data' has 1 numbers, but needs 2")
refused(function() return cs.theory.poisson end, nil, "poisson_mh")
