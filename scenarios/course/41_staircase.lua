-- Gibbs sampling on a narrow ridge: no proposal is rejected, and still the steps are small.
--
-- Two normal coordinates with correlation 0.95. `scan` redraws x given y, then y given x.
-- `block` draws both together. `stale` redraws both from the old values.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"
local rho = 0.95
local sd = math.sqrt(1 - rho ^ 2)

local function x_given_y() return cs.kernel.gibbs { on = "x", draw = function(p, rng) return rng:normal(rho * p.y, sd) end } end
local function y_given_x() return cs.kernel.gibbs { on = "y", draw = function(p, rng) return rng:normal(rho * p.x, sd) end } end

-- Both coordinates are redrawn in one step, by a function of the old values.
local function both(draw) return cs.kernel.cycle { cs.kernel.gibbs { on = { "x", "y" }, draw = draw } } end

return cs.scenario {
  title  = "One coordinate at a time",
  shows  = "Gibbs sampling of two correlated normals, one coordinate at a time",
  source = "Geman and Geman 1984",
  tags   = "course week-4 minutes-7",
  exercise = "exercises/41_staircase.lua",

  target = cs.target {
    name   = "ridge",
    params = { { x = cs.real() }, { y = cs.real() } },
    view   = { -3.5, 3.5, -3.5, 3.5 },
    log_density = function(p) return -0.5 * (p.x ^ 2 - 2 * rho * p.x * p.y + p.y ^ 2) / (1 - rho ^ 2) end,
    generated = function(p) return { product = p.x * p.y } end,
  },
  chains = 8, seed = 4,
  start  = { { x = -2, y = -2 }, { x = 2, y = 2 }, { x = -2, y = 2 }, { x = 2, y = -2 } },
  arms   = {
    { name = "scan", kernel = cs.kernel.cycle { x_given_y(), y_given_x() } },
    { name = "block", kernel = both(function(_, rng)
      local x = rng:normal(0, 1)
      return { x = x, y = rng:normal(rho * x, sd) }
    end) },
    { name = "stale", kernel = both(function(p, rng)
      return { x = rng:normal(rho * p.y, sd), y = rng:normal(rho * p.x, sd) }
    end) },
  },
  budget = { steps = 500 },
  warmup = 0,
  screen = { "lesson", "map", { "trace", quantity = "x", arm = "scan" }, "summary" },

  course = {
    { say = "A narrow ridge: x and y are normal, with correlation 0.95. `scan` redraws x given y, then y given x. Every move is accepted." },
    { run = 10, speed = 2, say = "Ten steps. Each one goes along x first, then along y: a staircase.", arm = "scan" },
    { ask = "How many effective draws of x does `scan` have in the end, of 4,000 draws that are all accepted?",
      choose = { { "about 200", at_most = 450 },
                 { "about 1,200", at_least = 800, at_most = 1800, say = "Given y, x can move only by a third of its width, so it takes many steps along the ridge." },
                 { "about 4,000", at_least = 2500, say = "To be accepted is not to be independent: y holds x within a third of its width, and the trace of x is slow." } },
      truth = { figure = "ess", arm = "scan", of = "x", at = "end" } },
    { run = 240, speed = 60, say = "250 steps. Watch the trace of x." },
    { reveal = "{truth} effective draws: the ridge is climbed by stairs." },
    { ask = "`block` draws x, and then y given x. Which share of the effective draws of `block` does `scan` have, for the same number of steps?",
      choose = { { "nearly all", at_least = 0.8, say = "`block` does not depend on its old place at all, and `scan` does for many steps." },
                 { "about a half", at_least = 0.4, at_most = 0.6, say = "`block` does not depend on its old place at all, and `scan` does for many steps." },
                 { "less than a fifth", at_most = 0.2 } },
      truth = { figure = "ess", arm = "scan", of = "x", ratio_to = "block", at = "end" } },
    { run = 250, say = "To the end of the run.", arm = "block" },
    { reveal = "{truth}. Coordinates that depend on each other are best drawn together, if that can be done." },
    { ask = "`stale` redraws x and y at once, each from the old value of the other. The mean of x is 0, its standard deviation is 1. The correlation, where 0.95 is right?",
      choose = { { "about 0.95", at_least = 0.85, say = "Both are drawn from old values, so the new x and the new y never meet." },
                 { "about 0.7", at_least = 0.65, at_most = 0.8, say = "The new x depends on the old y, and the new y on the old x: there is no line between the new ones." },
                 { "about 0", at_most = 0.4 } },
      truth = { figure = "mean", arm = "stale", of = "product" }, cover = { "tv_plane" } },
    { reveal = "{truth} (the mean of x y), yet the standard deviation of x is {sd stale x}: each margin is right, and the pair is wrong. Look at the map.", arm = "stale" },
    { say = "No move is rejected, and yet the steps are small. Your turn: `chainscope exercise 41`." },
  },

  claims = {
    { arm = "scan", stat = "ess", of = "x", at_most = 490 },
    { arm = "block", stat = "ess", of = "x", at_least = 2500 },
    { arm = "scan", stat = "mean", of = "product", near = 0.95, within = 0.4 },
    { arm = "stale", stat = "mean", of = "product", near = 0, within = 0.45, note = "the exact value is 0.95" },
    { arm = "stale", stat = "sd", of = "x", near = 1, within = 0.2 },
  },
}
