-- Tests independent_arms: by default the arms of a run have the same random numbers; with it, each
-- arm has its own, which do not depend on the other arms, and which are not correlated with theirs.
local cs = require "chainscope"

local target = cs.target.gaussian { dim = 1 }
local function walk() return cs.kernel.random_walk { step = 1 } end
local function open(independent, arms, seed)
  return cs.open { target = target, chains = 4, seed = seed or 1, independent_arms = independent, arms = arms }
end
local function states(run, arm)
  local out = {}
  for c = 1, 4 do out[c] = run:arm(arm):chain(c):state()[1] end
  return table.concat(out, " ")
end

-- The default: the same numbers, also at the start.
local shared, own = open(nil, { a = walk(), b = walk() }), open(true, { a = walk(), b = walk() })
assert(states(shared, "a") == states(shared, "b"))
assert(states(own, "a") ~= states(own, "b"))
shared:step(5)
own:step(5)
assert(states(shared, "a") == states(shared, "b"))
local start = states(own, "a")
assert(start ~= states(own, "b") and start ~= states(shared, "a"))

-- An arm has the same numbers in another run with the same seed, beside other arms.
local alone, other = open(true, { z = walk(), a = walk() }), open(true, { a = walk() }, 2)
alone:step(5)
other:step(5)
assert(states(alone, "a") == start)
assert(states(other, "a") ~= start)

-- An arm keeps its numbers when it is renamed.
local renamed = cs.open { target = target, chains = 4, seed = 1, independent_arms = true, arms = { a = walk(), b = walk() }, arm_changes = { "rename a z" } }
renamed:step(5)
assert(states(renamed, "z") == start)

-- A rewind repeats the steps.
own:step(20)
local there = states(own, "b")
own:rewind(20)
own:step(20)
assert(states(own, "b") == there)

-- States of independent arms are not correlated. Kernels that draw independent states have an
-- error of 1 / sqrt(n) for the correlation; the bound is five errors.
local function correlation(independent)
  local chains, steps = 64, 50
  local run = cs.open {
    target = target, chains = chains, seed = 3, independent_arms = independent,
    arms = { a = cs.kernel { propose = function(_, draw) return { draw:normal() } end, log_q = function(_, y) return -0.5 * y[1] ^ 2 end },
             b = cs.kernel { propose = function(_, draw) return { draw:normal() } end, log_q = function(_, y) return -0.5 * y[1] ^ 2 end } },
  }
  local sum = 0
  for _ = 1, steps do
    run:step(1)
    for c = 1, chains do sum = sum + run:arm "a":chain(c):state()[1] * run:arm "b":chain(c):state()[1] end
  end
  return sum / (chains * steps), 1 / math.sqrt(chains * steps)
end
local r, error = correlation(true)
assert(math.abs(r) < 5 * error, ("correlation %.3f"):format(r))
r, error = correlation(false)
assert(math.abs(r - 1) < 5 * math.sqrt(2) * error, ("correlation %.3f"):format(r))

local ok, why = pcall(open, 1, { a = walk() })
assert(not ok and why:find("independent_arms", 1, true), why)
