-- Table 1 on MNIST: see table_1.lua for the method. Without
-- images/mnist-train-images-idx3-ubyte.gz and the test images in the data folder, draws
-- of a machine of digits are used.
--
-- Over five seeds in the full setting, two minutes of one core each, `acs` is 2.1 +- 0.8
-- nats below `dmala`, which may be chance; `dmala` is above independent pixels by 5.30 +-
-- 0.02.
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
