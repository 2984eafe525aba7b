-- Filling the gaps of a film review from the data set SST-2 (table 2 of the acs paper).
--
-- This is table_2.lua with a sentence of SST-2 and a language model of its phrases. Fit
-- the model yourself to the first column of SST-2's train.tsv, one phrase per line:
--     chainscope train words --data phrases.txt --set words=1500 --set epochs=2 --out sst2_words.txt.gz
-- Put the file into the folder CHAINSCOPE_DATA as text/sst2_words.txt.gz. Without this
-- file the model of Grimm's tales is used, and no claim of the paper is tested.
--
-- Over five seeds the perplexity of `acs` (cyclical sampler) is 188 +- 13 below that of
-- `dmala` (discrete Metropolis-adjusted Langevin) at the paper's step of 0.5, and 13 +- 6
-- above that of `small` (dmala, small step). Differences in variety are not significant.
local cs = require "chainscope"
local settings = require "paper.settings"
local gaps = require "texts.gaps"
local claims_of = require "texts.table_2"
local K = cs.kernel

local file = "text/sst2_words.txt.gz"
local here = cs.has_data(file)
local sentence = gaps.of(0.5, function()
  return gaps.target(0.5, "allows us to hope that nolan is poised to embark a major career as a commercial yet inventive filmmaker .",
                     here and file or nil)
end)
local no, unsure = { holds = false }, { holds = "cannot tell" }

-- Rows of table 2 for SST-2: first DMALA, then ACS.
local claims = claims_of(sentence, { "256.66±10.53 ... 307.05±14.84", "37.47±.79 ... 32.42±.75", "57.68 ... 62.54" },
  { dmala = { no, no, no }, small = { unsure, unsure, unsure } }, file)

return cs.scenario {
  title  = "Filling gaps in a review",
  shows  = "On other sentences the order is the same: the step size decides",
  source = "acs, section 6.3, appendix D.6, table 2",
  tags   = "text categorical cyclical",
  target = sentence.target,
  chains = 16, seed = 1,
  arms   = {
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
