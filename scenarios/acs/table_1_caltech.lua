-- Learning a deep energy-based model of Caltech silhouettes with two samplers.
--
-- This is a row of table 1 of the acs paper (Pynadath et al. 2024). The chains that
-- estimate the gradient are moved by `dmala` (discrete Metropolis-adjusted Langevin) or
-- `acs` (the cyclical sampler); see table_1.lua for the method. Without
-- images/caltech101-silhouettes-train-images-idx3-ubyte.gz and the test images in the
-- folder CHAINSCOPE_DATA, draws from a Boltzmann machine of digits replace the images.
--
-- Mean log likelihood of held-out images over five seeds in the full setting (two to
-- three minutes of one core each): `dmala` ends 297 +- 81 nats below a model of
-- independent pixels, and `acs` ends 305 +- 80 nats above `dmala`. In the paper the order
-- is the same, but the difference is smaller.
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
