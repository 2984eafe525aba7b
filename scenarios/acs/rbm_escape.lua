-- How soon samplers leave the most likely mode of a Boltzmann machine of digits.
--
-- All chains start in the most likely state found, a bold bar of 3 x 19 pixels that looks
-- like a one. Its log p is 247.8; that of typical states is about 140. Watch `picture`,
-- to see which samplers still show ones after a thousand steps, and `distance`, the
-- discrepancy from states of block Gibbs (see rbm_mmd.lua).
--
-- In the machine's distribution 10 % of the images are ones. The chains of `block` (block
-- Gibbs), which uses the hidden units, nearly reach this share. The samplers that adapt
-- their steps, `acs` (cyclical) and `any` (any-scale balanced), have left the mode in
-- more chains than `dmala` (discrete Langevin, fixed step). Chains of `gwg` (Gibbs with
-- gradients, one pixel per step) hardly ever leave it.
local cs = require "chainscope"
-- The ranking of the samplers supports the acs paper, but in the long run all
-- samplers agree.
--
-- The start is the best of 64 chains of block Gibbs, moved uphill pixel by pixel. A
-- network sorts the last draws of each chain by digit; it recognises 96 % of MNIST's test
-- images. The tuner's 365 steps are counted here. The first 50 steps have no accept step,
-- and already move some chains away from the start. The released program discards the
-- tuner's steps and starts again. The start in the released program is a random training
-- image, not the most likely mode.
local settings = require "paper.settings"

local reader -- loaded at first use

-- The bar: pixels 14 to 16 of rows 6 to 24.
local bar = {}
for row = 1, 28 do
  for col = 1, 28 do
    local inside = row >= 6 and row <= 24 and col >= 14 and col <= 16
    bar[#bar + 1] = inside and 1 or 0
  end
end

-- For each chain, returns the number of times that each digit occurs among its
-- last draws.
local function counts(arm)
  reader = reader or cs.network { file = "digits_network.txt" }
  local list = {}
  for c in ipairs(arm.chains) do list[c] = reader:classify { arm = arm, chain = c, last = 8 } end
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
local function share_of_ones(list) return shares(list)[2] end
local function digits_seen(list)
  local n = 0
  for _, share in ipairs(shares(list)) do n = n + (share >= 0.01 and 1 or 0) end
  return n
end
local function ones(arm) return counts(arm), share_of_ones end
local function digits(arm) return counts(arm), digits_seen end

local escapes = "as evidenced by superior convergence on all datasets except KMNIST"

return cs.scenario {
  title  = "Leaving the most likely mode",
  shows  = "All chains start at the same digit; samplers with adapted steps leave it sooner",
  source = "acs, appendix D.2, figures 7 and 8",
  tags   = "images multimodal cyclical",

  target = function() return cs.target.rbm { file = "digits_cd_rbm.csv.gz", cols = 28 } end,
  start  = bar,
  chains = 50, seed = 6, keep = 64,
  arms   = {
    block = cs.kernel.block_gibbs {},
    dmala = cs.kernel.dmala { step = 0.2 },
    gwg   = cs.kernel.gwg {},
    any   = cs.kernel.any_scale { step = 0.2, adapt = 500, buffer = 10 },
    acs   = { kernel = cs.kernel.dmala {}, tuner = cs.tuner.acs {} },
  },
  probes = { mmd = { file = "digits_cd_draws.csv.gz" }, "acceptance", "energy", "movement", only = true },
  budget = { steps = 1000 },
  warmup = 0, -- steps are counted from the start, as in the paper
  printed = settings.rbm,
  setting = "only MNIST of five datasets; 200 hidden units instead of 500, 25 steps of contrastive divergence instead of 100",
  full   = { budget = { steps = 5000 }, chains = 100, seeds = 5, setting = "only MNIST of five datasets; 200 hidden units instead of 500, 25 steps of contrastive divergence instead of 100" },
  screen = { "picture", "distance", "acceptance", "energy" },

  claims = {
    { arm = "acs", than = "dmala", stat = "log_mmd_at", of = 1000, relation = "faster", quote = escapes, where = "figure 7" },
    { arm = "acs", than = "gwg", stat = "log_mmd_at", of = 1000, relation = "faster", quote = escapes, where = "figure 7" },
    { arm = "acs", than = "any", stat = "log_mmd_at", of = 1000, relation = "faster", only = "full",
      quote = escapes, where = "figure 7" },
    { arm = "acs", than = "dmala", stat = "log_mmd", relation = "better", only = "full", quote = escapes, where = "figure 7" },
    { arm = "acs", stat = "digits seen", measure = digits, at_least = 6,
      quote = "ACS is able to generate a diverse range of digits", where = "figure 8" },
    { arm = "any", stat = "digits seen", measure = digits, at_least = 6,
      quote = "AB is able to generate a diverse range of digits as well", where = "figure 8" },
    { arm = "block", stat = "share of ones", measure = ones, at_most = 0.4,
      note = "the exact share is about a tenth" },
    { arm = "acs", stat = "share of ones", measure = ones, at_most = 0.8,
      quote = "demonstrating its ability to escape from modes", where = "figure 8", note = "the share is 0.6 after 1000 steps" },
    { arm = "dmala", than = "acs", stat = "share of ones", measure = ones, relation = "above", only = "quick",
      holds = "cannot tell", quote = "ACS demonstrates superior robustness to mode-specific initialization",
      where = "appendix D.2", note = "0.7 for dmala, 0.6 for acs, from fifty chains that are still converging" },
    { arm = "gwg", than = "acs", stat = "share of ones", measure = ones, relation = "above", only = "quick",
      quote = "ACS demonstrates superior robustness to mode-specific initialization", where = "appendix D.2" },
    { arm = "gwg", stat = "share of ones", measure = ones, at_least = 0.85, only = "quick" },
    { arm = "block", stat = "log_mmd_at", of = 1000, at_most = -4.8 },
  },
}
