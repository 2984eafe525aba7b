-- Eight schools: a posterior from real data.
--
-- Eight schools tried the same coaching programme; each reports an effect
-- and its standard error (Rubin, Journal of Educational Statistics 1981).
-- How much do the schools have in common? When the spread tau between them
-- is small, the centred form of the model has a funnel that no single step
-- size fits; the non-centred form measures each school in units of tau, and
-- the funnel is gone. Same model, same data, other coordinates: this is why
-- the form is worth thinking about before the sampler.
local cs = require "chainscope"

return cs.scenario {
  title  = "Eight schools",
  shows  = "a hierarchical posterior in coordinates that suit a sampler",
  source = "Rubin 1981",
  target = cs.target.eight_schools { form = "non_centred" },
  chains = 4, seed = 4,
  arms   = {
    hmc  = cs.kernel.hmc { step = 0.2, leapfrogs = 10 },
    walk = cs.kernel.random_walk { step = 0.3 },
  },
  budget = { steps = 20000 },
  screen = { "trace", "energy", "acceptance", "state", "summary" },
}
