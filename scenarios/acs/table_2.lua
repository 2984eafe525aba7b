-- Filling gaps in a text: table 2 of acs with a small language model.
--
-- Half of the words of a sentence are masked. What may stand in the gaps says a
-- masked language model: each word is judged by the three words on either side of
-- it, other gaps among them, and log p is the sum of the log probabilities of the
-- words in the gaps. A state is a word of 1500 for each gap; the panel `text`
-- shows it as the first chains move.
--
-- The paper has RoBERTa, which no reader runs in a terminal; here the model is
-- fitted to Grimm's tales by `chainscope train words` (100,000 numbers;
-- perplexity 23 on sentences that were held out). Its slopes in one bit
-- a word take one evaluation for all words of all gaps, so that `dmala` and `gwg`
-- work as in the paper: coding = "one_hot".
--
-- `gwg` changes one word a step, `dmala` any number, with the step that the paper
-- gives and with a small one (`small`), `acs` does it in cycles, by the schedule that
-- tuner.acs found here. `gibbs`, which takes 70 times as long for a step, is in
-- table_2_gibbs.lua, with fewer gaps. All make the same number of steps from words at
-- random. The paper found the cyclical sampler's texts more varied, of higher
-- perplexity: self-BLEU is how alike the texts of all chains are, the share of
-- different pairs of words among all falls with it.
local cs = require "chainscope"
local settings = require "paper.settings"
local K = cs.kernel
local gaps = require "texts.gaps"
local claims_of = require "texts.table_2"
local sentence = gaps.of(0.5)

local stuck = "its step of 0.5 accepts 7 % here: texts that stay near the random words they began with"

local no, unsure = { holds = false, note = stuck }, { holds = "cannot tell" }

-- Table 2, Grimm's rows: DMALA, then ACS.
local claims = claims_of(sentence, { "280.82±27.26 ... 369.44±30.85", "41.83±6.85 ... 36.70±6.42", "48.55 ... 53.91" },
  { dmala = { no, no, no }, small = { { note = "where dmala accepts half of its proposals" }, unsure, unsure } })
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
  warmup = 0, -- judged are the texts in the end
  probes = { "trace", "acceptance", only = true },
  full   = { chains = 25, seeds = 5, setting = "a model of 1500 words for RoBERTa, one sentence for 100" },
  printed = settings.texts,
  setting = "a model of 1500 words for RoBERTa, one sentence for 100",
  screen = { "trace", "acceptance", sentence.panel },
  claims = claims,
}
