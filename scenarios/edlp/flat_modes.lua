-- Do the entropic samplers prefer flat modes?
--
-- Four bits. Two modes are sharp: 3 (0010) and 8 (0111), heavy among light
-- neighbours, with masses 0.1250 and 0.1676. Two are flat: 5 (0100) and 10
-- (1001), about as heavy as their neighbours, with 0.0869 and 0.0583. The
-- entropic samplers carry a second variable theta_a that sees the landscape
-- smoothed over a width of sqrt(eta), and let it pull.
--
-- The paper's heat maps show 4 chains of 800 steps, in which EDMALA and EDULA
-- prefer the flat modes. But the distribution of x and theta_a together is
-- exp(log p(x) - |x - a|^2 / 2 eta), and summed over a that is the target, for
-- every eta. EDMALA has an accept step: it cannot prefer anything for long.
-- EDULA has none, and a bias: it loses two fifths of the mass of the sharp
-- modes, and next to nothing of that goes to the flat ones: 0.147 where the
-- target has 0.145. See the panel distance: one curve goes down for ever, the
-- other does not.
local cs = require "chainscope"

return cs.scenario {
  title  = "A preference for flat modes",
  shows  = "With an accept step the preference is gone, whatever eta is",
  source = "edlp, section 6.1, figures 2 and 10",
  tags   = "multimodal flat-modes",

  target = cs.target.bernoulli4 {},
  chains = 16, seed = 21,
  arms   = {
    dmala  = cs.kernel.dmala { step = 1 },
    edmala = cs.kernel.edmala { step = 0.4, step_a = 0.1, eta = 1 },
    tight  = cs.kernel.edmala { step = 0.4, step_a = 0.1, eta = 0.1 },
    edula  = cs.kernel.edula { step = 0.2, step_a = 0.1, eta = 0.1 },
    loose  = cs.kernel.edula { step = 0.2, step_a = 0.1, eta = 8 },
  },
  budget = { steps = 30000 },
  warmup = 0, -- counted from the start, as in the paper
  setting = "16 chains of 30,000 steps where the paper has 4 of 1000; DMALA's step is 1",
  full   = { budget = { steps = 300000 }, chains = 32,
             setting = "32 chains of 300,000 steps where the paper has 4 of 1000; DMALA's step is 1" },
  screen = { "visits", "distance", "state", "acceptance", "summary" },

  claims = {
    -- What is exactly true: the marginal is the target.
    { arm = "edmala", stat = "mode_share", of = 5, at_least = 0.0956, exact = 0.0868874,
      holds = false, paper = "EDMALA demonstrates a strong preference to visit flat modes",
      note = "a tenth more than the target's 0.0869 would be one" },
    { arm = "edmala", stat = "mode_share", of = 10, at_least = 0.0641, exact = 0.05825,
      holds = false, paper = "the same" },
    { arm = "tight", stat = "mode_share", of = 5, at_least = 0.1043, exact = 0.0868874,
      holds = false, note = "a fifth more; the strongest pull of the paper's" },
    { arm = "edmala", stat = "mode_share", of = 8, exact = 0.1675698,
      paper = "without becoming stuck in the sharp modes",
      note = "it gives them their due: no more, no less" },
    { arm = "dmala", stat = "mode_share", of = 8, at_least = 0.176, exact = 0.1675698,
      holds = false, paper = "DULA and DMALA show a bias toward the sharp modes",
      note = "a twentieth more than the target's 0.1676 would be one; DULA: sharp_and_flat.lua" },
    { arm = "edmala", stat = "tv", at_most = 0.02,
      paper = "well-matching samples to the target distribution" },
    -- And what the bias of EDULA is.
    { arm = "edula", stat = "mode_share", of = 8, at_most = 0.12,
      note = "the sharpest mode has lost much of its 0.1676" },
    { arm = "edula", stat = "mode_share", of = 10, at_least = 0.0641, holds = false,
      paper = "EDULA demonstrates a strong preference to visit flat modes",
      note = "the other gains a little, 0.091 for 0.087; this one loses" },
    { arm = "edula", stat = "tv", at_most = 0.05, holds = false,
      paper = "well-matching samples to the target distribution",
      note = "a seventh of the mass is misplaced, and stays so" },
    { arm = "edula", stat = "tv", near = 0.142, within = 0.01,
      note = "0.142 by a program of its own" },
    { arm = "loose", stat = "tv", near = 0.0386, within = 0.01,
      note = "as eta grows it becomes DULA, whose distance is 0.0384" },
  },
}
