-- Sampling twenty-five modes on a lattice with fixed and with cyclical step sizes.
--
-- The states are the integer points {0 .. 449}^2, with 25 narrow modes 75 apart. The
-- gradient points to the nearest mode, so `dmala` (discrete Metropolis-adjusted Langevin)
-- with the step of the acs paper (Pynadath et al. 2024) samples one mode well and stays
-- in it. `any` (any-scale balanced sampler) stays in its first mode too. `acs` (the
-- cyclical sampler) runs in cycles of 20 steps: huge steps at the start of a cycle jump
-- between modes, and small steps at its end explore a mode.
--
-- Watch the panel `visits`. `acs` has the schedule of the paper, `released` the schedule
-- of the paper's program. `walk`, a plain random walk, can step from mode to mode. Here
-- `walk` finds modes better than the other samplers, in a twentieth of their time.
local cs = require "chainscope"
local settings = require "paper.settings"

-- `any` adapts its step for 2000 steps to change the largest number of coordinates. A
-- small step already changes both coordinates, so its step stays small.
--
-- The schedule of `acs` is Eq. 7 of the paper with the factor 1/2 that is missing there.
-- The schedule of the released program, `released`, raises the cosine to the fourth
-- power. Both schedules keep the balance at 1/2. The random walk in the paper's figure is
-- noisy. The random walk of the released program is not a Metropolis sampler: it treats
-- every value outside +-100 as if the value were as likely as the best value. `walk` is a
-- correct random walk with the same width.
local function released(k)
  return math.max((450 * 0.007 * (math.cos(math.pi * ((k - 1) % 20) / 20) + 1))^4, 3.32)
end

local trapped = "they tend to get trapped in some small neighborhood"
local walk = "While the random walk sampler can "

return cs.scenario {
  title  = "25 modes",
  shows  = "A fixed gradient step stays on one island; cycles and a plain walk cross",
  source = "acs, section 4.1, figure 1",
  tags   = "multimodal discrete cyclical",

  target = function() return cs.target.lattice_modes { modes = 25, gap = 75, variance = 0.15 } end,
  chains = 16, seed = 7,
  arms   = {
    walk     = cs.kernel.random_walk { radius = 100 },
    dmala    = cs.kernel.dmala { step = 53 },
    any      = cs.kernel.any_scale { step = 53, adapt = 2000 },
    acs      = cs.kernel.dmala {
      step = cs.schedule.cosine { max = 1575, min = 3, period = 20 },
    },
    released = cs.kernel.dmala { step = released },
  },
  budget = { steps = 10000 },
  speed = 500, -- steps per second; the key = selects full speed
  warmup = 0, -- steps are counted from the start, as in the paper
  printed = settings.modes,
  setting = "the target of the paper's program: exp(-|x - mu|^2 / (2 sigma^2)), where Eq. 2 lacks the minus and the square; the paper does not specify the weights and the random walk fully",
  full   = { seeds = 8, setting = "the target of the paper's program: exp(-|x - mu|^2 / (2 sigma^2)), where Eq. 2 lacks the minus and the square; the paper does not specify the weights and the random walk fully" },
  screen = { "map", "trace", "energy", "acceptance", "visits" },

  claims = {
    { arm = "dmala", stat = "modes_visited", at_most = 3,
      quote = trapped, where = "section 4.1", note = "with the paper's program a chain visits 1.8 modes" },
    { arm = "dmala", stat = "acceptance", near = 0.574, within = 0.05,
      quote = "we tune each until we reach an acceptance rate around .574", where = "appendix D.1", holds = false,
      note = "the paper's step of 53 gives an acceptance of 0.694, in its program too" },
    { arm = "dmala", stat = "acceptance", near = 0.694, within = 0.01 },
    { arm = "any", stat = "modes_visited", at_most = 3, quote = trapped, where = "section 4.1" },
    { arm = "acs", stat = "modes_together", at_least = 25, quote = "we enable the sampler to explore the distribution fully without sacrificing the ability to characterize each mode", where = "section 4.3" },
    { arm = "acs", stat = "modes_visited", at_least = 20,
      note = "a single chain needs more than 10000 steps for all 25" },
    { arm = "released", stat = "acceptance", near = 0.470, within = 0.01,
      note = "the acceptance of the paper's program is 0.470" },
    { arm = "released", stat = "modes_mean", near = 17.7, within = 2,
      note = "with the paper's program a chain visits 17.7 modes" },
    { arm = "walk", stat = "modes_visited", at_least = 25, quote = walk .. "find all modes", where = "figure 1" },
    { arm = "walk", stat = "mode_kl", at_least = 0.1, holds = false,
      quote = walk .. "find all modes, its characterization is noisy and lacks details", where = "figure 1",
      note = "over the modes a correct random walk is closer to the target than "
             .. "acs; over all states it is not closer: see 25_modes_uneven" },
    { arm = "acs", stat = "mode_kl", at_most = 0.15 },
    { arm = "dmala", stat = "mode_kl", at_least = 0.15 },
    { arm = "acs", stat = "log_density", near = -1.997, within = 0.1, exact = -1.9973,
      note = "exact value: a sum over all states" },
  },
}
