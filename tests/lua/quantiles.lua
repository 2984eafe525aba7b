-- Compares medians, quantiles, intervals and probabilities with the same figures computed from the
-- draws in Lua, for equal and for unequal weights.
local cs = require "chainscope"
local near = function(a, b, what) assert(math.abs(a - b) < 1e-12, ("%s: %.17g is not %.17g"):format(what, a, b)) end
local run = cs.open {
  target = cs.target.gaussian { dim = 3 }, chains = 6, seed = 4, keep = 500, warmup = 0,
  arms = { a = cs.kernel.random_walk { step = 1 } },
}
run:step(500)

local draws = {} -- [chain][draw] = coordinates
for c = 1, 6 do draws[c] = run:arm("a"):chain(c):draws() end
local function column(k)
  local list = {}
  for c = 1, 6 do
    for _, row in ipairs(draws[c]) do list[#list + 1] = row[k] end
  end
  table.sort(list)
  return list
end
-- The quantile of type 7 of Hyndman and Fan.
local function quantile(list, p)
  local at = p * (#list - 1)
  local i, part = math.floor(at), at % 1
  return list[i + 1] + (part > 0 and part * (list[i + 2] - list[i + 1]) or 0)
end
local function share(takes)
  local n, all = 0, 0
  for c = 1, 6 do
    for _, row in ipairs(draws[c]) do n, all = n + (takes(row) and 1 or 0), all + 1 end
  end
  return n / all
end

local arm = run:arm "a"
near(arm:figure("median", 2), quantile(column(2), 0.5), "median")
near(arm:figure("quantile", "x.1 at 97.5 %"), quantile(column(1), 0.975), "quantile")
near(arm:figure("quantile", "3 at 2.5"), quantile(column(3), 0.025), "quantile of a number")
near(arm:figure("interval", "x.1 at 90 %"), quantile(column(1), 0.95) - quantile(column(1), 0.05), "interval")
near(arm:figure("probability", "x[1] > 0.5"), share(function(x) return x[1] > 0.5 end), "probability")
near(arm:figure("probability", "abs(x[1]) > x[2] and lp__ < -1"),
     share(function(x) return math.abs(x[1]) > x[2] and -(x[1] ^ 2 + x[2] ^ 2 + x[3] ^ 2) / 2 < -1 end), "condition")
near(arm:figure("probability", function(p) return p.x[1] + p.x[2] > p.x[3] end),
     share(function(x) return x[1] + x[2] > x[3] end), "function")

-- The error of a probability is the jackknife over chains.
local judged = run:judge { { arm = "a", stat = "probability", of = "x[2] > 0", at_most = 1.5 },
                           { arm = "a", stat = "quantile", of = "x.2 at 80 %", at_most = 99 } }
local each, mean = {}, 0
for c = 1, 6 do
  local n = 0
  for _, row in ipairs(draws[c]) do n = n + (row[2] > 0 and 1 or 0) end
  each[c], mean = n / #draws[c], mean + n / #draws[c] / 6
end
local sum = 0
for c = 1, 6 do sum = sum + (each[c] - mean) ^ 2 end
near(judged[1].value, mean, "probability")
near(judged[1].error, math.sqrt(sum / 5 / 6), "error of the probability")
assert(judged[2].error > 0 and judged[2].error < 1, "error of the quantile")

-- Wrong arguments are named.
for _, wrong in ipairs { { "quantile", "x.1" }, { "quantile", "x.1 at 100 %" }, { "interval", "x.9 at 50 %" },
                         { "probability", "x[1] >" }, { "probability", 3 }, { "probability", "y > 0" },
                         { "quantile", nil } } do
  local good, why = pcall(arm.figure, arm, wrong[1], wrong[2])
  assert(not good and #why > 10, wrong[1] .. " takes " .. tostring(wrong[2]))
end

-- A claim with a wrong condition is refused before the run.
for of, said in pairs { ["y > 0"] = "there is no quantity 'y' in the condition 'y > 0'", ["x > 0"] = "the condition 'x > 0' fails",
                       ["x[1] + 1"] = "the condition 'x[1] + 1' is a number, not true or false" } do
  local good, why = pcall(cs.scenario, { title = "T", target = cs.target.gaussian { dim = 3 }, arms = { a = cs.kernel.hmc {} },
                                         claims = { { arm = "a", stat = "probability", of = of, at_most = 1 } } })
  assert(not good and tostring(why):find(said, 1, true), tostring(why))
end

-- Conditions are checked with real numbers: a remainder of 0.0 is NaN and not an error.
for _, of in ipairs { "10 % x[1] > 1", "1 // x[2] == 1 or lp__ // lp__ == 1" } do
  cs.scenario { title = "T", target = cs.target.gaussian { dim = 3 }, arms = { a = cs.kernel.hmc {} },
                budget = { steps = 100 }, claims = { { arm = "a", stat = "probability", of = of, at_most = 0.9 } } }
end
