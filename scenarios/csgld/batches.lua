-- How much batch size and the way of drawing rows widen SGLD's distribution.
--
-- There are a hundred rows, each normal around x with variance 1, so the posterior
-- deviation of x is 1/10. SGLD (stochastic gradient Langevin dynamics) estimates the
-- gradient, a sum over N rows, by N/n times the sum over a batch of n rows. The noise of
-- this estimate widens the distribution of draws. The ratio of its variance to that of
-- the target is 6.3 with one row (`one`), 2.1 with 5 rows (`five`) and 1.16 with 50 rows
-- (`fifty`), drawn with replacement. Without gradient noise the ratio would be 1.053.
--
-- Watch the map: ellipses around the chosen chain show the gradient's noise (x) and the
-- injected noise (o). The panel `state` shows both noises as numbers. Press a for the
-- next arm.

-- Relative variance of the other arms: `without` (50 rows, without replacement) 1.11;
-- `epochs_5` (5 rows, in epochs) 1.53; `epochs` (50 rows, in epochs) 1.058; `control`
-- (control variates, a single row) 1.053.

local cs = require "chainscope"

-- The variance of the gradient estimate is N^2 / n with replacement, and (N - n) / (N -
-- 1) times this without replacement. Here this variance is equal at all states: it is v
-- in the closed form of bias.lua. In epochs, as in most programs, every row is used once
-- before any row is used again. So the noises of the steps of an epoch sum to zero. Then
-- the closed form does not hold, but the sum in `in_epochs` holds. `control` uses its
-- row only to estimate how the gradient has changed since a fixed point. Here this is
-- exact, because all rows have the same curvature. For other posteriors some noise
-- remains, and more noise remains if the chain is far from the fixed point: see
-- small_batches.lua.
local N, rate = 100, 0.001
local s2 = 1 / N
local a = 1 - rate / s2

-- Returns the rows. Each column consists of quantiles of a normal distribution, scaled
-- to have exactly the mean 0 and the variance 1. The second column is shuffled.
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

-- Returns the variance of the chain in units of s2, the target's variance. `v`: variance
-- of the gradient estimate.
local function variance(v) return (2 * rate + rate ^ 2 * v) / (1 - a ^ 2) / s2 end

local function with(n) return N ^ 2 / n end
local function without(n) return with(n) * (N - n) / (N - 1) end

-- In epochs of K batches the noises within one epoch have covariance -v / (K - 1), and
-- noises of distinct epochs have covariance 0. Returns the stationary variance relative
-- to the target's, averaged over the positions in an epoch. var is the variance of the
-- state, and cov is the covariance of the state with each noise that is still to come in
-- the epoch.
local function in_epochs(n)
  local K, v = N // n, without(n)
  local var, mean = s2, 0
  for _ = 1, 400 do
    mean = 0
    local cov = 0 -- covariance of the state with each remaining noise
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
  shows  = "How much variance small batches add, and how epochs and control variates reduce it",
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
  speed  = 500, -- steps per second; the key + raises the speed, = selects full speed
  screen = { "lesson", { "map", arm = "one" }, "trace", "state", "summary" },

  claims = claims,
}
