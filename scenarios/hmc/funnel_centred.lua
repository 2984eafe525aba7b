-- A funnel on which NUTS (the No-U-Turn sampler) fails, and diagnostics that show it.
--
-- v is normal with standard deviation 3, and nine x are normal with variance exp(v): a
-- hierarchical model in centred form, without data. In the neck, where v is far below 0,
-- a trajectory with the step from the warm-up diverges, so the neck is never explored.
-- The mean of v is 0.3 to 1.5 instead of 0, its standard deviation 2.2 to 2.5 instead of
-- 3.
--
-- Watch three warnings: divergent steps, R-hat, and an E-BFMI (Bayesian fraction of
-- missing information for the energy) below 0.1; at least 0.3 is good. `slow` has a
-- higher acceptance target, so a smaller step. It reaches deeper into the neck and needs
-- more work, but its results are still wrong. For a remedy see funnel_easy.lua.
local cs = require "chainscope"

local n = 9

return cs.scenario {
  title  = "A funnel that defeats NUTS",
  shows  = "Divergences and a low E-BFMI reveal a neck that no trajectory enters",
  source = "Neal, Slice sampling, 2003, section 8; Betancourt and Girolami 2015",
  tags   = "hierarchical divergence",

  target = cs.target {
    name   = "funnel",
    params = { { v = cs.real() }, { x = cs.real(n) } },
    view   = { -9, 9, -12, 12 },
    log_density = function(p)
      return cs.lpdf.normal(p.v, 0, 3)
             + cs.lpdf.normal(p.x, 0, cs.math.exp(p.v / 2))
    end,
  },
  -- The warm-up chooses a step that suits the regions visited so far. In the neck of
  -- the funnel all x are close to 0.
  chains = 16, seed = 53,
  arms   = {
    nuts   = cs.kernel.nuts {},
    slow   = { kernel = cs.kernel.nuts {},
               tuner = cs.tuner.window_adaptation { acceptance = 0.95 } },
  },
  budget = { steps = 2000 },
  screen = { "map", "trace", "energy", "summary" },

  -- Over six seeds 9 to 1200 of 16,000 steps diverged, and R-hat was 1.06 to 1.4. A low
  -- E-BFMI means that a new momentum changes the energy little compared with the change
  -- that v makes; the panel `energy` shows how slowly the energy moves.
  claims = {
    { arm = "nuts", stat = "divergent", at_least = 1 },
    { arm = "nuts", stat = "ebfmi", at_most = 0.3 },
    { arm = "nuts", stat = "ess", of = "v", at_most = 600 },
    { arm = "nuts", stat = "sd", of = "v", at_most = 3, note = "the exact value is 3" },
    { arm = "slow", stat = "ess", of = "v", at_most = 600 },
  },
}
