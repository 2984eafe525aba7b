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
-- paper's table, cannot be told. `dmala` is above independent pixels by 11.4 +- 0.1.
local cs = require "chainscope"
local K = cs.kernel
local small = require "learning.small_images"

local data
local function images()
  data = data or small.data("kmnist10k", 2000)
  return data
end

local function target()
  return cs.target.energy_network {
    rows = 14, cols = 14, channels = 8, blocks = 3, halvings = 2, gain = 0.7,
    mean = small.means(images().train),
  }
end

local judge = { runs = 40, temperatures = 60, kernel = K.dmala { step = 0.2 } }
local quick = { batch = 40, steps = 4, updates = 20, judge = judge }
local function learn(more)
  local all = { data = images().train, test = images().test, begin = "target",
                optimiser = cs.optimiser.adam { rate = 3e-4 }, buffer = 200, average = 0.9 }
  for _, t in ipairs { quick, more or {} } do
    for key, v in next, t do all[key] = v end
  end
  return all
end

local function judged(arm)
  local all = arm:learned().judged
  return all[#all]
end
local function above_dmala(arm)
  local a, b = judged(arm), judged(arm.run:arm "dmala")
  return a.test - b.test, math.sqrt(a.error ^ 2 + b.error ^ 2), 40
end
-- By how much it is above the base measure alone, on what is held out.
local function above_pixels(arm)
  local j, all = judged(arm), arm:learned()
  return j.test - all.independent, math.sqrt(j.test_error ^ 2 + all.independent_error ^ 2), 40
end

return cs.scenario {
  title  = "Learning a deep energy",
  shows  = "A residual network learns images while a sampler keeps up with it",
  source = "acs, section 6.2, appendix D.5, table 1, algorithm 6",
  tags   = "images learning cyclical",
  target = target,
  chains = 20, seed = 1,
  arms   = {
    dmala = { kernel = K.dmala { step = 0.15 }, learn = learn() },
    acs   = { kernel = K.dmala {},
              tuner = cs.tuner.acs { cycle = "peak", period = 50, weight_max = 0.8, trials = 20, burn_in = 0, settle = 0 },
              learn = learn { cycle = 50, first = 4, retune = 200, schedules = "updates" } },
  },
  budget = { steps = 100 },
  probes = { "acceptance", only = true },
  screen = { "learn", "picture", "acceptance" },
  setting = "14 x 14 pixels for 28 x 28, 8 maps of 3 blocks for 64 of 8, 20 updates of 4 steps for 50,000 of 10, 20 chains; 60 temperatures for 300,000; one seed",
  full   = {
    learn = { batch = 100, steps = 10, updates = 400, average = 0.99,
              judge = { runs = 100, temperatures = 1000, rows = 500, kernel = K.dmala { step = 0.2 } } },
    budget = { steps = 4400 }, seeds = 5,
    setting = "14 x 14 pixels for 28 x 28, 8 maps of 3 blocks for 64 of 8, 400 updates of 10 steps for 50,000, 20 chains; 1000 temperatures for 300,000; 5 seeds",
  },
  claims = {
    { arm = "acs", stat = "log p held out above dmala's", measure = above_dmala, only = "full", at_least = 0,
      holds = "cannot tell", note = "of the draws of digits, one seed, a cycle of ten updates in place of fifty was 28 below",
      paper = "acs above dmala on every set (table 1: -79.905 for -80.031 on static MNIST, -91.487 for -99.243 on Omniglot)" },
    { arm = "dmala", stat = "log p held out above pixels", measure = above_pixels, only = "full", at_least = 0 },
    { arm = "dmala", stat = "log p held out above pixels", measure = above_pixels, only = "quick", at_least = -10,
      note = "twenty updates: it has only begun" },
  },
}
