-- The run time of a step: entropic samplers and their Gibbs-like versions.
--
-- A step of `dula` (discrete unadjusted Langevin) takes one gradient. `edula` (its
-- entropic version) takes one gradient too, and also moves a second variable theta_a, at
-- the cost of some normal random numbers. The Gibbs-like versions draw theta_a directly
-- after each move of x. The edlp paper (Mohanty et al. 2025) finds that these versions
-- halve the run time, with error bars that include zero.
--
-- The paper's program counts the move of x as one iteration and the draw of theta_a as
-- the next, so in half of its samples x has not moved. Counted in such half steps
-- (`edula_half`), a step takes half a gradient and about half the time. Counted in whole
-- steps (`edula_whole`: x, then theta_a), nothing is saved.
local cs = require "chainscope"

-- A Boltzmann machine with random weights and the size of the paper's image experiments
-- replaces the paper's network on Adult; run_time_adult.lua has that network.
local half = "The EDLP-GLU variants naturally achieve an approximate ... reduction in runtime compared to EDLP"

return cs.scenario {
  title  = "Run time of a step",
  shows  = "The Gibbs-like versions halve the time because they halve the step",
  source = "edlp, appendix E.4, figure 15",

  target = function() return cs.target.rbm { visible = 784, hidden = 500 } end,
  chains = 8, seed = 24,
  arms   = {
    dula         = cs.kernel.dula { step = 0.1 },
    dmala        = cs.kernel.dmala { step = 0.1 },
    edula        = cs.kernel.edula { step = 0.1, step_a = 0.1, eta = 1 },
    edmala       = cs.kernel.edmala { step = 0.1, step_a = 0.1, eta = 1 },
    edula_half   = cs.kernel.edula_glu { step = 0.1, eta = 1, count = "halves" },
    edmala_half  = cs.kernel.edmala_glu { step = 0.1, eta = 1, count = "halves" },
    edula_whole  = cs.kernel.edula_glu { step = 0.1, eta = 1 },
    edmala_whole = cs.kernel.edmala_glu { step = 0.1, eta = 1 },
  },
  probes = { "acceptance", "energy", only = true },
  budget = { steps = 40 },
  warmup = 0, -- steps are counted from the start, as in the paper
  setting = "a Boltzmann machine with random weights in place of the paper's network on Adult; gradients are counted, times are not compared",
  full   = { budget = { steps = 600 }, chains = 32, seeds = 5,
             setting = "a Boltzmann machine with random weights in place of the paper's network on Adult; times measured on this machine" },
  screen = { "energy", "acceptance", "state" },

  -- Processor times are compared only in the full setting. Numbers of gradients are
  -- compared in both settings.
  claims = {
    { arm = "dula", stat = "gradients", near = 1, within = 0.1 },
    { arm = "edula", stat = "gradients", near = 1, within = 0.1 },
    { arm = "edula_whole", stat = "gradients", near = 1, within = 0.1 },
    { arm = "edula_half", stat = "gradients", near = 0.5, within = 0.1,
      note = "x does not move in half of its steps" },
    { arm = "edmala_half", stat = "gradients", near = 0.5, within = 0.1 },
    { arm = "edula", than = "dula", stat = "step_time", relation = "alike", within = 0.5, only = "full",
      quote = "While the runtime difference between the DULA and EDULA algorithms (without MH correction) is negligible",
      where = "appendix E.4", note = "here alike means within 50 %" },
    { arm = "edmala", stat = "relative_time", of = "dmala", at_least = 1.12, only = "full", holds = false,
      quote = "the time difference between DMALA and EDMALA is more pronounced", where = "appendix E.4",
      note = "less pronounced: the ratio is 1.08 for EDMALA and 1.13 for EDULA" },
    { arm = "edula_half", than = "edula", stat = "step_time", relation = "faster", times = 2, factor = 1.3, only = "full",
      quote = half, where = "appendix E.4", note = "iterations are counted as in the paper's program" },
    { arm = "edmala_half", than = "edmala", stat = "step_time", relation = "faster", times = 2, factor = 1.3, only = "full",
      quote = half, where = "appendix E.4", note = "iterations are counted as in the paper's program" },
    { arm = "edula_whole", than = "edula", stat = "step_time", relation = "faster", times = 2, factor = 1.3, only = "full",
      holds = "other size", quote = half, where = "appendix E.4",
      note = "a whole step takes the time of a step of edula" },
    { arm = "edmala_whole", than = "edmala", stat = "step_time", relation = "faster", times = 2, factor = 1.3, only = "full",
      holds = "other size", quote = half, where = "appendix E.4" },
  },
}
