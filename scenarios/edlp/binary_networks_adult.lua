-- Sampling binary neural networks on the Adult data (incomes) with six samplers.
--
-- The samplers and log p (-100 times the mean squared error) are those of
-- binary_networks.lua. The data are UCI's Adult. A network predicts whether a person
-- earns more than 50,000 dollars. There are 88 inputs and 9001 weights of +1 or -1.
-- CHAINSCOPE_DATA must have bnn/adult-train.csv.gz and bnn/adult-test.csv.gz; otherwise
-- random data replace them, and no claim of the edlp paper (Mohanty et al. 2025) is
-- checked.
--
-- The full setting uses every tenth row, and reproduces all twelve values in the paper's
-- tables within their spread. For example, for `dula` (discrete unadjusted Langevin) the
-- mean log p is -30.42, and the paper's value is -30.44.
local cs = require "chainscope"
local target_of = require "networks.target"
local settings = require "paper.settings"
local printed = require "networks.printed"

-- The inputs are 6 numbers and 7 one-hot groups. The quick setting uses every hundredth
-- row. log p is a mean over rows, so every tenth row gives the results of all rows in a
-- tenth of the time. With thin = 1, which means all rows, the run takes about an hour of
-- processor time. The random data have the same width as the table.
local function network(thin) return target_of("adult", { inputs = 88, rows = 300, hidden = 20 }, thin) end

local within = "the paper's difference is below twice the error of our COMPAS run, 0.06 to 0.09"
local claims = printed.claims("Adult", {
  ["log_density edmala dmala"] = { holds = "cannot tell", note = within },
  ["log_density edula dula"] = { holds = "cannot tell", note = within },
  ["held_out edmala dmala"] = { holds = false, note = "in one run the error of edmala was 0.0031 +- 0.0011 above that of dmala" },
  ["held_out edula dula"] = { holds = "cannot tell", note = "the difference was 0.0008 +- 0.0010 in the same run" },
})

return cs.scenario {
  title  = "Binary neural networks: Adult",
  shows  = "9,000 weights: updating one per step makes almost no progress",
  source = "edlp, sections 6.4 and E.4, tables 2 to 4",

  target = network(100),
  chains = 8, seed = 1, keep = 2,
  arms   = {
    gibbs  = cs.kernel.gibbs {},
    gwg    = cs.kernel.gwg {},
    dula   = cs.kernel.dula { step = 0.1 },
    dmala  = cs.kernel.dmala { step = 0.1 },
    edula  = cs.kernel.edula { step = 0.1, step_a = 0.0001, eta = 2 },
    edmala = cs.kernel.edmala { step = 0.1, step_a = 0.0001, eta = 4 },
  },
  budget = { steps = 60 },
  warmup = 0, -- steps are counted from the start, as in the paper
  printed = settings.adult,
  setting = "every hundredth row of the table; the paper's program has 100 hidden units too",
  full   = { target = network(10), budget = { steps = 1000 }, chains = 50, setting = "every tenth row of the table; the paper's program has 100 hidden units too" },
  probes = { "acceptance", "trace", "energy", "diagnostics", "movement", only = true },
  screen = { "trace", "energy", "acceptance", "summary" },
  claims = claims,
}
