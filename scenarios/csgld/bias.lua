-- How far from the target is SGLD?
--
-- A step goes along an estimate g of the gradient and adds noise,
--   x' = x + rate g + sqrt(2 rate T) z.
-- Nothing is accepted or refused, so nothing mends what a finite step gets
-- wrong. Of a normal of standard deviation s the answer is known: with noise of
-- variance v in the gradient each coordinate has, in the long run, the variance
--   (2 rate T + rate^2 v) / (1 - (1 - rate / s^2)^2).
-- Here s = 1. Without noise that is 1 / (1 - rate / 2): of `slow` (0.02) it is
-- a hundredth too large, of `fast` (0.5) a third, of `edge` (1.5) threefold.
-- From 2 on there is no such law: each step throws the chain further out. Do
-- it, and read in the log why the chains stop:
--     :set edge.rate 2.2
--
-- The gradient's noise comes on top of the noise that is injected: rate^2 v
-- beside 2 rate T. It loses as the rate falls. With a standard deviation of 3,
-- `noisy` (0.1) has half as much variance again as the target, `noisy_slow`
-- (0.02) a tenth more. That is all the reason why small steps may have small
-- batches. `cold` injects nothing (T = 0), and still does not come to rest:
-- what it spreads over is what stochastic descent "samples".
--
-- The map draws the path of the chosen chain, and round it how far a step goes by
-- the noise of the gradient (x) and by that which is added (o), one standard
-- deviation each; `state` has both in figures. Press a for the next arm.
local cs = require "chainscope"

-- Each arm's rate, noise of the gradient (sd) and temperature.
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
                note = "the closed form; the target's own is 1" }
end

return cs.scenario {
  title  = "The bias of SGLD",
  shows  = "Rate and noise of the gradient widen what is sampled, by a known amount",
  source = "csgld, Eq. 9; Welling and Teh 2011",

  target = cs.target.gaussian { dim = 2 },
  chains = 16, seed = 41,
  arms   = arms,
  budget = { steps = 50000 },
  speed  = 500, -- steps a second on the screen: + faster, = as fast as it goes
  screen = { "lesson", { "map", arm = "noisy" }, { "trace", of = "x.1", arm = "noisy" }, "state", "summary" },

  claims = claims,
}
