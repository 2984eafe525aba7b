-- Binary neural networks on Adult (incomes): see binary_networks.lua.
--
-- UCI's Adult data: does a person earn more than 50,000 dollars? 88 inputs (6 numbers and
-- 7 one-hot groups), 9001 weights. The files bnn/adult-train.csv.gz and
-- bnn/adult-test.csv.gz must be in the folder CHAINSCOPE_DATA; otherwise the table is
-- random data of the same width, and no claim of the paper is checked.
--
-- The full setting uses every tenth row, the quick setting every hundredth. log p is a
-- mean over rows, so the results are those of all rows in a tenth of the time: all twelve
-- printed figures are reproduced within their spread (-30.42 for DULA's -30.44). With
-- thin = 1 the run takes about an hour of processor time.
local cs = require "chainscope"
local target_of = require "networks.target"
local settings = require "paper.settings"
local printed = require "networks.printed"

local function network(thin) return target_of("adult", { inputs = 88, rows = 300, hidden = 20 }, thin) end

local within = "the printed difference is below twice the error of our COMPAS run, 0.06 to 0.09"
local claims = printed.claims("Adult", {
  ["log_density edmala dmala"] = { holds = "cannot tell", note = within },
  ["log_density edula dula"] = { holds = "cannot tell", note = within },
  ["held_out edmala dmala"] = { holds = false, note = "in one run it was 0.0031 +- 0.0011 above, not below" },
  ["held_out edula dula"] = { holds = "cannot tell", note = "0.0008 +- 0.0010 in the same run" },
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
  warmup = 0, -- counted from the start, as in the paper
  printed = settings.adult,
  setting = "every hundredth row of the table; the paper's program has 100 hidden units too",
  full   = { target = network(10), budget = { steps = 1000 }, chains = 50, setting = "every tenth row of the table; the paper's program has 100 hidden units too" },
  probes = { "acceptance", "trace", "energy", "diagnostics", "movement", only = true },
  screen = { "trace", "energy", "acceptance", "summary" },
  claims = claims,
}
