-- Table 1 on MNIST at the paper's 28 x 28 pixels, with 4 maps instead of 64: see
-- table_1.lua for the method. Without images/mnist-train-images-idx3-ubyte.gz and the
-- test images in the data folder, draws of a machine of digits are used.
--
-- Over five seeds in the full setting `acs` is 21.7 +- 2.5 nats below `dmala`, not above;
-- `dmala` is above independent pixels by 32.1 +- 0.4.
local table_1 = require "learning.table_1"
local cs = require "chainscope"
local t = table_1.of {
  name = "mnist", size = 28, channels = 4, holds = false,
  sets = { "static MNIST", "dynamic MNIST" },
}

return cs.scenario {
  title  = "Learning a deep energy of whole images",
  shows  = "Four times the pixels: the paper's image size",
  source = "acs, section 6.2, appendix D.5, table 1, algorithm 6",
  tags   = "images learning cyclical",
  target = t.target, arms = t.arms,
  chains = 20, seed = 1, budget = { steps = 100 },
  probes = { "acceptance", only = true },
  screen = { "learn", "picture", "acceptance" },
  printed = t.printed, setting = t.setting, full = t.full, claims = t.claims,
}
