-- A funnel that defeats the No-U-Turn sampler, and how that is seen.
--
-- v is normal with deviation 3, and nine x are normal with variance exp(v): a
-- hierarchy in its centred form, without data (scenarios/targets/funnel.lua has
-- other kernels on it). The warm-up settles for a step that suits the places
-- where it has been. In the neck, where v is far below zero, the x are squeezed
-- so much that a trajectory with that step flies out of it: a divergence. What is
-- never entered is never counted: v has a deviation of 2.2 to 2.5 instead of
-- 3, and a mean of 0.3 to 1.5 instead of 0.
--
-- Three signs say so, though nobody knows the answer: steps that diverged (9 to
-- 1200 of 16,000, over six seeds), R-hat of 1.06 to 1.4, and an E-BFMI below 0.1, where
-- 0.3 is the least that is good: a new momentum changes the energy by little
-- beside what v changes it by. The panel `energy` shows how slowly it moves.
-- `slow` follows the usual advice, a higher acceptance and so a smaller step. It
-- reaches further down, and costs more, and is not right either.
--
-- It is not the sampler that wants changing but the coordinates: funnel_easy.lua.
local cs = require "chainscope"

local n = 9

return cs.scenario {
  title  = "A funnel that defeats NUTS",
  shows  = "Divergences and a low E-BFMI tell of a neck that no trajectory enters",
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
  chains = 16, seed = 53,
  arms   = {
    nuts   = cs.kernel.nuts {},
    slow   = { kernel = cs.kernel.nuts {},
               tuner = cs.tuner.window_adaptation { acceptance = 0.95 } },
  },
  budget = { steps = 2000 },
  screen = { "map", "trace", "energy", "summary" },

  claims = {
    { arm = "nuts", stat = "divergent", at_least = 1 },
    { arm = "nuts", stat = "ebfmi", at_most = 0.3 },
    { arm = "nuts", stat = "ess", of = "v", at_most = 600 },
    { arm = "nuts", stat = "sd", of = "v", at_most = 3, note = "3 is right" },
    { arm = "slow", stat = "ess", of = "v", at_most = 600 },
  },
}
