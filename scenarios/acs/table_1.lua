-- Learning a deep energy: table 1 of acs at a size that two cores can do.
--
-- The energy is a residual network of convolutions, and a base measure of
-- independent pixels (target energy_network). Its numbers climb the gradient of
-- the log likelihood of images, by Adam: the mean slope over a batch less that
-- over chains which persist, among a buffer of states, from update to update.
-- What moves these chains is what the two arms differ in: `dmala` with a fixed
-- step, and `acs`, which begins each cycle of updates with a few big steps without
-- their accept step, and tunes its small steps as it goes along (algorithm 6).
--
-- Log likelihoods are by annealed importance sampling from the base measure, by
-- steps of dmala that leave each temperature as it is: on average log Z comes out
-- too small, and so a likelihood too large, the more so the fewer temperatures.
-- The error beside a figure knows nothing of that.
--
-- The paper's networks have 64 maps and eight blocks on 28 x 28 pixels and learn
-- for 50,000 updates. Here images are 14 x 14, maps 8, blocks 3. Likelihoods of
-- smaller images are larger, so that figures cannot be held against the printed
-- ones; which arm is ahead can be.
--
-- Over five seeds in the full setting, 75 seconds of one core each, +- the standard error
-- over them, `acs` is 2.9 +- 1.3 nats below `dmala`: that it is above, as in each row of the
-- paper's table, cannot be told. `dmala` is above independent pixels by 11.4 +- 0.1. With a
-- cycle of ten updates in place of fifty, and the draws of a machine of digits, `acs` was 28
-- below. On other sets, 14 x 14 too, acs is above dmala by -2.1 +- 0.8 (MNIST), -3.0 +- 1.1
-- (Omniglot) and 305 +- 80 (Caltech silhouettes, where dmala ends below independent pixels);
-- of MNIST at 28 x 28 by -21.7 +- 2.5: table_1_mnist, _omniglot, _caltech, _28.
--
-- The images are KMNIST's, a set that the paper's table does not have, where the folder
-- CHAINSCOPE_DATA has images/kmnist10k-train-images-idx3-ubyte.gz and the test images;
-- else draws of a machine of digits.
local table_1 = require "learning.table_1"
local cs = require "chainscope"
local t = table_1.of {
  name = "kmnist10k", size = 14, channels = 8, holds = "cannot tell",
  sets = { "static MNIST", "Omniglot" },
}

return cs.scenario {
  title  = "Learning a deep energy",
  shows  = "A residual network learns images while a sampler keeps up with it",
  source = "acs, section 6.2, appendix D.5, table 1, algorithm 6",
  tags   = "images learning cyclical",
  target = t.target, arms = t.arms,
  chains = 20, seed = 1, budget = { steps = 100 },
  probes = { "acceptance", only = true },
  screen = { "learn", "picture", "acceptance" },
  printed = t.printed, setting = t.setting, full = t.full, claims = t.claims,
}
