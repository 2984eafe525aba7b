-- Telling two classes of images apart, from a few hundred images a step.
--
-- Logistic regression on fifty principal components, flat prior, as in the paper's
-- section 5.3. There the images are the 3s and 5s of MNIST, 11,552 of them; here
-- classes 3 and 5 of KMNIST (ten thousand images of Japanese letters, 1601 of
-- these two), images/kmnist10k-* in the folder CHAINSCOPE_DATA: no digits, and
-- harder to tell apart. Without the files a table at random of that shape is used,
-- and nothing of the paper is held against it.
--
-- A term changes by no more than |x_i| times the distance moved. TunaMH draws a
-- Poisson number of rows in proportion to that bound, the fewer the shorter the
-- move: 173 of them a step of 0.002. Tuna-SGLD looks at twenty rows more, whose
-- summed gradient its programs always stretch or shrink to length 2; the paper
-- does not say so. Without it the drift of a batch of twenty, 80 times their sum,
-- throws nearly every proposal too far.
--
-- How much of what was held out does the mean of a chain's draws so far find? The
-- panel `distance` has what it misses (v: by rows, by time). After 360,000 rows,
-- 225 passes, both are 0.20 ahead of the random walk, and Tuna-SGLD 0.02 ahead of
-- MALA, as the paper has it. But HMC, here a true leapfrog, is 0.09 ahead of Tuna-SGLD; the
-- paper's, whose leapfrog is none, "converges poorly". And SGLD, of the same twenty
-- rows with no accept step, is 0.14 ahead: none of these chains has yet arrived, and
-- whoever climbs fastest leads. By time MALA leads both: a row of a pass costs less than
-- one that is drawn. Other steps: digits_steps.lua.
local cs = require "chainscope"
local kmnist = require "digits.kmnist"
local said = kmnist.said

local claims = kmnist.ahead {
  { "tuna_mh", "random_walk", anywhere = true },
  { "tuna_mh", "random_walk", said.full, note = "0.20 +- 0.02" },
  { "tuna_sgld", "random_walk", said.full, note = "0.20 +- 0.02" },
  { "tuna_sgld", "mala", said.full, only = "full", note = "0.020 +- 0.005" },
  { "tuna_sgld", "barker", said.full, note = "0.07 +- 0.01" },
  { "tuna_sgld", "tuna_mh", said.gradient, holds = "cannot tell", only = "full", note = "0.003 +- 0.003 with 64 chains" },
  { "tuna_sgld", "hmc", said.hmc, holds = false, note = "-0.09 +- 0.01: theirs was no leapfrog" },
  { "sgld", "tuna_sgld", note = "0.14 +- 0.01" },
  { "tuna_sgld", "mala", said.full, of = "0.002 seconds", only = "full", holds = false,
    note = "by time; -0.09 +- 0.01 with 64 chains" },
}
claims[#claims + 1] = { arm = "tuna_mh", stat = "rows_drawn", at_most = 450 }

return cs.scenario(kmnist.scenario {
  title  = "Two classes of images",
  shows  = "TunaMH and Tuna-SGLD learn from a few hundred images a step; HMC is not as poor as printed",
  source = "auxiliary, section 5.3, figure 2",
  classes = { 3, 5 }, images = "1601 images for 11,552",
  arms   = kmnist.arms(0.002),
  screen = { "lesson", { "distance", of = "missed" }, { "rows", arm = "tuna_mh" }, "acceptance", "summary" },
  claims = claims,
})
