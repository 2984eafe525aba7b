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
local gaps = require "texts.gaps"
local table_2 = require "texts.table_2"
local sentence = gaps.of(0.5)

local stuck = "its step of 0.5 accepts 7 % here: texts that stay near the random words they began with"
local no = { holds = false, note = stuck }

-- Grimm's rows: DMALA, then ACS.
local claims = table_2.claims(sentence, { "280.82±27.26 ... 369.44±30.85", "41.83±6.85 ... 36.70±6.42", "48.55 ... 53.91" }, {
  dmala = { no, no, no },
  small = { { note = "where dmala accepts half of its proposals" }, { holds = "cannot tell" }, { holds = "cannot tell" } },
})
claims[#claims + 1] = { arm = "gwg", stat = "perplexity", measure = sentence.perplexity, at_most = 100 }

return table_2.scenario {
  title  = "Filling gaps in a text",
  shows  = "Words in gaps change one at a time, or many at once",
  source = "acs, section 6.3, appendix D.6, table 2, figure 13",
  tags   = "text categorical cyclical",
  sentence = sentence,
  others = { gwg = cs.kernel.gwg { coding = "one_hot" } },
  claims = claims,
}
