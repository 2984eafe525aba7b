-- Table 1 on Caltech silhouettes: see table_1.lua for the method. Without
-- images/caltech101-silhouettes-train-images-idx3-ubyte.gz and the test images in the
-- data folder, draws of a machine of digits are used.
--
-- Over five seeds in the full setting, two to three minutes of one core each, `dmala`
-- ends 297 +- 81 nats below independent pixels, and `acs` 305 +- 80 above `dmala`: the
-- order is the paper's, with a larger difference than in the paper.
local table_1 = require "learning.table_1"
local cs = require "chainscope"
local t = table_1.of {
  name = "caltech101-silhouettes", size = 14, channels = 8, holds = true, pixels = false,
  sets = { "Caltech" },
}

return cs.scenario {
  title  = "Learning a deep energy of Caltech silhouettes",
  shows  = "Large dark shapes, where neighbouring pixels are strongly correlated",
  source = "acs, section 6.2, appendix D.5, table 1, algorithm 6",
  tags   = "images learning cyclical",
  target = t.target, arms = t.arms,
  chains = 20, seed = 1, budget = { steps = 100 },
  probes = { "acceptance", only = true },
  screen = { "learn", "picture", "acceptance" },
  printed = t.printed, setting = t.setting, full = t.full, claims = t.claims,
}
