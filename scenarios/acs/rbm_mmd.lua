-- How soon do samplers arrive at a Boltzmann machine's distribution?
--
-- Fifty chains of each sampler start from noise. The panel `distance` shows how
-- far their states are, at each time, from 500 states of block Gibbs after 2000
-- steps: the maximum mean discrepancy with the kernel exp(-share of the pixels
-- that differ), whose logarithm the paper plots. The dotted line is what as many
-- independent draws would have. The curve of `acs` starts late: its tuner takes
-- some 360 steps first, and they count here, as they do not in the paper's plot.
--
-- What is seen: block Gibbs, which knows of hidden units, is there in 500 steps.
-- Of the others, which know a gradient, `acs` is the first, once it is tuned:
-- its large steps change some 80 pixels and leave a digit for another. `dmala`,
-- with the released program's step, changes ten, `any` (the any-scale sampler,
-- whose adaptation is our reconstruction) twenty, and `gwg` one.
--
-- In the full setting (100 chains, 5000 steps, five seeds) `acs` is 0.32 +- 0.11
-- nearer than `dmala`, at a quarter more time a step, and level with `any`.
--
-- This machine has 200 hidden units and learned as in the paper, by contrastive
-- divergence from images (25 steps where the paper has 100, its program 10):
--   chainscope train rbm --data images/mnist-train-images-idx3-ubyte.gz --out digits_cd_rbm.csv \
--     --set hidden=200 --set epochs=3 --set k=25 --set chains=data
--
-- Is it so for every machine? It needs one whose digits lie close together. On
-- that of rbm.lua, learned with persistent chains and a rate that falls, `acs` is
-- 0.27 +- 0.16 nearer than `dmala` in the quick setting, 0.52 +- 0.25 after 5000
-- steps. On one learned at a steady rate, whose draws are at last nine twos of
-- ten, it was no nearer after 1500 steps (0.15 +- 0.11 above it).
--
-- On machines of 500 units, learned from data for a dozen epochs, the difference
-- was -0.66 +- 0.21 for MNIST, -0.35 +- 0.19 for 8000 images of KMNIST, on which
-- the paper has ACS behind, and 0.6 +- 0.5 for Caltech's silhouettes (quick
-- setting, one seed).
--
-- For a machine of your own, let CHAINSCOPE_DATA name a folder with a folder
-- rbm, and in it weights.csv.gz as `chainscope train rbm` makes it from an IDX
-- file of images 28 wide, and draws.csv.gz. As long as there are weights only,
-- this scenario is block Gibbs alone, which makes the draws:
--   chainscope run rbm_mmd.lua --chains 500 --steps 2000 --thin 2000 --out draws
--   for f in draws/block_*.csv; do grep -v '^#' $f | tail -n 1; done \
--     | cut -d, -f3- | gzip > rbm/draws.csv.gz
local cs = require "chainscope"
local settings = require "paper.settings"

local weights = cs.has_data "rbm/weights.csv.gz"
local own = weights and cs.has_data "rbm/draws.csv.gz"

local arms = {
  block = cs.kernel.block_gibbs {},
  dmala = cs.kernel.dmala { step = 0.2 },
  gwg   = cs.kernel.gwg {},
  any   = cs.kernel.any_scale { step = 0.2, adapt = 500, buffer = 10 },
  acs   = { kernel = cs.kernel.dmala {}, tuner = cs.tuner.acs {} },
}
local probes = { mmd = { file = own and "rbm/draws.csv.gz" or "digits_cd_draws.csv.gz" },
                 cycle = { period = 20 }, "acceptance", "energy", "movement", only = true }

local quicker = "ACS is able to converge to the ground truth quicker than other methods"
local in_time = "ACS is able to outperform DMALA in terms of convergence with respect to time"
local claims = {
  { arm = "acs", than = "dmala", stat = "log_mmd", relation = "faster", only = "full", quote = quicker, where = "section 6.1",
    note = "natural logarithms, over the later half of the run, the tuner's steps counted" },
  { arm = "acs", than = "dmala", stat = "log_mmd", relation = "faster", only = "quick", holds = "cannot tell",
    quote = quicker, where = "section 6.1", note = "-0.34 +- 0.22 with one seed" },
  { arm = "acs", than = "any", stat = "log_mmd", relation = "faster", only = "full", holds = "cannot tell",
    quote = quicker, where = "section 6.1", note = "level: -0.04 +- 0.07" },
  { arm = "acs", than = "gwg", stat = "log_mmd", relation = "faster", quote = quicker, where = "section 6.1" },
  { arm = "dmala", than = "gwg", stat = "log_mmd", relation = "faster",
    paper = "GWG is the last of all", source = "figure, read off", where = "figure 3" },
  { arm = "acs", stat = "relative_time", of = "dmala", at_most = 1.6, only = "full", quote = in_time, where = "appendix D.2" },
}
-- What is known of the digits.
local digits = {
  { arm = "block", stat = "log_mmd_at", of = 500, at_most = -4.5 },
  { arm = "acs", than = "dmala", stat = "log_mmd_at", of = 500, relation = "better",
    quote = "it is quickly able to demonstrate superior convergence", where = "figure 9",
    note = "by step 500 of each; the tuner had 365 of them" },
  { arm = "gwg", stat = "log_mmd_at", of = 1000, at_least = -4.2,
    note = "a thousand single flips" },
  { arm = "dmala", stat = "acceptance", near = 0.54, within = 0.04,
    note = "step 0.2 is that of the paper's program" },
  { arm = "acs", stat = "cycle_acceptance", of = 1, near = 0.5, within = 0.1,
    quote = "our goal is to find step sizes ... that enable an acceptance rate close to", where = "section 4.4", note = "the largest step" },
  { arm = "acs", stat = "cycle_acceptance", of = 20, near = 0.5, within = 0.1,
    quote = "our goal is to find step sizes ... that enable an acceptance rate close to", where = "section 4.4", note = "the smallest step" },
  { arm = "acs", stat = "acceptance", near = 0.57, within = 0.06, note = "over the cycle" },
  { arm = "acs", stat = "hamming", at_least = 25, note = "pixels a step; dmala changes 10" },
  { arm = "dmala", stat = "hamming", at_most = 12 },
}
if not weights then table.move(digits, 1, #digits, #claims + 1, claims) end
if weights and not own then
  arms, probes, claims = { block = arms.block }, { "energy" }, nil
end

return cs.scenario {
  title  = weights and "Convergence to a machine of your own" or "Convergence to a Boltzmann machine",
  shows  = "A cyclical step size reaches block Gibbs' answer sooner",
  source = "acs, section 6.1, figures 3 (top) and 9",

  target = function()
    return cs.target.rbm { file = weights and "rbm/weights.csv.gz" or "digits_cd_rbm.csv.gz", cols = 28 }
  end,
  chains = 50, seed = 5,
  arms   = arms, probes = probes,
  budget = { steps = 1000 },
  warmup = 0, -- counted from the start, as in the paper
  printed = arms.dmala and settings.rbm or nil,
  setting = "one dataset of five; 200 hidden units for 500, 25 steps of contrastive divergence for 100",
  full   = { budget = { steps = 5000 }, chains = 100, seeds = 5, setting = "one dataset of five; 200 hidden units for 500, 25 steps of contrastive divergence for 100" },
  screen = { "distance", "picture", "cycle", "acceptance" },

  claims = claims,
}
