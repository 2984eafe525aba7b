-- Tests starts that give only some of the named values: the other coordinates are those that chains
-- have without a start.
local cs = require "chainscope"

local target = cs.target {
  params = { mu = cs.real(), tau = cs.positive(), k = cs.integer(1, 5), top = cs.interval(0, function(p) return p.tau end) },
  log_density = function(p) return cs.lpdf.normal(p.mu, p.k, p.tau) + cs.lpdf.normal(p.tau, 1, 1) end,
}
local function open(start, fixed)
  return cs.open { target = target, chains = 4, seed = 3, start = start, warmup = 0, budget = { steps = 20 },
                   arms = { cs.kernel.auto { fixed = fixed } } }
end
local function state(run, c) return run:arm(1):chain(c):state() end
local function fails(text, ...)
  local ok, why = pcall(open, ...)
  assert(not ok and why:find(text, 1, true), why)
end

local usual = open()
local one, two = open({ k = 4 }, { "k" }), open({ { k = 2, mu = 7 }, { tau = 2 } })
for c = 1, 4 do
  for i = 1, 4 do
    local drawn = state(usual, c)[i]
    assert(state(one, c)[i] == (i == 3 and 4 or drawn), "chain " .. c)
    local given = c % 2 == 1 and ({ 7, nil, 2 })[i] or c % 2 == 0 and i == 2 and math.log(2) or drawn
    assert(math.abs(state(two, c)[i] - given) < 1e-15, ("chain %d, coordinate %d"):format(c, i))
  end
end
one:step(20)
for c = 1, 4 do assert(state(one, c)[3] == 4 and state(one, c)[1] ~= state(usual, c)[1]) end

-- A start is drawn again until its density is positive; the given values stay.
local half = cs.target {
  params = { a = cs.real(), b = cs.real() },
  log_density = function(p) return cs.math.where(cs.math.lt(p.a * p.b, 0), -math.huge, -(p.a ^ 2) - p.b ^ 2) end,
}
local run = cs.open { target = half, chains = 16, seed = 1, start = { a = 1.5 }, arms = { cs.kernel.random_walk {} } }
for c = 1, 16 do
  local x = state(run, c)
  assert(x[1] == 1.5 and x[2] > 0, "chain " .. c)
end

-- The value of a fixed parameter may be in `fixed`.
local three = open({ mu = 1 }, { k = 4 })
three:step(20)
local alone = open(nil, { k = 4 })
local several = open({ { mu = 1 }, { mu = 2, k = 4 } }, { "mu", k = 4 })
for c = 1, 4 do
  assert(state(three, c)[3] == 4 and state(alone, c)[3] == 4 and state(alone, c)[1] == state(usual, c)[1])
  assert(state(several, c)[3] == 4 and state(several, c)[1] == 2 - c % 2)
end
fails("'fixed' and `start` (which all arms share) have different values of 'k': give the value once", { k = 3 }, { k = 4 })
fails("'fixed' has a value of 'k', but `start` is a list of numbers", { 0, 0, 3, 0 }, { k = 4 })
fails("the value of 'k' in 'fixed' is a string", nil, { k = "4" })
fails("k is 9", nil, { k = 9 })

fails("'k' is fixed, but `start` does not give its value", { mu = 1 }, { "k" })
fails("'k' is fixed, but `start` does not give its value", { { k = 1 }, { mu = 1 } }, { "k" })
fails("start: tau is missing, but the bounds of top depend on it: give tau, or leave out top", { top = 1 })
fails("there is no parameter 'nu'", { nu = 1 })
fails("k is 9", { k = 9 })
fails("only numbers", { 0 / 0, 1, 1, 1 })
local ok, why = pcall(function() usual:arm(1):chain(1):set_state { mu = 1 } end)
assert(not ok and why:find("set_state: tau is missing", 1, true), why)
print "ok"
