-- Two correlated normals: one coordinate at a time, both together, or along a trajectory.
--
-- x and y are normal with the correlation 0.95. Given y, x has the small deviation 0.31.
-- Gibbs sampling draws x given y, then y given x: it goes up and down narrow stairs along
-- the ridge, and 19.5 sweeps are worth one independent draw. In `stairs` the two members
-- draw from the conditionals by slice sampling, which needs 20 sweeps. In `block` a random
-- walk moves both coordinates, with the covariance as its metric. `nuts` follows the
-- gradient; its warm-up estimates the covariance.
--
-- Watch `map`: press . to make single steps, and compare the ESS of x per step.
local cs = require "chainscope"
local rho = 0.95
local covariance = { { 1, rho }, { rho, 1 } }

return cs.scenario {
  title  = "Two correlated normals",
  shows  = "Gibbs sampling is slow if parameters depend on each other; a block is not",
  source = "Roberts and Sahu 1997",
  tags   = "teaching gibbs",

  target = cs.target {
    name   = "two_normals",
    params = { { x = cs.real() }, { y = cs.real() } },
    view   = { -3, 3, -3, 3 },
    log_density = function(p)
      return -(p.x * p.x - 2 * rho * p.x * p.y + p.y * p.y) / (2 * (1 - rho * rho))
    end,
    generated = function(p) return { product = p.x * p.y } end,
  },
  chains = 4, seed = 42,
  arms   = {
    stairs = cs.kernel.cycle { cs.kernel.slice { on = "x" }, cs.kernel.slice { on = "y" } },
    block  = cs.kernel.cycle { cs.kernel.random_walk { on = { "x", "y" }, metric = covariance, step = 1.7 } },
    nuts   = cs.kernel.nuts {},
  },
  budget = { steps = 40000 },
  screen = { "map", { "trace", quantity = "x" }, "autocorrelation", "summary" },

  claims = {
    { arm = "stairs", stat = "mean", of = "x", near = 0, within = 0.06 },
    { arm = "stairs", stat = "sd", of = "x", near = 1, within = 0.03 },
    { arm = "stairs", stat = "mean", of = "product", near = 0.95, within = 0.06 },
    { arm = "block", stat = "sd", of = "x", near = 1, within = 0.03 },
    { arm = "block", stat = "mean", of = "product", near = 0.95, within = 0.04 },
    { arm = "nuts", stat = "sd", of = "x", near = 1, within = 0.03 },
    { arm = "nuts", stat = "mean", of = "product", near = 0.95, within = 0.04 },
    { arm = "nuts", stat = "rhat", at_most = 1.02 },
    -- There are 156,000 draws: 8000 times 19.5. Measured: 7766, 20,500 and 162,000.
    { arm = "stairs", stat = "ess", of = "x", near = 8000, within = 5000 },
    { arm = "block", stat = "ess", of = "x", at_least = 13000 },
    { arm = "nuts", stat = "ess", of = "x", at_least = 80000 },
  },
}
