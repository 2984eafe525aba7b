-- Rats: thirty growth curves with a common distribution.
--
-- Thirty young rats were weighed in five weeks. Each grows along its own line, and the
-- lines scatter around a common mean. How much does an average rat weigh at birth, and
-- how fast does it grow? There are 65 parameters, two per rat and five others. Five
-- weights determine each rat's line well, so the line itself (alpha and beta, the
-- centred form) is a good choice of parameters. (In eight_schools.lua the data say
-- little about each effect, and the centred form is a bad choice.)
--
-- Watch the cost of the random walk: in d dimensions it needs about d evaluations per
-- effective draw. MALA needs about d^(1/3) evaluations, and HMC (Hamiltonian Monte Carlo)
-- d^(1/4).
local cs = require "chainscope"
local M = cs.math

local grams = { -- one row per rat: days 8, 15, 22, 29, 36
  { 151, 199, 246, 283, 320 }, { 145, 199, 249, 293, 354 }, { 147, 214, 263, 312, 328 },
  { 155, 200, 237, 272, 297 }, { 135, 188, 230, 280, 323 }, { 159, 210, 252, 298, 331 },
  { 141, 189, 231, 275, 305 }, { 159, 201, 248, 297, 338 }, { 177, 236, 285, 350, 376 },
  { 134, 182, 220, 260, 296 }, { 160, 208, 261, 313, 352 }, { 143, 188, 220, 273, 314 },
  { 154, 200, 244, 289, 325 }, { 171, 221, 270, 326, 358 }, { 163, 216, 242, 281, 312 },
  { 160, 207, 248, 288, 324 }, { 142, 187, 234, 280, 316 }, { 156, 203, 243, 283, 317 },
  { 157, 212, 259, 307, 336 }, { 152, 203, 246, 286, 321 }, { 154, 205, 253, 298, 334 },
  { 139, 190, 225, 267, 302 }, { 146, 191, 229, 272, 302 }, { 157, 211, 250, 285, 323 },
  { 132, 185, 237, 286, 331 }, { 160, 207, 257, 303, 345 }, { 169, 216, 261, 295, 333 },
  { 157, 205, 248, 289, 316 }, { 137, 180, 219, 258, 291 }, { 153, 200, 244, 286, 324 },
}
-- Units: weights in 10 g, time in weeks from day 22. Every posterior deviation is then
-- between 0.07 and 0.3, and one step suits all parameters. In grams and days the smallest
-- deviation would be 0.1 and the largest 3. With time from day 0 each alpha would be
-- correlated with its beta.
local weight = M.matrix(grams) / 10
local week = { -2, -1, 0, 1, 2 }

-- The start states of the chains are the straight lines fitted to each rat's
-- weights.
local start = { mean = 24, slope = 4.3, sigma = 0.6, sd_mean = 1.5, sd_slope = 0.4,
                alpha = {}, beta = {} }
for i, g in ipairs(grams) do
  start.alpha[i] = (g[1] + g[2] + g[3] + g[4] + g[5]) / 50
  start.beta[i] = (2 * g[5] + g[4] - g[2] - 2 * g[1]) / 100
end

return cs.scenario {
  title  = "Rats",
  shows  = "65 parameters in matching units: the cost of a random walk grows with their number",
  source = "Gelfand, Hills, Racine-Poon and Smith 1990; BUGS examples, volume 1, rats",

  target = cs.target {
    name   = "rats",
    params = {
      { mean = cs.real() }, { slope = cs.real() }, { sigma = cs.positive() },
      { sd_mean = cs.positive() }, { sd_slope = cs.positive() },
      { alpha = cs.real(30) }, { beta = cs.real(30) },
    },
    view   = { 23, 25.5, 4, 4.7 },
    log_density = function(p)
      local u = cs.lpdf.normal(p.alpha, p.mean, p.sd_mean)
                + cs.lpdf.normal(p.beta, p.slope, p.sd_slope)
      for j = 1, 5 do
        u = u + cs.lpdf.normal(M.column(weight, j), p.alpha + p.beta * week[j], p.sigma)
      end
      return u -- all other priors are flat
    end,
    generated = function(p)
      return { at_birth = 10 * (p.mean - 22 / 7 * p.slope), -- g
               growth = 10 * p.slope / 7,                   -- g per day
               error = 10 * p.sigma }                       -- g
    end,
  },
  chains = 4, seed = 39, start = start,
  arms   = {
    walk = cs.kernel.random_walk { step = 0.035 },
    mala = cs.kernel.mala { step = 0.09 },
    hmc  = cs.kernel.hmc { step = 0.075, jitter = 0, leapfrogs = function(k) return 4 + k * 5 % 13 end },
    nuts = cs.kernel.nuts {},
  },
  budget = { log_densities = 200000, gradients = 200000 },
  screen = { "map", "trace", "acceptance", "summary" },

  -- The BUGS example has its own priors, which are also nearly flat. Its results agree
  -- with these values.
  claims = {
    { arm = "hmc", stat = "mean", of = "at_birth", near = 106.6, within = 0.3, paper = "106.6" },
    { arm = "hmc", stat = "sd", of = "at_birth", near = 3.66, within = 0.15, paper = "3.66" },
    { arm = "hmc", stat = "mean", of = "growth", near = 6.186, within = 0.01, paper = "6.186" },
    { arm = "hmc", stat = "sd", of = "growth", near = 0.1086, within = 0.005, paper = "0.1086" },
    { arm = "hmc", stat = "mean", of = "error", near = 6.093, within = 0.06, paper = "6.093" },
    { arm = "hmc", stat = "sd", of = "error", near = 0.4643, within = 0.03, paper = "0.4643" },
    { arm = "hmc", stat = "ess_per_work", at_least = 14 },
    { arm = "mala", stat = "ess_per_work", at_most = 25 },
    { arm = "walk", stat = "ess_per_work", at_most = 2.5 },
    { arm = "nuts", stat = "mean", of = "at_birth", near = 106.6, within = 0.3 },
    { arm = "nuts", stat = "mean", of = "growth", near = 6.186, within = 0.01 },
    { arm = "nuts", stat = "mean", of = "error", near = 6.093, within = 0.06 },
    { arm = "nuts", stat = "rhat", at_most = 1.02 },
    { arm = "nuts", stat = "ess_per_work", at_least = 20 },
  },
}
