-- The run time of a step on the Adult data: entropic samplers and Gibbs-like versions.
--
-- run_time.lua explains the samplers and their half and whole steps. Here the samplers
-- run on the binary network of binary_networks_adult.lua, as in figure 15 of the edlp
-- paper (Mohanty et al. 2025). Without bnn/adult-train.csv.gz in the folder
-- CHAINSCOPE_DATA random data replace the table, and no claim of the paper is checked.
--
-- A step of EDULA takes 1.05 times as long as a step of DULA, and a step of EDMALA 1.06
-- times as long as one of DMALA. A half step of the Gibbs-like version of EDULA takes
-- 0.52 times as long as a step of EDULA, and a whole step takes 1.00 times as long. For
-- EDMALA these factors are 0.51 and 0.99. Nearly all the time of a step is spent on
-- evaluating the network.
local cs = require "chainscope"
local target_of = require "networks.target"
local settings = require "paper.settings"

-- The full setting uses every tenth row of Adult. The times are means over five seeds;
-- their errors are 0.004 to 0.014.
local file = "bnn/adult-train.csv.gz"
local function network(thin) return target_of("adult", { inputs = 88, rows = 300, hidden = 20 }, thin) end

local half = "The EDLP-GLU variants naturally achieve an approximate ... reduction in runtime compared to EDLP"
local claims = {
  { arm = "edula", stat = "gradients", near = 1, within = 0.1 },
  { arm = "edula_half", stat = "gradients", near = 0.5, within = 0.1, note = "x does not move in half of its steps" },
}
local function paper(row)
  row.only, row.data, row.where = "full", file, "appendix E.4"
  claims[#claims + 1] = row
end
paper { arm = "edula", than = "dula", stat = "step_time", relation = "alike", within = 0.5,
        quote = "While the runtime difference between the DULA and EDULA algorithms (without MH correction) is negligible",
        note = "here alike means within 50 %" }
paper { arm = "edmala", stat = "relative_time", of = "dmala", at_least = 1.12,
        quote = "the time difference between DMALA and EDMALA is more pronounced", holds = false,
        note = "the ratio is 1.06, and 1.05 for EDULA and DULA" }
for _, name in ipairs { "edula", "edmala" } do
  for _, count in ipairs { "half", "whole" } do
    paper { arm = name .. "_" .. count, than = name, stat = "step_time", relation = "faster", times = 2, factor = 1.3, quote = half,
            holds = count == "whole" and (name == "edula" and "cannot tell" or "other size") or nil,
            note = count == "half" and "iterations are counted as in the paper's program" or "counted as whole steps" }
  end
end

return cs.scenario {
  title  = "Run time of a step on Adult",
  shows  = "The network takes nearly all of a step's time, the entropic part almost none",
  source = "edlp, appendix E.4, figure 15",

  target = network(100),
  chains = 8, seed = 24,
  arms   = {
    dula         = cs.kernel.dula { step = 0.1 },
    dmala        = cs.kernel.dmala { step = 0.1 },
    edula        = cs.kernel.edula { step = 0.1, step_a = 0.0001, eta = 2 },
    edmala       = cs.kernel.edmala { step = 0.1, step_a = 0.0001, eta = 4 },
    edula_half   = cs.kernel.edula_glu { step = 0.1, eta = 2, count = "halves" },
    edmala_half  = cs.kernel.edmala_glu { step = 0.1, eta = 4, count = "halves" },
    edula_whole  = cs.kernel.edula_glu { step = 0.1, eta = 2 },
    edmala_whole = cs.kernel.edmala_glu { step = 0.1, eta = 4 },
  },
  probes = { "acceptance", "energy", only = true },
  budget = { steps = 20 },
  warmup = 0, -- steps are counted from the start, as in the paper
  printed = settings.adult,
  setting = "every hundredth row of the table; times are not compared; the paper's program has 100 hidden units too",
  full   = { target = network(10), budget = { steps = 200 }, seeds = 5,
             setting = "every tenth row of the table; times measured on this machine; the paper's program has 100 hidden units too" },
  screen = { "energy", "acceptance", "state" },

  claims = claims,
}
