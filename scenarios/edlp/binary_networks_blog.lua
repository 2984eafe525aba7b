-- Sampling binary neural networks on the BlogFeedback data (comments) with six samplers.
--
-- The samplers and log p (-100 times the mean squared error) are those of
-- binary_networks.lua. The data are UCI's BlogFeedback. A network predicts how many
-- comments a post gets within a day. There are 276 inputs and 27,801 weights of +1 or -1.
-- CHAINSCOPE_DATA must have bnn/blog-train.csv.gz and bnn/blog-test.csv.gz; otherwise
-- random data replace them, and no claim of the edlp paper (Mohanty et al. 2025) is
-- checked.
--
-- In the full setting, `dula` (discrete unadjusted Langevin) had a mean log p of -26.04
-- +- 0.09 (paper: -27.32) and an error of 0.3230 +- 0.0008 (paper: 0.3236). The entropic
-- samplers (`edula`, `edmala`) cannot be distinguished from `dula` and `dmala`.
local cs = require "chainscope"
local target_of = require "networks.target"
local settings = require "paper.settings"
local printed = require "networks.printed"

-- All 46,830 rows would take two hours of processor time, so the full setting uses every
-- 40th row and the quick setting every 200th. Networks fit fewer rows slightly better:
-- log p is higher by about 1. The random data have the same width as the table.
--
-- The response is that of the published loader: 8 bits, scaled to [0, 1]; rows with
-- counts above 8 are left out.
local function network(thin)
  return target_of("blog", { inputs = 276, rows = 200, hidden = 5 }, thin, "comments_24h,f13,f33,f38,f278")
end

local alike = "the full run could not distinguish the entropic samplers from the others"
local within = "the paper's difference is below twice the error of our COMPAS run"
local claims = printed.claims("Blog", {
  ["log_density edmala dmala"] = { holds = "cannot tell", note = within },
  ["log_density edula dula"] = { holds = "cannot tell", note = alike },
  ["held_out edmala dmala"] = { holds = "cannot tell", note = within },
  ["held_out edula dula"] = { holds = "cannot tell", note = alike },
  ["held_out gwg"] = { holds = false, note = "the error is 0.411 +- 0.008 from 50 chains on every 40th row" },
})

return cs.scenario {
  title  = "Binary neural networks: Blog",
  shows  = "28,000 weights: updating one per step makes almost no progress",
  source = "edlp, sections 6.4 and E.4, tables 2 to 4",

  target = network(200),
  chains = 8, seed = 1, keep = 2,
  arms   = {
    gibbs  = cs.kernel.gibbs {},
    gwg    = cs.kernel.gwg {},
    dula   = cs.kernel.dula { step = 0.1 },
    dmala  = cs.kernel.dmala { step = 0.1 },
    edula  = cs.kernel.edula { step = 0.1, step_a = 0.01, eta = 1 },
    edmala = cs.kernel.edmala { step = 0.1, step_a = 0.0001, eta = 1 },
  },
  budget = { steps = 60 },
  warmup = 0, -- steps are counted from the start, as in the paper
  printed = settings.blog,
  setting = "every 200th row of the table; the paper's program has 100 hidden units too",
  full   = { target = network(40), budget = { steps = 1000 }, chains = 50, setting = "every 40th row of the table; the paper's program has 100 hidden units too" },
  probes = { "acceptance", "trace", "energy", "diagnostics", "movement", only = true },
  screen = { "trace", "energy", "acceptance", "summary" },
  claims = claims,
}
