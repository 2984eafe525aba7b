-- Networks for classification: is the mean of many networks better than the best one?
--
-- The csgld paper trains Resnet20 on CIFAR. Here a perceptron with 50 hidden units (3010
-- weights) classifies ten Japanese characters (KMNIST: 8000 training images, 1000 held
-- out; inputs are means of 4 x 4 pixels). The paper's accuracies cannot be reproduced,
-- but its comparisons between samplers can. Each sampler has two accuracies over the
-- second half of the run: that of its best network (`best`, chosen on the held-out
-- images, as in the paper), and that of the mean of all networks (`average_accuracy`).
--
-- The claims are about both accuracies; `chainscope replicate csgld` prints them. Noise
-- of temperature 0.01 does not change the accuracies. Annealing and a larger rate
-- increase them; energy bins hardly change them.

-- Without images/kmnist10k-* in the folder CHAINSCOPE_DATA random data are used.

local cs = require "chainscope"
local settings = require "paper.settings"
-- The paper's settings are scaled to the number of images: the rate 2e-7 to 1.25e-6
-- (annealed arms: ten times that for 400 of 1000 epochs, then divided by 1.01 per epoch),
-- weight decay 25 to a precision of 4. Batches of 1000 and the temperature 0.01 (annealed
-- arms: divided by 1.01 from the first epoch) are unchanged.
--
-- As in the paper, noise changes nothing, and annealing improves the results much. Here
-- the improvement comes from the tenfold rate: at the small rate a thousand epochs are
-- too few. Unlike in the paper, without annealing the mean is worse than the best
-- network, by 2.8 +- 0.2 points. The chain is still learning, and its earlier networks
-- make the mean worse. With annealing the difference is -0.2 +- 0.1.
--
-- `csghmc`, the contour sampler with momentum, is better than `sghmc`, as in the paper,
-- and by more: 7.1 points for the best network, 9.9 for the mean. But with the high zeta
-- the multiplier of its gradient (see `bins`) is 4.1 on average in the second half, and
-- at its limit of 5 in 56 % of the steps. A larger rate without bins does the same: the
-- best network of `sghmc_5`, SGHMC at five times the rate, is 0.7 +- 0.1 points better
-- than that of `csghmc`, and its mean is as good (-0.2 +- 0.2). The mean of `csghmc` is
-- in fact a single network: one of 4000 draws has all the weight. With annealing, where
-- the rate is not too small, bins add 0.4 +- 0.1 points to the best network and 0.6 +-
-- 0.1 to the mean.
local file = "images/kmnist10k-%s-%s-idx%d-ubyte.gz"
local data = file:format("train", "images", 3)

-- Returns rows of pixels from 0 to 1, with the class last.
local function rows(part)
  local list, labels = cs.read_idx(file:format(part, "images", 3), 4), cs.read_idx(file:format(part, "labels", 1))
  for i, row in ipairs(list) do
    for j, x in ipairs(row) do row[j] = x / 255 end
    row[#row + 1] = labels[i]
  end
  return list
end

local N, batch = 8000, 1000
local epoch = N // batch
local function network()
  if not cs.has_data(data) then
    return cs.target.perceptron { inputs = 10, rows = N, classes = 10, precision = 4 }
  end
  return cs.target.perceptron { table = rows "train", held_table = rows "test", classes = 10, precision = 4,
                                standardise = "nothing" }
end

-- Returns the rate or temperature of annealed arms: constant for `from` epochs, then
-- divided by 1.01 per epoch.
local function falling(first, from)
  return function(step)
    local epochs = (step - 1) // epoch - from
    return epochs > 0 and first / 1.01 ^ epochs or first
  end
end
local plain = { rate = 1.25e-6, batch = batch }
local annealed = { rate = falling(1.25e-5, 400), batch = batch }
local function binned(values)
  local all = { zeta = 1.6e5, first = 160, width = 160, bins = 200, update = "high_zeta", rho = 1,
                gain = cs.schedule.gain { scale = 10, power = 0.75, offset = 1000 } }
  for name, value in next, values do all[name] = value end
  return all
end
local function kernel(make, values, temperature)
  local all = { temperature = temperature }
  for name, value in next, values do all[name] = value end
  return make(all)
end

-- For each chain, returns two held-out accuracies in per cent: that of its best state,
-- and that of the weighted mean of all its states.
local function best(arm)
  local list = {}
  for c = 1, #arm.chains do
    local chain, most = arm:chain(c), 0
    for k = 1, #chain:draws() do most = math.max(most, chain:held_out(k, k).accuracy) end
    list[c] = 100 * most
  end
  return list
end
local function averaged(arm)
  local list = {}
  for c = 1, #arm.chains do list[c] = 100 * arm:chain(c):held_out().accuracy end
  return list
end
local function averaged_less_best(arm)
  local list, those = averaged(arm), best(arm)
  for c = 1, #list do list[c] = list[c] - those[c] end
  return list
end

local function claim(arm, stat, measure, more)
  local out = { arm = arm, stat = stat, measure = measure, only = "full", data = data }
  for name, value in next, more do out[name] = value end
  return out
end
local claims = {
  { arm = "sa_sghmc", stat = "average_accuracy", less_than = "sghmc", at_least = 0, only = "quick",
    note = "because of the tenfold rate" },
  claim("sghmc", "best, %", best, { than = "momentum_sgd", relation = "alike", within = 1,
    quote = "SGHMC performs quite similarly to M-SGD", where = "section 4.3", paper = "90.01 beside 90.02", note = "0.08 +- 0.09 points, at an accuracy of 80 %" }),
  claim("sghmc", "average, %", averaged, { than = "momentum_sgd", relation = "alike", within = 2,
    quote = "SGHMC performs quite similarly to M-SGD", where = "section 4.3", paper = "91.98 beside 92.03", note = "0.5 +- 0.3 points, at an accuracy of 77 %" }),
  claim("sghmc", "average less best, %", averaged_less_best, { at_least = 0, holds = false,
    quote = "BMA still consistently outperforms BPE", where = "section 4.3", paper = "91.98 beside 90.01",
    note = "-2.8 +- 0.2: the chain is still learning" }),
  claim("sa_sghmc", "best, %", best, { than = "sghmc", relation = "above",
    quote = "90.01 ± 0.07 ... 93.80 ± 0.06", where = "table 2", note = "87.4 % and 79.7 %, because of the tenfold rate" }),
  claim("sa_sghmc", "average, %", averaged, { than = "sghmc", relation = "above",
    quote = "91.98 ± 0.05 ... 94.24 ± 0.06", where = "table 2", note = "87.1 % and 76.9 %" }),
  claim("csghmc", "best, %", best, { than = "sghmc", relation = "above",
    quote = "90.01 ± 0.07 ... 90.87 ± 0.04", where = "table 2", note = "7.1 +- 0.3, because of a larger rate (see sghmc_5)" }),
  claim("csghmc", "average, %", averaged, { than = "sghmc", relation = "above",
    quote = "91.98 ± 0.05 ... 92.85", where = "table 2", note = "9.9 +- 0.5" }),
  claim("sghmc_5", "best, %", best, { than = "csghmc", relation = "above",
    note = "0.7 +- 0.1: the same rate without bins" }),
  claim("sghmc_5", "average, %", averaged, { than = "csghmc", relation = "alike", within = 1,
    note = "-0.2 +- 0.2" }),
  { arm = "csghmc", stat = "weight_share", at_most = 0.001, only = "full", data = data, holds = "cannot tell",
    note = "one of 4000 draws has all the weight, in each chain" },
  claim("sa_csghmc", "best, %", best, { than = "sa_sghmc", relation = "above", holds = "cannot tell",
    quote = "93.80 ± 0.06 ... 94.06 ± 0.07", where = "table 2", note = "0.4 +- 0.1, from four chains" }),
  claim("sa_csghmc", "average, %", averaged, { than = "sa_sghmc", relation = "above",
    quote = "94.24 ± 0.06 ... 94.33 ± 0.07", where = "table 2", note = "0.6 +- 0.1, from four chains" }),
  claim("sa_sghmc", "average less best, %", averaged_less_best, { at_least = 0, holds = "cannot tell",
    quote = "93.80 ± 0.06 ... 94.24 ± 0.06", where = "table 2", note = "-0.2 +- 0.1" }),
  claim("sa_sghmc", "best, %", best, { than = "sa_momentum_sgd", relation = "alike", within = 1,
    quote = "93.83 ± 0.07 ... 93.80 ± 0.06", where = "table 2", note = "0.1 +- 0.2" }),
  claim("sa_sghmc", "average, %", averaged, { than = "sa_momentum_sgd", relation = "alike", within = 1,
    quote = "94.25 ± 0.04 ... 94.24 ± 0.06", where = "table 2", note = "0.2 +- 0.2" }),
}
local scaled = "KMNIST in squares of 4 x 4 and a perceptron instead of CIFAR and Resnet20; rates and decay scaled to 8000 images"

local K = cs.kernel
return cs.scenario {
  title  = "Networks for classification",
  shows  = "A larger rate helps more than noise or bins",
  source = "csgld, section 4.3 and appendix D.4, table 2",
  target = network,
  chains = 4, seed = 1, keep = 100,
  arms   = {
    { name = "momentum_sgd", kernel = kernel(K.momentum_sgd, plain) },
    { name = "sghmc", kernel = kernel(K.sghmc, plain, 0.01) },
    { name = "sa_momentum_sgd", kernel = kernel(K.momentum_sgd, annealed) },
    { name = "sa_sghmc", kernel = kernel(K.sghmc, annealed, falling(0.01, 0)) },
    { name = "csghmc", kernel = kernel(K.csghmc, binned(plain), 0.01) },
    { name = "sghmc_5", kernel = K.sghmc { rate = 5 * plain.rate, batch = batch, temperature = 0.01 } },
    { name = "sa_csghmc", kernel = kernel(K.csghmc, binned(annealed), falling(0.01, 0)) },
  },
  budget = { steps = 25 * epoch },
  warmup = 0.5,
  printed = settings.cifar_10,
  setting = "25 of 1000 epochs; " .. scaled,
  full   = { budget = { steps = 1000 * epoch }, setting = scaled },
  probes = { "energy", "weights", only = true },
  screen = { "lesson", "energy", "bins", "summary" },
  claims = claims,
}
