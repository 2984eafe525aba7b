-- Learning a deep energy-based model of MNIST at the paper's 28 x 28 pixels.
--
-- This is table 1 of the acs paper (Pynadath et al. 2024) with 4 feature maps instead of
-- 64. The chains that estimate the gradient are moved by `dmala` (discrete
-- Metropolis-adjusted Langevin) or `acs` (the cyclical sampler); see table_1.lua for the
-- method. Without images/mnist-train-images-idx3-ubyte.gz and the test images in the
-- folder CHAINSCOPE_DATA, draws from a Boltzmann machine of digits, which come with the
-- program, replace the images.
--
-- Mean log likelihood of held-out images over five seeds in the full setting: `acs` is
-- 21.7 +- 2.5 nats below `dmala` (in the paper it is above); `dmala` is 32.1 +- 0.4 nats
-- above a model of independent pixels.
local table_1 = require "learning.table_1"
local cs = require "chainscope"
local t = table_1.of {
  name = "mnist", size = 28, channels = 4, holds = false,
  sets = { "static MNIST", "dynamic MNIST" },
}

return cs.scenario {
  title  = "Learning a deep energy at 28 x 28 pixels",
  shows  = "Learning at the paper's image size, with four times the pixels of table_1",
  source = "acs, section 6.2, appendix D.5, table 1, algorithm 6",
  tags   = "images learning cyclical",
  target = t.target, arms = t.arms,
  chains = 20, seed = 1, budget = { steps = 100 },
  probes = { "acceptance", only = true },
  screen = { "learn", "picture", "acceptance" },
  printed = t.printed, setting = t.setting, full = t.full, claims = t.claims,
}
