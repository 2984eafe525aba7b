-- The settings that the edlp paper states, by section. The claims report where a run
-- differs from them. The paper states no step sizes for DULA and DMALA in section 6.1,
-- and no step sizes at all in sections 6.2 and 6.3.
local function networks(edula, edmala)
  return {
    steps = 1001, chains = 50, target = { hidden = 500 },
    arms = {
      dula = { step = 0.1 }, dmala = { step = 0.1 },
      edula = { step = 0.1, step_a = edula[1], eta = edula[2] },
      edmala = { step = 0.1, step_a = edmala[1], eta = edmala[2] },
    },
  }
end

return {
  -- Section 6.1 and appendix E.1: "4 chains ... in parallel for 1000 iterations", "stepsizes for
  -- EDULA and EDMALA to 0.1 and 0.4".
  bernoulli = { steps = 1000, chains = 4 },
  flat_modes = { steps = 1000, chains = 4, arms = { edula_printed = { step = 0.1 }, edula_released = { step = 0.1 },
                                                    edmala = { step = 0.4 }, tight = { step = 0.4 } } },
  spectrum = { steps = 1000, chains = 4, arms = { edula_printed = { step = 0.1 }, edula_released = { step = 0.1 },
                                                  edmala = { step = 0.4 } } },
  -- Section 6.2, tours of eight cities: "each with a 10,000-iteration run".
  tsp = { steps = 10000, chains = 1, target = { cities = 8 } },
  -- Section 6.4, tables 2 to 4: binary neural networks.
  compas = networks({ 0.01, 4 }, { 0.001, 4 }),
  news = networks({ 0.01, 2 }, { 0.0001, 0.8 }),
  adult = networks({ 0.0001, 2 }, { 0.0001, 4 }),
  blog = networks({ 0.01, 1 }, { 0.0001, 1 }),
  -- Appendix A.2, figure 5: alpha = 0.1, alpha_a 0.01 and 0.001.
  eta_network = { steps = 1001, chains = 50, target = { hidden = 500 },
                  arms = { m_4 = { step = 0.1, step_a = 0.001 }, u_4 = { step = 0.1, step_a = 0.01 } } },
}
