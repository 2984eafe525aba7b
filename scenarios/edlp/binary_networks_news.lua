-- Sampling binary neural networks on the Online News data (shares) with six samplers.
--
-- The samplers and log p (-100 times the mean squared error) are those of
-- binary_networks.lua. The data are UCI's Online News Popularity. A network predicts the
-- log number of shares of an article, scaled to [0, 1]. There are 58 inputs and 6001
-- weights of +1 or -1. CHAINSCOPE_DATA must have bnn/news-train.csv.gz and
-- bnn/news-test.csv.gz; otherwise the data are random, and no claim is checked.
--
-- The response varies little, so all six samplers have similar errors. The Langevin
-- samplers reproduce the edlp paper: the mean log p of `dula` is -20.97 +- 0.04 (paper:
-- -21.01). `gibbs` has hardly moved from its initial states. For fifty networks, the
-- standard error of the mean log p of the initial states is 0.13.
local cs = require "chainscope"
local target_of = require "networks.target"
local settings = require "paper.settings"
local printed = require "networks.printed"

-- The files have 39,000 of the 39,644 articles, so the split into training and test rows
-- is not the paper's. The full setting uses every tenth row; for the reason see
-- binary_networks_adult.lua. The random data have the same width as the table. The spread
-- of 0.03 that the paper states for Gibbs (0.0003 in table 3, times 100) is that of one
-- run over time.
local function network(thin) return target_of("news", { inputs = 58, rows = 300, hidden = 20 }, thin, "shares") end

local within = "the paper's difference is below twice the error of our COMPAS run"
local claims = printed.claims("News", {
  ["log_density edmala dmala"] = { holds = "cannot tell", note = within },
  ["log_density edula dula"] = { holds = "cannot tell", note = within },
  ["held_out edmala dmala"] = { holds = "cannot tell", note = within },
  ["held_out edula dula"] = { holds = "cannot tell", note = within },
  ["log_density gibbs"] = { holds = "cannot tell", note = "gibbs is still at its start, whose mean fifty networks determine only to 0.13" },
})

return cs.scenario {
  title  = "Binary neural networks: News",
  shows  = "When the data say little, all samplers have similar errors",
  source = "edlp, sections 6.4 and E.4, tables 2 to 4",

  target = network(100),
  chains = 50, seed = 1, keep = 2,
  arms   = {
    gibbs  = cs.kernel.gibbs {},
    gwg    = cs.kernel.gwg {},
    dula   = cs.kernel.dula { step = 0.1 },
    dmala  = cs.kernel.dmala { step = 0.1 },
    edula  = cs.kernel.edula { step = 0.1, step_a = 0.01, eta = 2 },
    edmala = cs.kernel.edmala { step = 0.1, step_a = 0.0001, eta = 0.8 },
  },
  budget = { steps = 60 },
  warmup = 0, -- steps are counted from the start, as in the paper
  printed = settings.news,
  setting = "every hundredth row of the table, another split than the paper's; the paper's program has 100 hidden units too",
  full   = { target = network(10), budget = { steps = 1000 }, setting = "every tenth row of the table, another split than the paper's; the paper's program has 100 hidden units too" },
  probes = { "acceptance", "trace", "energy", "diagnostics", "movement", only = true },
  screen = { "trace", "energy", "acceptance", "summary" },
  claims = claims,
}
