-- Learning a deep energy-based model of MNIST with two samplers, at 14 x 14 pixels.
--
-- These are two rows of table 1 of the acs paper (Pynadath et al. 2024). The chains that
-- estimate the gradient are moved by `dmala` (discrete Metropolis-adjusted Langevin) or
-- `acs` (the cyclical sampler); see table_1.lua for the method. Without
-- images/mnist-train-images-idx3-ubyte.gz and the test images in the folder
-- CHAINSCOPE_DATA, draws from a Boltzmann machine of digits replace the images.
--
-- Mean log likelihood of held-out images over five seeds in the full setting (two minutes
-- of one core each): `acs` is 2.1 +- 0.8 nats below `dmala`, which may be chance; `dmala`
-- is 5.30 +- 0.02 nats above a model of independent pixels.
local table_1 = require "learning.table_1"
local cs = require "chainscope"
local t = table_1.of {
  name = "mnist", size = 14, channels = 8, holds = "cannot tell",
  sets = { "static MNIST", "dynamic MNIST" },
}

return cs.scenario {
  title  = "Learning a deep energy of MNIST",
  shows  = "A network of residual blocks on the paper's first data set",
  source = "acs, section 6.2, appendix D.5, table 1, algorithm 6",
  tags   = "images learning cyclical",
  target = t.target, arms = t.arms,
  chains = 20, seed = 1, budget = { steps = 100 },
  probes = { "acceptance", only = true },
  screen = { "learn", "picture", "acceptance" },
  printed = t.printed, setting = t.setting, full = t.full, claims = t.claims,
}
