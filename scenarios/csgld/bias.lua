-- How far is the distribution of SGLD's draws from the target?
--
-- A step of SGLD (stochastic gradient Langevin dynamics) at temperature T is x' = x +
-- rate g + sqrt(2 rate T) z, where g estimates the gradient and z is standard normal. No
-- step is rejected, so the error of a finite step remains. For a normal target of
-- variance s^2 and gradient noise of variance v, the draws have variance (2 rate T +
-- rate^2 v) / (1 - (1 - rate / s^2)^2). Here s = 1. Without gradient noise the variance
-- is 1.01 for `slow` (rate 0.02), 1.33 for `fast` (0.5) and 4 for `edge` (1.5).
--
-- Watch the ellipses on the map: the gradient noise (x) and the injected noise (o) of a
-- step. Try a rate above 2, where no stationary distribution exists, and read the log:
--     :set edge.rate 2.2
local cs = require "chainscope"

-- With gradient noise of standard deviation 3, the variance of `noisy` (rate 0.1) is 1.5
-- times that of the target, and the variance of `noisy_slow` (rate 0.02) is 1.1 times.
-- Therefore small batches can be used if the steps are small. `cold` injects no noise (T
-- = 0) and still does not converge to a point: its spread is the distribution that
-- stochastic gradient descent "samples". Without gradient noise the variance is 1 / (1 -
-- rate / 2).
--
-- The panel `state` has both noises as numbers. The ellipses on the map are at a
-- distance of one standard deviation. Press a for the next arm.
--
-- Columns: arm, rate, standard deviation of the gradient noise, temperature.
local settings = {
  { "slow", 0.02, 0, 1 },
  { "fast", 0.5, 0, 1 },
  { "edge", 1.5, 0, 1 },
  { "noisy", 0.1, 3, 1 },
  { "noisy_slow", 0.02, 3, 1 },
  { "cold", 0.1, 3, 0 },
}

local arms, claims = {}, {}
for i, row in ipairs(settings) do
  local name, rate, noise, heat = table.unpack(row)
  local sd = math.sqrt((2 * rate * heat + (rate * noise) ^ 2) / (1 - (1 - rate) ^ 2))
  arms[i] = { name = name, kernel = cs.kernel.sgld {
    rate = rate, gradient_noise = noise, temperature = heat } }
  claims[i] = { arm = name, stat = "sd", of = 1, exact = sd, within = 0.03 * sd,
                note = "the closed form; the target has 1" }
end

return cs.scenario {
  title  = "The bias of SGLD",
  shows  = "Step size and gradient noise widen the sampled distribution, by a known amount",
  source = "csgld, Eq. 9; Welling and Teh 2011",

  target = cs.target.gaussian { dim = 2 },
  chains = 16, seed = 41,
  arms   = arms,
  budget = { steps = 50000 },
  speed  = 500, -- steps per second; the key + raises the speed, = selects full speed
  screen = { "lesson", { "map", arm = "noisy" }, { "trace", quantity = "x.1", arm = "noisy" }, "state", "summary" },

  claims = claims,
}
