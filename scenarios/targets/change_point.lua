-- Coal-mining disasters: in which year did mining become safer?
--
-- The data are the numbers of accidents per year in British coal mines that killed ten or
-- more people, 1851 to 1961. Accidents occur at a rate `early` until some year, and at a
-- rate `late` after it. The year is an integer, and gradients need continuous parameters.
-- But for given rates the probability of every year is a product of Poisson terms. So the
-- year can be summed out (with cs.math.log_sum_exp), and the posterior of the two rates
-- is smooth. `generated` recovers the mean year at the rates of a draw, and the
-- probability that the change happened by 1890.
--
-- Watch `summary`: after summing out the year, the posterior is easy. All arms are
-- correct, and differ only in cost.
local cs = require "chainscope"

local deaths = {
  4, 5, 4, 0, 1, 4, 3, 4, 0, 6, 3, 3, 4, 0, 2, 6, 3, 3, 5, 4, 5, 3, 1, 4, 4, 1, 5, 5,
  3, 4, 2, 5, 2, 2, 3, 4, 2, 1, 3, 2, 2, 1, 1, 1, 1, 3, 0, 0, 1, 0, 1, 1, 0, 0, 3, 1,
  0, 3, 2, 2, 0, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 2, 1, 0, 0, 0, 1, 1, 0, 2, 3, 3, 1, 1,
  2, 1, 1, 1, 1, 2, 4, 2, 0, 0, 1, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1,
}
local years, total = #deaths, 0
for _, n in ipairs(deaths) do total = total + n end

-- For a change after k years, the lists have k, the number of accidents in the first k
-- years, and the year of the change. Prefix sums of the data are computed while the
-- function is traced, so they cost nothing per step.
local length, count, year, by_1890 = {}, {}, {}, {}
local sum = 0
for k = 1, years - 1 do
  sum = sum + deaths[k]
  length[k], count[k], year[k] = k, sum, 1851 + k
  by_1890[k] = year[k] <= 1890 and 1 or 0
end
local M = cs.math
length, count, year = M.vector(length), M.vector(count), M.vector(year)

-- Returns the log likelihood of the two rates for each possible year of change.
local function each_year(p)
  return count * M.log(p.early) - length * p.early
         + (total - count) * M.log(p.late) - (years - length) * p.late
end

return cs.scenario {
  title  = "When did it change?",
  shows  = "If the discrete parameter is summed out, the remaining posterior has a gradient",
  source = "Jarrett 1979; Carlin, Gelfand and Smith 1992",

  target = cs.target {
    name   = "change_point",
    params = { { early = cs.positive() }, { late = cs.positive() } },
    view   = { 2, 4.5, 0.4, 1.6 },
    log_density = function(p)
      return cs.lpdf.exponential(p.early, 1) + cs.lpdf.exponential(p.late, 1)
             + M.log_sum_exp(each_year(p))
    end,
    generated = function(p)
      local weight = M.softmax(each_year(p))
      return { year = M.dot(weight, year), by_1890 = M.dot(weight, by_1890) }
    end,
  },
  chains = 4, seed = 34,
  start  = { early = 3, late = 1 },
  arms   = {
    walk = cs.kernel.random_walk { step = 0.2 },
    mala = cs.kernel.mala { step = 0.15 },
    hmc  = cs.kernel.hmc { step = 0.12, leapfrogs = 4, jitter = 0 },
    nuts = cs.kernel.nuts {},
  },
  budget = { log_densities = 100000, gradients = 100000 },
  screen = { "map", "trace", "acceptance", "summary" },

  -- Exact values (given the year, both rates are Gamma): early 3.0662 (deviation 0.2848),
  -- late 0.9361 (0.1178), mean year 1891.003, change by 1890 with probability 0.3729.
  claims = {
    { arm = "walk", stat = "mean", of = "early", near = 3.0662, within = 0.01 },
    { arm = "mala", stat = "mean", of = "early", near = 3.0662, within = 0.01 },
    { arm = "hmc", stat = "mean", of = "early", near = 3.0662, within = 0.01 },
    { arm = "hmc", stat = "sd", of = "early", near = 0.2848, within = 0.01 },
    { arm = "hmc", stat = "mean", of = "late", near = 0.9361, within = 0.01 },
    { arm = "hmc", stat = "sd", of = "late", near = 0.1178, within = 0.01 },
    { arm = "hmc", stat = "mean", of = "year", near = 1891.003, within = 0.1 },
    { arm = "hmc", stat = "mean", of = "by_1890", near = 0.3729, within = 0.01 },
    { arm = "walk", stat = "rhat", at_most = 1.02 },
    { arm = "nuts", stat = "mean", of = "early", near = 3.0662, within = 0.01 },
    { arm = "nuts", stat = "mean", of = "late", near = 0.9361, within = 0.01 },
    { arm = "nuts", stat = "rhat", at_most = 1.02 },
    { arm = "nuts", stat = "ess_per_work", at_least = 100 },
  },
}
