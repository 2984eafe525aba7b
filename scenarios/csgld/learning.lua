-- How well contour SGLD learns the weights of its energy bins.
--
-- By theorem 1 of the csgld paper the weights theta_k of contour SGLD (a stochastic
-- gradient sampler) converge to the masses theta* of the bins. The bound on the squared
-- error has four terms, for the gain omega_k, the rate, 1 / (number of bins), and the
-- noise. Here 64 chains learn independently on two wells with 50 bins. Errors are summed
-- over the first eight bins.
--
-- Watch `bins`, whose whiskers show the spread of log theta over chains. The variance
-- over chains is 0.054 for `fast` (gain always 0.01) and 0.007 for `slow` (0.001), and
-- more steps do not reduce it. `falling` has the paper's gain, and its variance falls. A
-- squared bias of 0.019 (a distance of 0.14 from theta*) remains, however long the run.

-- The variance over chains depends on the gain. The squared bias of 0.019 is the term 1 /
-- (number of bins).

local cs = require "chainscope"
local wells = require "by_hand.wells"

-- `falling` has the gain 1 / (k^0.6 + 100) at step k. From step 20,000 to step 200,000
-- the gain falls to 0.30 of its value, and the variance to 0.41 +- 0.08 of its value. The
-- stationary point of the weights can be computed (by quadrature, for small steps), and
-- the weights converge to this point up to a squared distance of 0.0007, which is caused
-- by the rate.
local u, bins = wells.energy { 0.4, 0.6 }, { first = 2, width = 1, n = 50 }
local function masses() return wells.masses(u, bins) end
local function at_rest() return wells.rest(u, bins, 0.75) end

local function contour(gain)
  return cs.kernel.csgld { rate = 0.1, gradient_noise = 0.1, first = bins.first, gain = gain }
end

local function thetas(arm)
  local out = {}
  for c = 1, #arm.chains do out[c] = arm:chain(c):info().own.theta end
  return out
end

-- The argument is a list of weight vectors theta. Returns the mean of theta in each of
-- the first bins, and the sum of the variances of theta in these bins.
local watched = 8
local function moments(list)
  local mean, variance, n = {}, 0, #list
  for i = 1, watched do
    mean[i] = 0
    for _, theta in ipairs(list) do mean[i] = mean[i] + theta[i] / n end
    for _, theta in ipairs(list) do variance = variance + (theta[i] - mean[i]) ^ 2 / (n - 1) end
  end
  return mean, variance
end

local function variance(arm)
  return thetas(arm), function(list) return (select(2, moments(list))) end
end

-- Returns the ratio of the variances of two lists, paired by chain.
local function over(a, b)
  local both = {}
  for c = 1, #a do both[c] = { a[c], b[c] } end
  return both, function(list)
    local part = { {}, {} }
    for c, two in ipairs(list) do part[1][c], part[2][c] = two[1], two[2] end
    return select(2, moments(part[1])) / select(2, moments(part[2]))
  end
end

local early
local function over_late(arm)
  if not early then return 0 / 0 end
  return over(early, thetas(arm))
end

-- Returns a measure: the squared distance between a vector and the mean over
-- chains.
local function distance(f)
  return function(arm)
    local from = f()
    return thetas(arm), function(list)
      local mean, sum = moments(list), 0
      for i = 1, watched do sum = sum + (mean[i] - from[i]) ^ 2 end
      return sum
    end
  end
end

-- Lemma 1: the mean update h points to theta*, except in a small neighbourhood of it: <h,
-- theta - theta*> <= -phi |theta - theta*|^2, phi = inf 1 / Z. Returns the largest ratio
-- of the two sides over weights far from theta*, by quadrature for small steps. It would
-- be -1 where 1 / Z is least if the flattened energy were a step function over the bins.
local function points_back()
  local star, largest, phi = masses(), -math.huge, math.huge
  for k = 1, 12 do
    local theta, all = {}, 0
    for i = 1, bins.n do
      theta[i] = math.exp(-0.25 * k * (i - 1)) + 1e-6
      all = all + theta[i]
    end
    local far, along, mean = 0, 0, 0
    for i = 1, bins.n do theta[i] = theta[i] / all end
    local share, z = wells.law(u, theta, bins, 0.75), 0
    for i = 1, bins.n do mean, z = mean + theta[i] ^ 0.75 * share[i], z + star[i] / theta[i] ^ 0.75 end
    for i = 1, bins.n do
      local h, off = theta[i] ^ 0.75 * share[i] - theta[i] * mean, theta[i] - star[i]
      along, far = along + h * off, far + off * off
    end
    if far > 0.15 ^ 2 then largest, phi = math.max(largest, along / far), math.min(phi, 1 / z) end
  end
  return largest / phi
end

-- Lemma 2: without their weights, draws have the distribution p / theta*(J)^zeta. This
-- is tested with the mean of x, and with the mean of a bounded function that is 1 if x
-- is in the right well and 0 otherwise.
local function right(x) return x > -1 and 1 or 0 end
local function same(x) return x end
local function flattened_mean(f)
  local star, sum, all = masses(), 0, 0
  for k = 1, 32 * 300 do
    local x = -17 + (k - 0.5) / 300
    local p = math.exp(-u(x)) / star[wells.bin(bins, u(x))] ^ 0.75
    sum, all = sum + p * f(x), all + p
  end
  return sum / all
end
local function plain_mean(f)
  return function(arm)
    local exact, list = flattened_mean(f), {}
    for c = 1, #arm.chains do
      local rows, sum = arm:chain(c):draws(), 0
      for i = #rows // 10 + 1, #rows do sum = sum + f(rows[i][1]) / (#rows - #rows // 10) end
      list[c] = sum - exact
    end
    return list
  end
end
local lemma_2 = "the smoothness, dissipativity and other mild assumptions hold. For any bounded function f"
local order = [[\mathcal{O}\left(\omega_k + \sup_{i > k_0} \epsilon_i + \frac{1}{m} + \sup_{\boldsymbol{x}} \operatorname{Var}(\xi_n(\boldsymbol{x}))\right)]]

return cs.scenario {
  title  = "How well weights are learned",
  shows  = "The variance of the weights falls with the gain; their bias remains",
  source = "csgld, lemmas 1 and 2 and theorem 1",

  target = cs.target.mixture {},
  chains = 64, seed = 8, start = { { -6 }, { 4 } },
  arms   = {
    { name = "fast", kernel = contour(0.01) },
    { name = "slow", kernel = contour(0.001) },
    { name = "falling", kernel = contour(cs.schedule.gain { scale = 1, power = 0.6, offset = 100 }) },
  },
  budget = { steps = 200000 },
  warmup = 0,
  setting = "a theorem, without an experiment in the paper: on the mixture of section 4.1",
  setup  = function(run)
    early = nil
    run:at(20000, function() early = thetas(run:arm("falling")) end)
  end,
  screen = { "lesson", "bins", { "trace", quantity = "x.1" }, "weights", "summary" },

  claims = {
    { arm = "slow", stat = "largest <h, theta - theta*> over phi times their squared distance", at_most = -0.2,
      measure = wells.quadrature(points_back), where = "lemma 1",
      quote = [[\langle h(\boldsymbol{\theta}), \boldsymbol{\theta} - \boldsymbol{\theta}_{\star} \rangle \leq -\phi]],
      note = "-0.45, for weights further than 0.15 from theta*: it would be -1 without the lemma's term of order 1/m" },
    { arm = "falling", stat = "mean of x, unweighted, less that of the flattened law", measure = plain_mean(same),
      near = 0, within = 0.3, where = "lemma 2", quote = lemma_2 },
    { arm = "falling", stat = "share right, unweighted, less that of the flattened law", measure = plain_mean(right),
      near = 0, within = 0.03, where = "lemma 2", quote = lemma_2 },
    { arm = "fast", stat = "variance", measure = variance, near = 0.054, within = 0.02 },
    { arm = "slow", stat = "variance", measure = variance, near = 0.0073, within = 0.004,
      quote = order, where = "theorem 1", paper = "the squared error of theta_k is of the order of omega_k ...",
      note = "a tenth of the gain" },
    { arm = "falling", stat = "variance at 20,000 over that at 200,000", measure = over_late, at_least = 1.3,
      note = "3.36 if proportional to the gain" },
    { arm = "falling", stat = "squared bias, from theta*", measure = distance(masses), at_most = 0.005,
      holds = false, quote = order, where = "theorem 1", paper = "... and of 1/m and of the rate",
      note = "50 bins leave 0.019" },
    { arm = "falling", stat = "squared bias, from the rest", measure = distance(at_rest), at_most = 0.005,
      note = "the point where the mean update is 0, for small steps, by quadrature" },
  },
}
