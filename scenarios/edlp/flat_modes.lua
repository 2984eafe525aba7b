-- Do the entropic samplers prefer flat modes?
--
-- States 3 (0010) and 8 (0111) of four bits are sharp modes: their neighbours have little
-- mass. States 5 (0100) and 10 (1001) are flat modes: their neighbours have similar mass.
-- EDULA and EDMALA (entropic discrete Langevin, EDMALA with an accept step) have a second
-- variable theta_a, normal around the bits with variance eta. This variable pulls the
-- bits to flat regions. In the edlp paper (Mohanty et al. 2025), with 4 chains of 800
-- steps, both samplers prefer the flat modes. But for every eta the bits of EDMALA have
-- the target's distribution, so in a long run it cannot prefer any mode.
--
-- Watch the panel `distance`: the curves of the exact samplers keep falling, but those of
-- EDULA do not. EDULA is biased: at a step of 0.2 the sharp modes lose mass.
local cs = require "chainscope"
local settings = require "paper.settings"

-- The paper shows the preference in heat maps. The sharp modes have mass 0.1250 (state
-- 3) and 0.1676 (state 8), the flat modes 0.0869 (state 5) and 0.0583 (state 10). The
-- joint distribution is exp(log p(x) - |x - a|^2 / 2 eta). The flat modes have 0.496 of
-- the mass of the sharp modes, in the target and in the draws of EDMALA. EDULA at the
-- step of the paper's program, 0.2 (`edula_released`), loses two fifths of the mass of
-- the sharp modes, so that the ratio of flat to sharp is 0.85. But the flat modes hardly
-- gain: their mass is 0.147, and it is 0.145 in the target. At the step that the paper
-- states, 0.1 (`edula_printed`), the bias is a seventh of that at 0.2, and the
-- preference vanishes.
--
-- Returns the ratio of the mass of the two flat modes to that of the two sharp modes.
local function flat_over_sharp(arm)
  local list = {}
  for c, visits in ipairs(arm:report "modes/visits") do
    list[c] = { flat = visits[5] + visits[10], sharp = visits[3] + visits[8] }
  end
  return list, function(some)
    local flat, sharp = 0, 0
    for _, one in ipairs(some) do flat, sharp = flat + one.flat, sharp + one.sharp end
    return flat / sharp
  end
end
local ratio = "flat modes over sharp ones"
local prefers = "EDMALA and EDULA demonstrate a strong preference to visit flat modes"
local matches = "entropic samplers still achieve well-matching samples to the target distribution"

return cs.scenario {
  title  = "A preference for flat modes",
  shows  = "With an accept step there is no preference for flat modes, for any eta",
  source = "edlp, section 6.1, figures 2 and 10",
  tags   = "multimodal flat-modes",

  target = cs.target.bernoulli4 {},
  chains = 16, seed = 21,
  arms   = {
    dmala  = cs.kernel.dmala { step = 1 },
    edmala = cs.kernel.edmala { step = 0.4, step_a = 0.1, eta = 1 },
    tight  = cs.kernel.edmala { step = 0.4, step_a = 0.1, eta = 0.1 },
    edula_printed  = cs.kernel.edula { step = 0.1, step_a = 0.1, eta = 0.1 },
    edula_released = cs.kernel.edula { step = 0.2, step_a = 0.1, eta = 0.1 },
    loose  = cs.kernel.edula { step = 0.2, step_a = 0.1, eta = 8 },
  },
  budget = { steps = 30000 },
  warmup = 0, -- steps are counted from the start, as in the paper
  printed = settings.flat_modes,
  setting = "DMALA's step is 1; eta (not in the paper) and the step of edula_released are those of the paper's program",
  full   = { budget = { steps = 300000 }, chains = 32, setting = "DMALA's step is 1; eta (not in the paper) and the step of edula_released are those of the paper's program" },
  screen = { "visits", "distance", "state", "acceptance", "summary" },

  claims = {
    -- Exact result: the marginal distribution of x is the target, whose ratio is 0.4960.
    { arm = "edmala", stat = ratio, measure = flat_over_sharp, at_least = 0.595, holds = false,
      quote = prefers, where = "section 6.1", note = "a preference means a fifth more than the target's 0.496" },
    { arm = "tight", stat = ratio, measure = flat_over_sharp, at_least = 0.595, holds = false,
      quote = prefers, where = "section 6.1", note = "the strongest coupling in the paper" },
    { arm = "edmala", stat = "mode_share", of = 8, exact = 0.1675698,
      quote = "without becoming stuck in the high-probability sharp modes", where = "section 6.1",
      note = "EDMALA gives this mode exactly the target's mass" },
    { arm = "dmala", stat = "mode_share", of = 8, at_least = 0.176, exact = 0.1675698, holds = false,
      quote = "DULA and DMALA show a bias toward the sharp modes", where = "section 6.1",
      note = "a bias means a twentieth more than the target's 0.1676; for DULA see sharp_and_flat.lua" },
    { arm = "edmala", stat = "tv", at_most = 0.02, quote = matches, where = "section 6.1" },
    -- Claims on the bias of EDULA at both step sizes.
    { arm = "edula_released", stat = ratio, measure = flat_over_sharp, at_least = 0.595,
      quote = prefers, where = "section 6.1", note = "the ratio is 0.85, but the mass that the sharp modes lose does not go to the flat modes" },
    { arm = "edula_printed", stat = ratio, measure = flat_over_sharp, at_least = 0.595, holds = false,
      quote = prefers, where = "section 6.1" },
    { arm = "edula_released", stat = "tv", at_most = 0.05, holds = false, quote = matches, where = "section 6.1",
      note = "a seventh of the mass is misplaced permanently" },
    { arm = "edula_printed", stat = "tv", at_most = 0.05, quote = matches, where = "section 6.1" },
    { arm = "edula_released", stat = "tv", near = 0.142, within = 0.01, note = "the distance is 0.142 by an independent program" },
    { arm = "edula_printed", stat = "tv", near = 0.020, within = 0.01 },
    { arm = "edula_released", stat = "mode_share", of = 8, at_most = 0.12,
      note = "the sharpest mode has lost much of its mass of 0.1676" },
    { arm = "edula_released", stat = "mode_share", of = 10, at_most = 0.0583,
      note = "this flat mode loses mass; the other gains a little: 0.091 instead of 0.087" },
    { arm = "loose", stat = "tv", near = 0.0386, within = 0.01,
      note = "as eta grows, EDULA approaches DULA, whose distance is 0.0384" },
  },
}
