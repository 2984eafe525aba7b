-- Learning a deep energy-based model with two samplers (table 1 of the acs paper,
-- reduced).
--
-- The energy is a residual convolutional network. Its weights follow the gradient of the
-- log likelihood of images: the mean gradient over a batch minus that over persistent
-- chains. `dmala` (discrete Metropolis-adjusted Langevin) moves these chains with a fixed
-- step. `acs` (the cyclical sampler) starts each cycle of updates with some large steps
-- without an accept step and continues with small steps that it tunes (algorithm 6).
--
-- Watch `learn`. The images are KMNIST's (not in the paper's table) if the folder
-- CHAINSCOPE_DATA has images/kmnist10k-train-images-idx3-ubyte.gz and the test images;
-- otherwise draws (included) from a Boltzmann machine of digits replace them.
local table_1 = require "learning.table_1"
local cs = require "chainscope"
-- The energy has a base measure of independent pixels. The weights are updated by Adam.
-- The states of the persistent chains are kept in a buffer.
--
-- Log likelihoods are estimated by annealed importance sampling (AIS) from the base
-- measure, with dmala steps that leave the distribution at each temperature invariant. On
-- average, the estimate of log Z is too small, so the estimated likelihood is too large.
-- This bias grows if there are fewer temperatures. The displayed error does not include
-- this bias.
--
-- The paper's networks have 64 maps and eight blocks on 28 x 28 pixels and learn for
-- 50,000 updates. Here images are 14 x 14, with 8 maps and 3 blocks. Likelihoods of
-- smaller images are larger, so the numbers cannot be compared with the paper's
-- numbers. The order of the arms can be compared.
--
-- Log likelihoods of held-out images over five seeds in the full setting (75 seconds of
-- one core each), +- the standard error over seeds: `acs` is 2.9 +- 1.3 nats below
-- `dmala`, which may be chance; in each row of the paper's table `acs` is above `dmala`.
-- `dmala` is above independent pixels by 11.4 +- 0.1. With a cycle of ten updates instead
-- of fifty, and draws from a Boltzmann machine of digits, `acs` was 28 nats below. On
-- other sets, also 14 x 14, acs minus dmala is -2.1 +- 0.8 (MNIST), -3.0 +- 1.1
-- (Omniglot) and 305 +- 80 (Caltech silhouettes, where dmala ends below independent
-- pixels); on MNIST at 28 x 28 it is -21.7 +- 2.5. See table_1_mnist, table_1_omniglot,
-- table_1_caltech and table_1_28.
local t = table_1.of {
  name = "kmnist10k", size = 14, channels = 8, holds = "cannot tell",
  sets = { "static MNIST", "Omniglot" },
}

return cs.scenario {
  title  = "Learning a deep energy",
  shows  = "A residual network for images is learned from the chains of two samplers",
  source = "acs, section 6.2, appendix D.5, table 1, algorithm 6",
  tags   = "images learning cyclical",
  target = t.target, arms = t.arms,
  chains = 20, seed = 1, budget = { steps = 100 },
  probes = { "acceptance", only = true },
  screen = { "learn", "picture", "acceptance" },
  printed = t.printed, setting = t.setting, full = t.full, claims = t.claims,
}
