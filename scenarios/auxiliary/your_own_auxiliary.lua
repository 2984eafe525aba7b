-- A kernel of your own in twenty lines: algorithm 1 of the auxiliary paper by hand.
--
-- The ratio in Metropolis's rule may be too expensive or unknown. This ratio can be
-- replaced by an estimate from a random variable whose distribution is known at both
-- states. Algorithm 1 covers all such kernels (see the comment below).
--
-- Here 16 spins on a ring were observed, and theta is the coupling of neighbours. The
-- spins have the distribution exp(theta S) / Z(theta), where S sums the products of
-- neighbours, and Z is not computed. From the state x the kernel proposes y, and
-- simulates a ring omega_2 at theta = y. Z(x) and Z(y) cancel between the probabilities
-- of omega_2 and the target (the exchange algorithm). Watch `by_hand`, which makes the
-- same chain as the kernel `exchange`.

-- The probability of omega_2 contains Z(y), and the probability for the reverse move
-- contains Z(x). In the ratio of the targets, Z(x) and Z(y) occur the other way round,
-- so they cancel. Try to simulate at x instead of y, and see the claims fail.

local cs = require "chainscope"

-- Algorithm 1, from the state x:
--   1. draw omega_1 from a distribution that depends on x
--   2. propose y from a distribution that depends on x and omega_1
--   3. draw omega_2 from a distribution that depends on x, y and omega_1
--   4. let r be the product of three ratios: the target at y over that at x; the
--      probability of (omega_1, omega_2) for a step from y to x over that for the
--      step made; and the density of proposing x from y over that of y from x
--   5. go to y with probability min(1, r), or a(r) for any a with a(r) = r a(1 / r)
-- Both directions use the same omegas, so the kernel is reversible however poor the
-- estimate is. Choose the omegas so that everything that cannot be computed cancels in r.
-- Here there is no omega_1. Barker's rule r / (1 + r) is also exact and accepts less.

-- ---- the model --------------------------------------------------------------
local n = 16
local function agreement(y)
  local sum = 0
  for i = 1, n do sum = sum + y[i] * y[i % n + 1] end
  return sum
end

-- Draws the spins one after the other around the ring. The agreements of neighbours
-- form a Markov chain, so the probability of each spin includes a factor, which is
-- a sum over all completions of the ring.
local function simulate(theta, draw)
  local same, other = math.exp(theta[1]), math.exp(-theta[1])
  local up, down = same + other, same - other -- eigenvalues of the transfer matrix
  local function paths(k, agree) return (up^k + (agree and 1 or -1) * down^k) / 2 end
  local y = { draw:uniform() < 0.5 and 1 or -1 }
  for i = 2, n do
    local left = n - i + 1 -- bonds from spin i to the first
    local stay = same * paths(left, y[i - 1] == y[1])
    local flip = other * paths(left, y[i - 1] ~= y[1])
    y[i] = draw:uniform() * (stay + flip) < stay and y[i - 1] or -y[i - 1]
  end
  return y
end

local function model(log_z)
  return cs.target {
    space = cs.real(1), name = "ring of spins",
    data = { 1, 1, 1, 1, -1, -1, -1, 1, 1, 1, 1, 1, -1, -1, 1, 1 },
    prior = function(theta) return -theta[1]^2 / 2 end,
    log_factor = function(theta, y) return theta[1] * agreement(y) end,
    simulate = simulate, log_z = log_z,
  }
end

-- ---- the kernel ---------------------------------------------------------------
local function own(rule)
  return cs.kernel {
    params = { step = 0.6 },
    propose = function(x, _, draw, p)
      return { x[1] + p.step * draw:single_normal() }
    end,
    omega2 = function(_, y, _, draw)
      return draw:simulate(y)
    end,
    log_ratio = function(x, y, _, spins, _, target)
      return target:log_prior(y) - target:log_prior(x) -- with log f of the data
        + target:log_factor(x, spins) - target:log_factor(y, spins)
    end,
    accept = rule,
  }
end

local function cosh(u) return (math.exp(u) + math.exp(-u)) / 2 end
local function tanh(u) return 1 - 2 / (1 + math.exp(2 * u)) end

-- The exact mean of theta by sums over a grid with known Z, for the claims.
local function posterior_mean()
  local exact = model(function(theta)
    return n * math.log(2 * cosh(theta[1])) + math.log(1 + tanh(theta[1])^n)
  end)
  local sum, total = 0, 0
  for i = -400, 400 do
    local theta = i / 100
    local p = math.exp(exact:log_density { theta })
    sum, total = sum + p * theta, total + p
  end
  return sum / total
end
local mean = posterior_mean()

return cs.scenario {
  title  = "An auxiliary kernel of your own",
  shows  = "Algorithm 1 in four Lua functions: Z is unknown, and the draws are still exact",
  source = "auxiliary, section 3.1 and algorithm 1",

  target = model(),
  chains = 8, seed = 11,
  arms = {
    by_hand  = own("metropolis"),
    exchange = cs.kernel.exchange { step = 0.6 },
    barker   = own("barker"),
    odds     = own(function(r) return (r + r^2) / (1 + r + r^2) end),
  },
  budget = { steps = 4000 },
  warmup = 100,
  screen = { "lesson", { "trace", quantity = "x.1" }, "acceptance", "summary" },

  claims = {
    { arm = "by_hand", stat = "mean", of = "x.1", near = mean, within = 0.05, note = "by sums over a grid" },
    { arm = "barker", stat = "mean", of = "x.1", near = mean, within = 0.05 },
    { arm = "odds", stat = "mean", of = "x.1", near = mean, within = 0.05, note = "a custom accept rule" },
    { arm = "by_hand", stat = "apart", at_most = 0, note = "the same chains as exchange", measure = function(arm)
      local apart = 0
      for k = 1, #arm.chains do
        apart = math.max(apart, math.abs(arm.chains[k]:state()[1] - arm.run.arms.exchange.chains[k]:state()[1]))
      end
      return apart, 0
    end },
    { arm = "barker", stat = "acceptance", at_most = 0.8, ratio_to = "by_hand" },
  },
}
