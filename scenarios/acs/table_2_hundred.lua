-- Filling gaps in a hundred sentences: table 2 of acs, one sentence a seed.
--
-- table_2.lua has one sentence. Here the run of seed k has the k-th of a hundred sentences of
-- Grimm's tales (of 12 to 24 words, texts/grimm_100.json), so that in the full setting figures are
-- means over a hundred sentences, and their errors the spread of these, as in the paper. Half of the
-- words are masked; `dmala` has the step that the paper gives, `small` one that is accepted, `acs` the
-- cycle that its tuner found on the sentence of table_2.lua.
--
-- Of the first sixteen sentences: the texts of acs are less varied than those of dmala at the paper's
-- step (self-BLEU 0.073 +- 0.008 higher, different pairs of words 0.069 +- 0.006 fewer), of a
-- perplexity that is 160 +- 33 lower; beside `small` its perplexity is 9 +- 2 higher, as printed, and of their
-- variety sixteen sentences do not tell (-0.015 +- 0.010, 0.012 +- 0.008).
local cs = require "chainscope"
local settings = require "paper.settings"
local gaps = require "texts.gaps"
local claims_of = require "texts.table_2"
local K = cs.kernel

local sentences
local function of_seed(seed)
  sentences = sentences or cs.read_json "texts/grimm_100.json"
  return gaps.target(0.5, sentences[(seed - 1) % #sentences + 1])
end
local sentence = gaps.of(0.5, of_seed)
local no, unsure = { holds = false }, { holds = "cannot tell" }

-- Table 2, Grimm's rows: DMALA, then ACS.
local claims = claims_of(sentence, { "280.82±27.26 ... 369.44±30.85", "41.83±6.85 ... 36.70±6.42", "48.55 ... 53.91" },
  { dmala = { no, no, no }, small = { { holds = true }, unsure, unsure } })

return cs.scenario {
  title  = "Filling gaps in a hundred sentences",
  shows  = "Sentences differ more than samplers do",
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
  warmup = 0, -- judged are the texts in the end
  probes = { "trace", "acceptance", only = true },
  full   = { chains = 25, seeds = 100, setting = "a model of 1500 words for RoBERTa" },
  printed = settings.texts,
  setting = "a model of 1500 words for RoBERTa, one sentence for 100",
  screen = { "trace", "acceptance", sentence.panel },
  claims = claims,
}
