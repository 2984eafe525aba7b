-- Batches of rows, and how they are drawn.
--
-- A hundred rows, each a normal about x with variance 1: the posterior of x is
-- normal, its standard deviation s = 1/10. The gradient of log p is a sum over
-- all rows; SGLD takes N/n times that over a batch of n. As each row pulls its
-- own way, the estimate has the variance N^2 / n with replacement, and without
-- it (N - n) / (N - 1) of that. Here that is the same wherever the chain is: v
-- of the closed form in bias.lua.
--
-- Batches of 1, 5 and 50 rows drawn with replacement (`one`, `five`, `fifty`)
-- have 6.3, 2.1 and 1.16 of the target's variance. `without` replacement 50
-- rows make half the noise: 1.11. In epochs, as most programs do it, all rows
-- have their turn before one comes again: `epochs_5` 1.53, `epochs` (of 50)
-- 1.058. The rate alone makes 1.053.
--
-- In epochs the noise of one step is taken back by the others: over an epoch it
-- sums to nothing, and the closed form is not theirs (the sum in `in_epochs`
-- is).
--
-- `control` takes a single row, and estimates with it only how the gradient has
-- changed since a fixed point (control variates). It has no noise at all,
-- 1.053: all rows have the same curvature here, so that one speaks for all. Of
-- other posteriors control variates leave some noise, the more the further the
-- chain is from the fixed point: see small_batches.lua.
--
-- The map has the ellipse of the gradient's noise (x) round the chosen chain,
-- and that of the noise that is added (o); `state` has both in figures. Press a
-- for the next arm.
local cs = require "chainscope"

local N, rate = 100, 0.001
local s2 = 1 / N
local a = 1 - rate / s2

-- The rows: quantiles of a normal, at mean 0 and variance 1 exactly, shuffled
-- for the second column.
local function rows()
  local y, z, square = {}, {}, 0
  for i = 1, N do
    local u = (i - 0.5) / N
    y[i] = math.log(u / (1 - u))
    square = square + y[i] ^ 2
  end
  for i = 1, N do
    y[i] = y[i] / math.sqrt(square / N)
    z[i] = y[i]
  end
  local out = {}
  for i = 1, N do out[i] = z[(i * 37) % N + 1] end
  return { y = y, z = out }
end

-- In units of the target's variance s2. `v`: of the estimate of the gradient.
local function variance(v) return (2 * rate + rate ^ 2 * v) / (1 - a ^ 2) / s2 end

local function with(n) return N ^ 2 / n end
local function without(n) return with(n) * (N - n) / (N - 1) end

-- In epochs of K batches: noises of one epoch have covariance -v / (K - 1), those
-- of two epochs none. The mean over the places in an epoch, once that has come
-- to rest: var follows the variance, cov the covariance of the state with what
-- is still to come of the epoch, per batch.
local function in_epochs(n)
  local K, v = N // n, without(n)
  local var, mean = s2, 0
  for _ = 1, 400 do
    mean = 0
    local cov = 0 -- of the state with each noise that is left
    for _ = 1, K do
      var = a ^ 2 * var + 2 * a * rate * cov + rate ^ 2 * v + 2 * rate
      cov = a * cov - rate * v / (K - 1)
      mean = mean + var / K
    end
  end
  return mean / s2
end

local function sgld(batch, order, control)
  return cs.kernel.sgld { rate = rate, batch = batch, order = order, control_variates = control }
end

local arms = {
  { name = "one", kernel = sgld(1, "with_replacement") },
  { name = "five", kernel = sgld(5, "with_replacement") },
  { name = "fifty", kernel = sgld(50, "with_replacement") },
  { name = "without", kernel = sgld(50, "without_replacement") },
  { name = "epochs_5", kernel = sgld(5, "epochs") },
  { name = "epochs", kernel = sgld(50, "epochs") },
  { name = "control", kernel = sgld(1, "with_replacement", true) },
}
local exact = {
  one = variance(with(1)), five = variance(with(5)), fifty = variance(with(50)),
  without = variance(without(50)), epochs_5 = in_epochs(5), epochs = in_epochs(50),
  control = variance(0),
}
local claims = {}
for i, arm in ipairs(arms) do
  local sd = math.sqrt(exact[arm.name] * s2)
  claims[i] = { arm = arm.name, stat = "sd", of = 1, exact = sd, within = 0.03 * sd,
                note = ("%.4g of the target's variance"):format(exact[arm.name]) }
end

return cs.scenario {
  title  = "Batches",
  shows  = "What small batches cost, and how epochs and control variates save it",
  source = "csgld, Eq. 9; Baker et al. 2019",

  target = cs.target {
    name  = "mean_of_rows",
    space = cs.real(2),
    view  = { -0.8, 0.8, -0.8, 0.8 },
    data  = rows(),
    prior = function(x) return 0 * x[1] end,
    term  = function(x, row) return -((row.y - x[1]) ^ 2 + (row.z - x[2]) ^ 2) / 2 end,
  },
  chains = 16, seed = 42, start = { 0, 0 },
  arms   = arms,
  budget = { steps = 40000 },
  speed  = 500, -- steps a second on the screen: + faster, = as fast as it goes
  screen = { "lesson", { "map", arm = "one" }, "trace", "state", "summary" },

  claims = claims,
}
