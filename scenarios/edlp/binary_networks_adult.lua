-- Binary neural networks on Adult (incomes): see binary_networks.lua.
--
-- UCI's Adult: does somebody earn over 50,000 dollars, from 6 numbers and 7 one-hot
-- groups, 88 inputs; 9001 weights. The files are bnn/adult-train.csv.gz and
-- bnn/adult-test.csv.gz in the folder CHAINSCOPE_DATA; without them the table is
-- one at random of that width, and no row of the paper is run.
--
-- Of the rows each tenth counts (`thin`; in the quick setting each hundredth):
-- log p is a mean over rows, and what comes out is as with all of them, in a
-- tenth of the time: all twelve printed figures, within their spread (-30.42
-- for DULA's -30.44). With thin = 1 the run takes about an hour of a processor.
local cs = require "chainscope"
local target_of = require "networks.target"
local settings = require "paper.settings"
local printed = require "networks.printed"

local function network(thin) return target_of("adult", { inputs = 88, rows = 300, hidden = 20 }, thin) end

local within = "the difference that is printed is within twice the error of our COMPAS run, 0.06 to 0.09"
local claims = printed.claims("Adult", {
  ["log_density edmala dmala"] = { holds = "cannot tell", note = within },
  ["log_density edula dula"] = { holds = "cannot tell", note = within },
  ["held_out edmala dmala"] = { holds = false, note = "0.0031 +- 0.0011 above it, not below, in one run" },
  ["held_out edula dula"] = { holds = "cannot tell", note = "0.0008 +- 0.0010 in the same run" },
})

return cs.scenario {
  title  = "Binary neural networks: Adult",
  shows  = "9,000 weights: updating one per step gets nowhere",
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
  setting = "each hundredth row of the table; its program has 100 hidden units, too",
  full   = { target = network(10), budget = { steps = 1000 }, chains = 50, setting = "each tenth row of the table; its program has 100 hidden units, too" },
  probes = { "acceptance", "trace", "energy", "diagnostics", "movement", only = true },
  screen = { "trace", "energy", "acceptance", "summary" },
  claims = claims,
}
