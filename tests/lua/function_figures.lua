-- Tests figures of functions of the draws, and autocorrelation and nested R-hat, against the same
-- figures of coordinates or computed from the draws in Lua.
local cs = require "chainscope"
local function near(a, b, what, far)
  assert(math.abs(a - b) <= (far or 1e-10) * (1e-3 + math.abs(b)), ("%s: %.17g is not %.17g"):format(what, a, b))
end

local N = 401
local run = cs.open {
  target = cs.target.gaussian { dim = 2 }, chains = 8, seed = 4, keep = 500, warmup = 0,
  start = { { 0, 0 }, { 1, 1 } }, arms = { a = cs.kernel.random_walk { step = 1 }, b = cs.kernel.random_walk { step = 2 } },
}
run:step(N)
local arm, draws = run:arm "a", {}
for c = 1, 8 do draws[c] = arm:chain(c):draws() end
assert(#draws[1] == N)

-- A function that returns a coordinate has the figures of the coordinate, with equal errors.
local function second(p) return p.x[2] end
for _, stat in ipairs { "mean", "sd", "median", "mad", "rhat", "ess", "ess_bulk", "ess_tail", "ess_sd", "ess_median",
                        "mcse", "mcse_sd", "mcse_median", "mcse_mad" } do
  local by_name, by_function, by_text = table.unpack(run:judge {
    { arm = "a", stat = stat, of = "x.2", at_most = 1e9 }, { arm = "a", stat = stat, of = second, at_most = 1e9 },
    { arm = "a", stat = stat, of = "x[2] * 1", at_most = 1e9 } })
  near(by_function.value, by_name.value, stat)
  near(by_text.value, by_name.value, "an expression: " .. stat)
  near(by_function.error, by_name.error, "error of " .. stat, 1e-7)
  near(arm:figure(stat, second), by_name.value, stat)
end
for _, stat in ipairs { "quantile", "interval" } do
  local by_name, by_function = table.unpack(run:judge {
    { arm = "a", stat = stat, of = "x.2 at 90 %", at_most = 99 }, { arm = "a", stat = stat, of = second, percent = 90, at_most = 99 } })
  near(by_function.value, by_name.value, stat)
  near(by_function.error, by_name.error, "error of " .. stat)
end

-- Figures from the draws.
local function values(f)
  local list = {}
  for c = 1, 8 do
    list[c] = {}
    for i, x in ipairs(draws[c]) do list[c][i] = f(x) end
  end
  return list
end
local function mean_of(list)
  local sum = 0
  for _, x in ipairs(list) do sum = sum + x end
  return sum / #list
end
local function variance(list)
  local mean, sum = mean_of(list), 0
  for _, x in ipairs(list) do sum = sum + (x - mean) ^ 2 end
  return #list > 1 and sum / (#list - 1) or 0
end
local radius = values(function(x) return x[1] ^ 2 + x[2] ^ 2 end)
local all = {}
for c = 1, 8 do for _, x in ipairs(radius[c]) do all[#all + 1] = x end end
near(arm:figure("mean", "x[1]^2 + x[2]^2"), mean_of(all), "mean of the radius")
near(arm:figure("sd", "x[1]^2 + x[2]^2"), math.sqrt(variance(all)), "sd of the radius")
near(arm:figure("mean", "2 * lp__"), -mean_of(all), "mean of log p")

-- Autocorrelation by its formula, from the halves of the chains.
local function autocorrelation(list, lag)
  local n, halves, means, within, at = N // 2, {}, {}, 0, 0
  for c = 1, 8 do
    halves[2 * c - 1], halves[2 * c] = table.move(list[c], 1, n, 1, {}), table.move(list[c], N - n + 1, N, 1, {})
  end
  for k, x in ipairs(halves) do
    means[k] = mean_of(x)
    within = within + variance(x) / #halves
    for i = 1, n - lag do at = at + (x[i] - means[k]) * (x[i + lag] - means[k]) / n / #halves end
  end
  return 1 - (within - at) / (within * (n - 1) / n + variance(means))
end
local first = values(function(x) return x[1] end)
for _, lag in ipairs { 0, 1, 7, 199 } do
  near(arm:figure("autocorrelation", ("x.1 at lag %d"):format(lag)), autocorrelation(first, lag), "lag " .. lag)
end
near(arm:figure("autocorrelation", { of = "x[1]^2 + x[2]^2", lag = 3 }), autocorrelation(radius, 3), "lag 3 of the radius")
local found, why = arm:figure("autocorrelation", "x.1 at lag 200")
assert(not found and why, "a lag of half of the draws has no autocorrelation")

-- Nested R-hat by its formula; two starts are used in turn.
local function nested(list, count)
  local means, within = {}, 0
  for k = 1, count do
    local of = {}
    for c = k, 8, count do
      of[#of + 1] = mean_of(list[c])
      within = within + variance(list[c]) / (8 / count) / count
    end
    within, means[k] = within + variance(of) / count, mean_of(of)
  end
  return math.sqrt(1 + variance(means) / within)
end
near(arm:figure("rhat_nested", 1), nested(first, 2), "superchains of the starts")
near(arm:figure("rhat_nested", "x.1 in 4 superchains"), nested(first, 4), "four superchains")
near(arm:figure("rhat_nested", { of = "x[1]^2 + x[2]^2", superchains = 2 }), nested(radius, 2), "superchains of the radius")

-- Without a coordinate it is the largest of all coordinates and the log density, -radius / 2.
local other = values(function(x) return x[2] end)
local function largest(count) return math.max(nested(first, count), nested(other, count), nested(radius, count)) end
near(arm:figure "rhat_nested", largest(2), "the worst quantity, superchains of the starts")
for _, of in ipairs { "in 4 superchains", { superchains = 4 } } do
  near(arm:figure("rhat_nested", of), largest(4), "the worst quantity, four superchains")
end

-- 512 chains of one draw: R-hat is not defined, nested R-hat is.
local short = cs.open { target = cs.target.gaussian { dim = 1 }, chains = 512, seed = 1, warmup = 0,
                        arms = { free = cs.kernel.independence {}, stuck = cs.kernel.random_walk { step = 1e-3 } },
                        start = (function() local l = {} for i = 1, 16 do l[i] = { i / 4 - 2 } end return l end)() }
short:step(1)
assert(short:arm("stuck"):figure("rhat_nested", "x.1") > 50)
assert(short:arm("stuck"):figure("rhat", "x.1") == nil)

-- Claims: the names in the table, fields of their own, and errors by the jackknife.
local judged = run:judge {
  { arm = "a", stat = "autocorrelation", of = "x.1", lag = 2, at_most = 0.99 },
  { arm = "a", stat = "rhat_nested", of = second, superchains = 2, at_most = 3 },
  { arm = "a", stat = "rhat_nested", superchains = 2, at_most = 3 },
  { arm = "a", stat = "ess_multivariate", at_least = 2 },
  { arm = "a", stat = "mean", of = second, less_than = "b", near = 0, within = 1 },
}
for i, j in ipairs(judged) do assert(j.answer == true and j.error > 0, ("claim %d: %s %s"):format(i, j.value, j.error)) end

-- The multivariate size of a slow chain has a large bias and no error, and decides nothing.
local slow = cs.open { target = cs.target.gaussian { dim = 2 }, chains = 8, seed = 4, warmup = 0,
                       arms = { a = cs.kernel.random_walk { step = 0.05 }, b = cs.kernel.independence {} } }
slow:step(400)
local of_slow, of_fast = table.unpack(slow:judge { { arm = "a", stat = "ess_multivariate", at_least = 2 }, { arm = "b", stat = "ess_multivariate", at_least = 2 } })
assert(of_slow.error ~= of_slow.error and of_slow.answer == nil and of_slow.by:find "autocorrelation longer than its batches", of_slow.by)
assert(of_fast.answer == true and of_fast.error > 0)

local scenario = { target = cs.target.gaussian { dim = 2 }, chains = 8, seed = 4, warmup = 0, budget = { steps = 50 },
                   arms = { a = cs.kernel.random_walk { step = 1 } } }
local function with(fields)
  local t = {}
  for k, v in next, scenario do t[k] = v end
  for k, v in next, fields do t[k] = v end
  return t
end
local claimed = cs.open(with { claims = {
  { arm = "a", stat = "mean", of = second, at_most = 9 }, { arm = "a", stat = "mean", of = second, name = "height", at_most = 9 },
  { arm = "a", stat = "quantile", of = "x[1] - x[2]", percent = 2.5, at_most = 9 },
  { arm = "a", stat = "quantile", of = second, percent = 2.5, name = "height", at_most = 9 },
  { arm = "a", stat = "autocorrelation", of = 2, lag = 1, at_most = 1 },
} })
claimed:step(50)
local words = require "chainscope.core".words.claims(claimed)
assert(words[1].figure:find "^mean%(.*function_figures.lua:%d+%)$", words[1].figure)
assert(words[2].figure == "mean(height)", words[2].figure)
assert(words[3].figure == "quantile(x[1] - x[2] at 2.5 %)", words[3].figure)
assert(words[4].figure == "quantile(height at 2.5 %)", words[4].figure)
assert(words[5].figure == "autocorrelation(2 at lag 1)", words[5].figure)

-- More than 64 quantities have no multivariate size.
local wide = cs.open { target = cs.target.gaussian { dim = 65 }, chains = 2, warmup = 0, budget = { steps = 50 },
                       arms = { a = cs.kernel.random_walk { step = 1 } } }
wide:step(50)
local none, reason = wide:arm("a"):figure "ess_multivariate"
assert(not none and reason:find("at most 64 quantities", 1, true), reason)

-- Sweeps.
local rows = cs.sweep(with { over = { ["a.step"] = { 0.5, 2 } },
                             figures = { "mean(x[1]^2)", { stat = "mean", of = function(p) return p.x[1] ^ 2 end, name = "square" },
                                         { stat = "autocorrelation", of = "x.1", lag = 1 } } })
for _, row in ipairs(rows) do
  assert(row["mean(x[1]^2)"] == row["mean(square)"] and row["mean(square)"] > 0)
end
assert(rows[1]["autocorrelation(x.1 at lag 1)"] > rows[2]["autocorrelation(x.1 at lag 1)"])

-- A constant has the error 0, even with few chains.
local still = cs.open { target = cs.target.gaussian { dim = 1 }, chains = 2, seed = 1, warmup = 0, start = { 1 }, budget = { steps = 60 },
                        arms = { a = cs.kernel.random_walk { step = 1 } } }
still:step(60)
local equal = still:judge { { arm = "a", stat = "median", of = "x[1] * 0 + 3", near = 3, within = 0.1 },
                            { arm = "a", stat = "rhat", of = "x[1] * 0 + 3", at_most = 2 } }
assert(equal[1].value == 3 and equal[1].error == 0 and equal[1].answer == true and equal[1].by == "all draws are equal")
assert(equal[2].reason == "x[1] * 0 + 3 is constant (3 in all draws)", equal[2].reason)

-- Mistakes.
for said, claim in next, {
  ["there is no quantity 'y' in the expression 'y + 1'"] = { stat = "mean", of = "y + 1" },
  ["'x[1' is not an expression"] = { stat = "mean", of = "x[1" },
  ["did you mean 'x.1'"] = { stat = "mean", of = "x.l" },
  ["figure autocorrelation needs a coordinate and a lag"] = { stat = "autocorrelation", of = "x.1" },
  ["figure rhat_nested needs a number of superchains, at least 2, not '1'"] = { stat = "rhat_nested", of = { of = "x.1", superchains = 1 } },
  ["needs a number of superchains, as `start` is not a list"] = { stat = "rhat_nested", of = "x.1" },
  ["figure mean takes no lag"] = { stat = "mean", of = "x.1", lag = 3 },
  ["figure ess_multivariate takes no argument"] = { stat = "ess_multivariate", of = "x.1" },
} do
  local ok, message
  if type(claim.of) == "table" then ok, message = pcall(arm.figure, arm, claim.stat, claim.of)
  else
    claim.arm, claim.at_most = "a", 1
    ok, message = pcall(cs.open, with { claims = { claim } })
  end
  assert(not ok and tostring(message):find(said, 1, true), tostring(message) .. " does not say " .. said)
end
local good, no_starts = claimed:arm("a"):figure("rhat_nested", 1)
assert(not good and no_starts:find("rhat_nested needs a number of superchains", 1, true), no_starts)
-- A quantity that is not finite is the reason for its own figures.
local odd = cs.open { target = cs.target { params = { x = cs.real(), y = cs.real() }, log_density = function(p) return cs.lpdf.normal(p.x, 0, 1) + cs.lpdf.normal(p.y, 0, 1) end,
                                           generated = function(p) return { nan = cs.math.where(cs.math.lt(p.x, 0), 0 / 0, p.x) } end },
                      arms = { a = cs.kernel.random_walk { step = 1 } }, chains = 2, seed = 1, warmup = 0 }
odd:step(200)
assert(odd:arm "a":figure("mcse", "x") > 0)
local none, reason = odd:arm "a":figure("mean", "nan")
assert(none == nil and reason == "nan is infinite or NaN in some draws", reason)

local fine, text = pcall(arm.figure, arm, "mean", function() return "a" end)
assert(not fine and text:find("returned a string: return a number for each draw", 1, true), text)
print "ok"
