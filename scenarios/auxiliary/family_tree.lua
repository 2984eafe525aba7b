-- The family tree of algorithm 1.
--
-- All kernels of the paper are one: draw omega_1 at the state x, propose y by it, draw omega_2 by
-- both, accept by a ratio in which what cannot be computed cancels.
--
--   random_walk    no omega
--   poisson_mh     omega_2
--   tuna_mh        omega_2
--   exchange       omega_2
--   poisson_mala   omega_1=omega_2
--   poisson_barker omega_1=omega_2
--   tuna_sgld      omega_1, omega_2
--
-- Omega_2 of poisson_mh is counts of rows, drawn at x; of tuna_mh the same, drawn by x and y
-- both; of exchange a data set that is simulated at y (doubly_intractable.lua). In poisson_mala
-- and poisson_barker the counts drawn at x give the gradient as well that proposes. tuna_sgld draws
-- rows for a gradient, then counts by x and y. A kernel of your own is four Lua functions
-- (your_own_auxiliary.lua).
--
-- What each part is of a kernel says `chainscope describe poisson_mala`. Five of them run
-- here on one posterior of 10,000 rows, beside two ideal ones that look at all rows. All end in
-- the same law (panel `distance`). What the omegas leave in the dark costs acceptance: 0.50 for
-- the random walk, 0.495 for PoissonMH, which draws 203 rows a step, 0.40 for TunaMH, which draws
-- 30; MALA 0.79, Poisson-MALA 0.775, Tuna-SGLD, guided by twenty rows and not by all, 0.44.
-- peskun.lua computes by how much that lowers the spectral gap.
local cs = require "chainscope"
local K = cs.kernel

return cs.scenario {
  title  = "The family tree",
  shows  = "One algorithm, told apart by when its auxiliary variables are drawn, and what they are",
  source = "auxiliary, section 3.1, algorithms 1 to 6",

  target = cs.target.truncated_gaussian { rows = 10000, dim = 2, beta = 0.001, box = 3 },
  chains = 8, seed = 17, start = { 0, 0 },
  arms   = {
    { name = "random_walk", kernel = K.random_walk { step = 0.3 } },
    { name = "poisson_mh", kernel = K.poisson_mh { step = 0.3, lambda = 1e-9 } },
    { name = "tuna_mh", kernel = K.tuna_mh { step = 0.3, chi = 0.001 } },
    { name = "mala", kernel = K.mala { step = 0.3 } },
    { name = "poisson_mala", kernel = K.poisson_mala { step = 0.3, lambda = 1e-9 } },
    { name = "poisson_barker", kernel = K.poisson_barker { step = 0.3, lambda = 1e-9 } },
    { name = "tuna_sgld", kernel = K.tuna_sgld { step = 0.3, chi = 0.001, batch = 20 } },
  },
  budget = { steps = 3000 },
  warmup = 100,
  screen = { "lesson", { "rows", arm = "poisson_mala" }, "distance", "acceptance", "summary" },
  claims = {
    { arm = "poisson_mh", stat = "acceptance", less = "random_walk", near = -0.007, within = 0.03 },
    { arm = "tuna_mh", stat = "acceptance", less = "random_walk", at_most = -0.05 },
    { arm = "poisson_mala", stat = "acceptance", less = "mala", near = -0.015, within = 0.03 },
    { arm = "tuna_sgld", stat = "acceptance", less = "mala", at_most = -0.2 },
    { arm = "poisson_mh", stat = "rows_drawn", near = 202.6, within = 3 },
    { arm = "tuna_mh", stat = "rows_drawn", at_most = 40 },
    { arm = "poisson_mh", stat = "ks", at_most = 0.06, note = "all are exact" },
    { arm = "tuna_mh", stat = "ks", at_most = 0.08 },
    { arm = "poisson_mala", stat = "ks", at_most = 0.05 },
    { arm = "poisson_barker", stat = "ks", at_most = 0.05 },
    { arm = "tuna_sgld", stat = "ks", at_most = 0.08 },
  },
}
