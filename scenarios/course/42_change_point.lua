-- A year of change among real parameters: sample it, or sum it out.
--
-- Accidents in British coal mines have a rate `early` in the first k years and `late` after
-- them. `gibbs` draws each of the three from its conditional distribution: two gammas and
-- a table of 110 probabilities. `walk` moves k by one year up or down instead.
--
-- Enter and backspace go through the lesson; a digit answers a question.
-- Its exercise: chainscope exercise 42
local cs = require "chainscope"
local M = cs.math

local deaths = {
  4, 5, 4, 0, 1, 4, 3, 4, 0, 6, 3, 3, 4, 0, 2, 6, 3, 3, 5, 4, 5, 3, 1, 4, 4, 1, 5, 5,
  3, 4, 2, 5, 2, 2, 3, 4, 2, 1, 3, 2, 2, 1, 1, 1, 1, 3, 0, 0, 1, 0, 1, 1, 0, 0, 3, 1,
  0, 3, 2, 2, 0, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 2, 1, 0, 0, 0, 1, 1, 0, 2, 3, 3, 1, 1,
  2, 1, 1, 1, 1, 2, 4, 2, 0, 0, 1, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1,
}
-- The numbers of accidents in the first k years.
local years, total, count = #deaths, 0, {}
for k = 1, years do
  total = total + deaths[k]
  if k < years then count[k] = total end
end
local counts = M.vector(count)

-- The accidents per ten years, for the first sentence.
local decades = {}
for i = 1, 11 do decades[i] = ("%d"):format(i == 1 and count[10] or (count[10 * i] - count[10 * i - 10])) end

-- The rates given the year: gamma, with the accidents and the years of each side.
local function early()
  return cs.kernel.gibbs { on = "early", draw = function(p, rng) return rng:gamma(count[p.k] + 1, p.k + 1) end }
end
local function late()
  return cs.kernel.gibbs { on = "late", draw = function(p, rng) return rng:gamma(total - count[p.k] + 1, years - p.k + 1) end }
end

return cs.scenario {
  title  = "When did it become safer?",
  shows  = "A whole number among the parameters: drawn from a table, or moved by a walk",
  source = "Jarrett 1979; Carlin, Gelfand and Smith 1992",
  tags   = "course week-4 minutes-7",

  target = cs.target {
    name   = "change_point",
    params = { { early = cs.positive() }, { late = cs.positive() }, { k = cs.integer(1, years - 1) } },
    view   = { 2, 4.5, 0.4, 1.6 },
    log_density = function(p)
      local n = counts[p.k]
      return cs.lpdf.exponential(p.early, 1) + cs.lpdf.exponential(p.late, 1) +
             n * M.log(p.early) - p.k * p.early + (total - n) * M.log(p.late) - (years - p.k) * p.late
    end,
    generated = function(p) return { year = 1851 + p.k } end,
  },
  chains = 8, seed = 42,
  start  = { early = 2, late = 2, k = 90 },
  arms   = {
    gibbs = cs.kernel.cycle { early(), late(), cs.kernel.gibbs { on = "k" } },
    walk  = cs.kernel.cycle { early(), late(), cs.kernel.random_walk { on = "k", radius = 1 } },
  },
  budget = { steps = 500 },
  warmup = 0,
  screen = { "lesson", { "trace", quantity = "year", arm = "gibbs" }, { "marginal", quantity = "year", arm = "gibbs" }, "summary" },

  exercise = "exercises/42_change_point.lua",

  course = {
    { say = "Accidents in coal mines, per ten years from 1851: " .. table.concat(decades, ", ") .. ". One rate, `early`, before a year of change and another, `late`, after it." },
    { say = "`gibbs` draws each rate from a gamma distribution, and the year from a table: it computes the probability of all 110 years and draws one." },
    { ask = "In which year did it become safer? The mean of the year by `gibbs`.", within = 6,
      truth = { figure = "mean", arm = "gibbs", of = "year", at = "end" },
      wrong = "Look for the place in the row where the numbers fall and stay low." },
    { run = 20, speed = 4, say = "Twenty steps. All chains begin at the year 1941. Watch the year.", arm = "gibbs" },
    { reveal = "{truth}. One draw from the table goes there from any year." },
    { ask = "`walk` redraws the rates in the same way, but moves the year by one, up or down, with an accept step. It also begins at 1941. Its mean of the year in the end?",
      choose = { { "about 1891", at_most = 1894, say = "Given the rates of a late change, each year earlier is less likely at first: the trace stays near 1941." },
                 { "about 1900", at_least = 1896, at_most = 1905, say = "The trace shows that hardly a chain gets away: the years between have almost no mass." },
                 { "after 1920", at_least = 1920 } },
      truth = { figure = "mean", arm = "walk", of = "year", at = "end" } },
    { run = 480, speed = 120, say = "To the end of the run. Watch the year of `walk`.", arm = "walk" },
    { reveal = "{truth}: a year with few accidents after it holds the rates, and the rates hold the year.", arm = "walk" },
    { ask = "Suppose that both begin at 1891, where the mass is. Which share of the effective draws of `gibbs` for the year does `walk` have?",
      choose = { { "less than a fifth", at_most = 0.2 },
                 { "about a half", at_least = 0.35, at_most = 0.65, say = "Steps of one year cross a width of several years only after many steps." },
                 { "nearly all", at_least = 0.75, say = "Steps of one year cross a width of several years only after many steps." } },
      truth = { figure = "ess", arm = "walk", of = "year", ratio_to = "gibbs", at = "end", start = { { 3, 1, 40 } } } },
    { reveal = "{truth}. The table costs 110 terms per step, but its draw does not depend on the old year." },
    { say = "A whole number with few values: draw it from its table. Your turn: `chainscope exercise 42`." },
  },

  claims = {
    { arm = "gibbs", stat = "mean", of = "year", near = 1891, within = 0.45 },
    { arm = "gibbs", stat = "mean", of = "early", near = 3.066, within = 0.032 },
    { arm = "gibbs", stat = "mean", of = "late", near = 0.936, within = 0.0135 },
    { arm = "walk", stat = "mean", of = "year", at_least = 1920, note = "the exact value is 1891" },
  },
}
