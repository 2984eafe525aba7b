-- Filling the gaps of a sentence with a small language model (table 2 of the acs paper).
--
-- Half of the words of a sentence are masked. A masked language model gives each word a
-- probability from the three words on either side, and log p is the sum of the log
-- probabilities of the words in the gaps. A state assigns one of 1500 words to each gap.
--
-- Watch the panel `text`. `gwg` (Gibbs with gradients) changes one word per step. `dmala`
-- (discrete Metropolis-adjusted Langevin) has the paper's step and changes any number of
-- words; `small` is dmala with a small step. `acs` (the cyclical sampler) has a cycle
-- that its tuner found on this target. In the paper the texts of ACS are more varied than
-- those of DMALA and have a higher perplexity.
-- `gibbs`, whose steps take 70 times as long, is in table_2_gibbs.lua.
local cs = require "chainscope"
local settings = require "paper.settings"
local K = cs.kernel
local gaps = require "texts.gaps"
local claims_of = require "texts.table_2"
local sentence = gaps.of(0.5)

-- The paper uses RoBERTa. The model here is fitted to Grimm's tales by `chainscope train
-- words` (100,000 parameters; perplexity 23 on held-out sentences).
--
-- With coding = "one_hot" one evaluation gives the differences of log p for all words in
-- all gaps, so `dmala` and `gwg` work as in the paper. All arms make the same number of
-- steps from random words. Self-BLEU measures how similar the texts of all chains are. If
-- texts are similar, self-BLEU is high and the share of distinct word pairs is low.
local stuck = "at step 0.5 the acceptance is 7 % here, so texts stay near the random words of the start"

local no, unsure = { holds = false, note = stuck }, { holds = "cannot tell" }

-- Rows of table 2 for Grimm's tales: first DMALA, then ACS.
local claims = claims_of(sentence, { "280.82±27.26 ... 369.44±30.85", "41.83±6.85 ... 36.70±6.42", "48.55 ... 53.91" },
  { dmala = { no, no, no }, small = { { note = "at this step dmala accepts half of its proposals" }, unsure, unsure } })
claims[#claims + 1] = { arm = "gwg", stat = "perplexity", measure = sentence.perplexity, at_most = 100 }

return cs.scenario {
  title  = "Filling gaps in a text",
  shows  = "Words in gaps change one at a time, or many at once",
  source = "acs, section 6.3, appendix D.6, table 2, figure 13",
  tags   = "text categorical cyclical",
  target = sentence.target,
  chains = 16, seed = 1,
  arms   = {
    gwg   = K.gwg { coding = "one_hot" },
    dmala = K.dmala { step = 0.5, coding = "one_hot" },
    small = K.dmala { step = 0.15, coding = "one_hot" },
    acs   = K.dmala { coding = "one_hot",
      step = cs.schedule.cosine { max = 1.53, min = 0.136, period = 20 },
      balance = cs.schedule.cosine { max = 0.85, min = 0.5, period = 20 } },
  },
  budget = { steps = 100 },
  warmup = 0, -- only the final texts are compared
  probes = { "trace", "acceptance", only = true },
  full   = { chains = 25, seeds = 5, setting = "a model of 1500 words instead of RoBERTa, one sentence instead of 100" },
  printed = settings.texts,
  setting = "a model of 1500 words instead of RoBERTa, one sentence instead of 100",
  screen = { "trace", "acceptance", sentence.panel },
  claims = claims,
}
