-- Filling a few gaps of a sentence word by word, by Gibbs sampling.
--
-- The sentence and the language model are those of table_2.lua (table 2 of the acs paper,
-- Pynadath et al. 2024), but only a fifth of the words are masked. `gibbs` draws the word
-- of a gap from its exact conditional distribution. Each draw needs log p with each of
-- 1500 words, and each log p needs the scores of all 1500 words in every gap nearby. A
-- step of 4 chains takes 45 ms. In the gradient samplers `gwg`, `dmala` and `acs` one
-- evaluation gives the differences of all words in all gaps, and a step takes 0.9 ms.
--
-- Watch the table of `race` and the last line of the summary: both compare arms at equal
-- work. After the same number of steps the perplexities do not differ significantly. The
-- texts of `gibbs` are slightly more varied than those of `gwg`, at a far higher cost.
local cs = require "chainscope"
local settings = require "paper.settings"
local K = cs.kernel
local gaps = require "texts.gaps"
local sentence = gaps.of(0.2)

-- Times are for one core with AVX2. With half of the words masked and 16 chains, as in
-- table_2.lua, a step of gibbs takes 480 ms and a step of the others 7 ms. After 200
-- steps of 25 chains, over five seeds, the perplexities differ by no more than their
-- errors (the perplexities of gibbs and gwg by 1.6 +- 1.3). The self-BLEU (similarity
-- of texts) of gibbs is 0.027 +- 0.007 lower than that of gwg.
local function per_step(arm) return arm.evaluations / arm.steps / #arm.chains, 0 end

return cs.scenario {
  title  = "Filling a few gaps by Gibbs",
  shows  = "An exact draw of one word takes the time of fifty gradient steps",
  source = "acs, section 6.3, appendix D.6, table 2",
  tags   = "text categorical gibbs",
  target = sentence.target,
  chains = 4, seed = 1,
  arms   = {
    gibbs = K.gibbs {},
    gwg   = K.gwg { coding = "one_hot" },
    dmala = K.dmala { step = 0.15, coding = "one_hot" },
    acs   = K.dmala { coding = "one_hot",
      step = cs.schedule.cosine { max = 1.53, min = 0.136, period = 20 },
      balance = cs.schedule.cosine { max = 0.85, min = 0.5, period = 20 } },
  },
  budget = { steps = 60 },
  warmup = 0, -- only the final texts are compared
  probes = { "trace", "acceptance", only = true },
  full   = { chains = 25, budget = { steps = 200 }, seeds = 5, setting = "a model of 1500 words instead of RoBERTa, one sentence with 5 gaps instead of 100" },
  printed = settings.texts,
  setting = "a model of 1500 words instead of RoBERTa, one sentence with 5 gaps instead of 100",
  screen = { "trace", "acceptance", sentence.panel },
  claims = {
    { arm = "gibbs", stat = "evaluations per step", measure = per_step, at_least = 100 },
    { arm = "gibbs", than = "gwg", stat = "perplexity", measure = sentence.perplexity, relation = "below", only = "full", holds = "cannot tell" },
    { arm = "gibbs", than = "dmala", stat = "perplexity", measure = sentence.perplexity, relation = "below", only = "full", holds = "cannot tell" },
    { arm = "gibbs", than = "acs", stat = "perplexity", measure = sentence.perplexity, relation = "below", only = "full", holds = "cannot tell" },
    { arm = "gibbs", than = "gwg", stat = "self-BLEU", measure = sentence.self_bleu, relation = "below", only = "full" },
    { arm = "gibbs", than = "gwg", stat = "distinct pairs of words", measure = sentence.unique, relation = "above", only = "full", holds = "cannot tell" },
  },
}
