-- Tests behaviour of kernels that can be seen in their steps: the sites that a
-- scan updates, the length of trajectories, and divergences.
local cs = require "chainscope"

-- ---- scans: n sites per step, in order, continuing after the last site ---- -

local function places(kernel, target, steps)
  local run = cs.open { target = target, seed = 3, arms = { kernel } }
  local chain, moved = run:arm(1):chain(1), {}
  local before = chain:state()
  for k = 1, steps do
    run:step(1)
    local now = chain:state()
    for d = 1, #now do
      if now[d] ~= before[d] then moved[#moved + 1] = { k, d } end
    end
    before = now
  end
  return moved
end

-- Step k updates the sites (k - 1) n + 1 .. k n, cyclically.
local function in_order(moved, n, dim, what)
  local seen = {}
  for _, m in ipairs(moved) do
    local from = ((m[1] - 1) * n) % dim
    local off = (m[2] - 1 - from) % dim
    assert(off < n, ("%s: step %d moves %d"):format(what, m[1], m[2]))
    seen[m[2]] = true
  end
  assert(#seen == dim, what .. ": some site never moves")
end

local normal = cs.target.gaussian { dim = 5 }
for _, n in ipairs { 1, 2, 3, 5 } do
  in_order(places(cs.kernel.slice { scan = "systematic", coordinates = n }, normal, 20), n, 5, "slice " .. n)
end
local sites = cs.target { space = cs.categorical(5, 9), log_density = function(x) return 0.01 * x[1] end }
for n = 1, 2 do
  in_order(places(cs.kernel.gibbs { scan = "systematic", sites = n }, sites, 40), n, 5, "gibbs " .. n)
end

-- ---- hmc ----

-- At 0 the gradient of a Gaussian is zero, so a leapfrog moves by the step size
-- times a normal number. The mean square of the move is step^2 (1 + jitter^2 /
-- 3).
local at_zero = {}
for c = 1, 2000 do at_zero[c] = { 0, 0 } end
for _, jitter in ipairs { 0, 0.5, 0.99 } do
  local run = cs.open { target = cs.target.gaussian { dim = 2 }, seed = 5, chains = #at_zero, start = at_zero,
                        arms = { cs.kernel.hmc { step = 0.3, leapfrogs = 1, jitter = jitter } } }
  run:step(1)
  local sum, most = 0, 0
  for c = 1, #at_zero do
    local y = run:arm(1):chain(c):info().proposal
    sum = sum + y[1]^2 + y[2]^2
  end
  local mean, want = sum / (2 * #at_zero), 0.09 * (1 + jitter^2 / 3)
  -- The mean of 4000 squared moves has an error of 2.3 to 3.4 %, due to the
  -- normal numbers and to the jitter.
  assert(math.abs(mean / want - 1) < 0.12, ("jitter %g: %g is not %g"):format(jitter, mean, want))
end

-- A trajectory diverges if its energy rises by more than 1000.
local run = cs.open { target = cs.target.gaussian { dim = 1 }, seed = 7, chains = 400,
                      arms = { cs.kernel.hmc { step = 8, leapfrogs = 1 } } }
local beyond, before, told = 0, 0, 0
for k = 1, 5 do
  run:step(1)
  for c = 1, 400 do
    local ratio = run:arm(1):chain(c):info().log_ratio
    beyond = beyond + (ratio < -1000 and 1 or 0)
    before = before + (ratio < -100 and ratio > -1000 and 1 or 0)
  end
end
for c = 1, 400 do told = told + run:arm(1):chain(c):tally().divergent end
assert(beyond > 100 and before > 100, ("%d beyond, %d before"):format(beyond, before))
assert(told == beyond, ("%d diverged, and %d rose by more than 1000"):format(told, beyond))
