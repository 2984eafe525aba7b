-- Learning a deep energy-based model of Omniglot with two samplers.
--
-- This is a row of table 1 of the acs paper (Pynadath et al. 2024). The chains that
-- estimate the gradient are moved by `dmala` (discrete Metropolis-adjusted Langevin) or
-- `acs` (the cyclical sampler); see table_1.lua for the method. Without
-- images/omniglot28-train-images-idx3-ubyte.gz and the test images in the folder
-- CHAINSCOPE_DATA, draws from a Boltzmann machine of digits replace the images.
--
-- Mean log likelihood of held-out images over five seeds in the full setting (two minutes
-- of one core each): `acs` is 3.0 +- 1.1 nats below `dmala` (in the paper it is above);
-- `dmala` is 2.13 +- 0.02 nats above a model of independent pixels.
local table_1 = require "learning.table_1"
local cs = require "chainscope"
local t = table_1.of {
  name = "omniglot28", size = 14, channels = 8, holds = false,
  sets = { "Omniglot" },
}

return cs.scenario {
  title  = "Learning a deep energy of Omniglot",
  shows  = "Letters of many alphabets, with few images of each",
  source = "acs, section 6.2, appendix D.5, table 1, algorithm 6",
  tags   = "images learning cyclical",
  target = t.target, arms = t.arms,
  chains = 20, seed = 1, budget = { steps = 100 },
  probes = { "acceptance", only = true },
  screen = { "learn", "picture", "acceptance" },
  printed = t.printed, setting = t.setting, full = t.full, claims = t.claims,
}
