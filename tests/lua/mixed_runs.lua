-- Tests runs of targets with parameters of several kinds: cycles written in Lua, starts by name,
-- integer columns, and rewinding.
local cs = require "chainscope"
local M, lpdf = cs.math, cs.lpdf

local y = { 5, 3, 6, 4, 4, 7, 5, 2, 6, 3, 1, 2, 0, 3, 1, 1, 2, 0, 1, 2 }
local target = cs.target {
  params = { { rate = cs.positive(2) }, { k = cs.integer(1, 19) } },
  log_density = function(p)
    local u = lpdf.gamma(p.rate, 2, 1)
    for i = 1, #y do u = u + lpdf.poisson(y[i], p.rate[1 + M.gt(i, p.k)]) end
    return u
  end,
  generated = function(p) return { after = 20 - p.k } end,
}
local arms = {
  hmc = cs.kernel.cycle { cs.kernel.hmc { on = "rate", step = 0.25 }, cs.kernel.gibbs { on = "k" } },
  walk = cs.kernel.cycle { cs.kernel.random_walk { on = "k", radius = 3, times = 2 },
                           cs.kernel.mala { on = "rate", step = 0.35, times = 2 } },
}
local run = cs.open { target = target, arms = arms, seed = 4, chains = 8, start = { rate = { 3, 1 }, k = 9 } }
assert(table.concat(run.coordinates, " ") == "rate.1 rate.2 k after")
local chain = run:arm "hmc":chain(1)
local x = chain:state()
assert(math.type(x[3]) == "integer" and x[3] == 9 and math.abs(x[1] - math.log(3)) < 1e-12)
assert(x.k == 9 and math.abs(x.rate[1] - 3) < 1e-12)
run:step(3000)

-- Columns of discrete parameters are integers in their range; other columns are not.
local fractions = 0
for _, name in ipairs { "hmc", "walk" } do
  local sum, n = 0, 0
  for c = 1, 8 do
    local draws = run:arm(name):chain(c):draws()
    for i = 1, #draws do
      local k = draws[i][3]
      assert(math.type(k) == "integer" and k >= 1 and k <= 19 and draws[i].k == k)
      assert(draws[i][4] == 20 - k)
      fractions = fractions + (draws[i][1] % 1 ~= 0 and 1 or 0)
      sum, n = sum + k, n + 1
    end
  end
  -- The exact mean is 9.9041, with standard deviation 1.2831.
  assert(n == 24000 and math.abs(sum / n - 9.9041337) < 0.1, name .. ": " .. sum / n)
end
assert(fractions > 47000)

-- The same steps again give the same draws.
local before = run:arm "walk":chain(3):draws()
run:rewind(1500)
run:step(1500)
local after = run:arm "walk":chain(3):draws()
for i = 1, #before do
  for j = 1, 4 do assert(before[i][j] == after[i][j]) end
end

-- Errors name the parameter.
local function refused(said, fields)
  local ok, why = pcall(cs.open, fields)
  assert(not ok and tostring(why):find(said, 1, true), tostring(why) .. " does not say " .. said)
end
refused("start: k is 20: give whole numbers from 1 to 19",
        { target = target, arms = arms, start = { rate = { 1, 1 }, k = 20 } })
refused("start: k is 9.5: give whole numbers from 1 to 19",
        { target = target, arms = arms, start = { 0, 0, 9.5 } })
local three_bits = cs.target { space = cs.binary(3), log_density = function(x) return x[1] - x[3] end }
refused("start: x.2 is 2: give whole numbers from 0 to 1",
        { target = three_bits, arms = { cs.kernel.gibbs {} }, start = { 0, 2, 1 } })
refused("no member moves k", { target = target, arms = { cs.kernel.cycle { cs.kernel.hmc { on = "rate" } } } })
refused("kernel nuts cannot move target k",
        { target = target, arms = { cs.kernel.cycle { cs.kernel.nuts { on = "k" }, cs.kernel.hmc { on = "rate" } } } })
refused("kernel nuts cannot move target traced, whose space is mixed: use cs.kernel.auto {}, or a cs.kernel.cycle",
        { target = target, arms = { cs.kernel.nuts {} } })
refused("the member all: kernel nuts cannot move real and discrete coordinates together: give each kind a member",
        { target = target, arms = { cs.kernel.cycle { cs.kernel.nuts { on = { "rate", "k" }, name = "all" } } } })

-- Named coordinates of parameters of one kind.
local pair = cs.target { params = { { a = cs.real() }, { b = cs.positive() } },
                         log_density = function(p) return -p.a ^ 2 - p.b - 0.3 * p.a * p.b end }
local gibbs = cs.kernel.cycle { cs.kernel.slice { on = "a" }, cs.kernel.slice { on = "b" } }
local one = cs.open { target = pair, arms = { gibbs }, seed = 1, chains = 2 }
one:step(50)
assert(pair.space == "real" and one:arm(1):chain(1):draws()[50].b > 0)
