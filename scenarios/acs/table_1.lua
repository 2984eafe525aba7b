-- Learning a deep energy: table 1 of the paper at a size for two cores.
--
-- The energy is a residual convolutional network with a base measure of independent
-- pixels. Its parameters follow the gradient of the log likelihood of images, by Adam:
-- the mean gradient over a batch minus that over persistent chains, whose states are kept
-- in a buffer. The arms differ in how they move these chains: `dmala` with a fixed step;
-- `acs` (algorithm 6) with some large steps without an accept step at the start of each
-- cycle of updates, and small steps that it tunes.
--
-- Watch the panel `learn`. The images are KMNIST's (not in the paper's table) if
-- CHAINSCOPE_DATA has images/kmnist10k-train-images-idx3-ubyte.gz and the test images;
-- otherwise draws of a machine of digits.
local table_1 = require "learning.table_1"
local cs = require "chainscope"
-- Log likelihoods are from annealed importance sampling (AIS) from the base measure, with
-- dmala steps that leave each temperature's distribution invariant. On average log Z
-- comes out too small, hence a likelihood too large, the more so the fewer temperatures.
-- The error shown does not include this.
--
-- The paper's networks have 64 maps and eight blocks on 28 x 28 pixels and learn for
-- 50,000 updates. Here images are 14 x 14, with 8 maps and 3 blocks. Likelihoods of
-- smaller images are larger, so the numbers cannot be compared with the printed ones; the
-- order of the arms can.
--
-- Over five seeds in the full setting (75 seconds of one core each, +- the standard error
-- over seeds) `acs` is 2.9 +- 1.3 nats below `dmala`, so it cannot be decided whether it
-- is above, as in each row of the paper's table. `dmala` is above independent pixels by
-- 11.4 +- 0.1. With a cycle of ten updates instead of fifty, and the draws of a machine
-- of digits, `acs` was 28 below. On other sets, also 14 x 14, acs minus dmala is -2.1 +-
-- 0.8 (MNIST), -3.0 +- 1.1 (Omniglot) and 305 +- 80 (Caltech silhouettes, where dmala
-- ends below independent pixels); on MNIST at 28 x 28 it is -21.7 +- 2.5: table_1_mnist,
-- _omniglot, _caltech, _28.
local t = table_1.of {
  name = "kmnist10k", size = 14, channels = 8, holds = "cannot tell",
  sets = { "static MNIST", "Omniglot" },
}

return cs.scenario {
  title  = "Learning a deep energy",
  shows  = "A residual network learns images from the states of two samplers",
  source = "acs, section 6.2, appendix D.5, table 1, algorithm 6",
  tags   = "images learning cyclical",
  target = t.target, arms = t.arms,
  chains = 20, seed = 1, budget = { steps = 100 },
  probes = { "acceptance", only = true },
  screen = { "learn", "picture", "acceptance" },
  printed = t.printed, setting = t.setting, full = t.full, claims = t.claims,
}
