-- Table 2 of acs: gaps in texts, filled by dmala, at the paper's step and at a small one, and by
-- acs. What its scenarios share.
local cs = require "chainscope"
local settings = require "paper.settings"
local K = cs.kernel
local table_2 = {}

-- The arms; `more`: others.
local function arms_of(more)
  local arms = {
    dmala = K.dmala { step = 0.5, coding = "one_hot" },
    small = K.dmala { step = 0.15, coding = "one_hot" },
    acs   = K.dmala { coding = "one_hot",
      step = cs.schedule.cosine { max = 1.53, min = 0.136, period = 20 },
      weight = cs.schedule.cosine { max = 0.85, min = 0.5, period = 20 } },
  }
  for name, kernel in next, more or {} do arms[name] = kernel end
  return arms
end

-- The figures of the table: what acs is of dmala.
local measures = {
  { "perplexity", "perplexity", "above" },
  { "self-BLEU", "self_bleu", "below" },
  { "different pairs of words", "unique", "above" },
}

-- Claims of the figures of a sentence. `rows`: what the table has for dmala and for acs. `said`: of
-- "dmala" and "small", beside which acs stands, for each figure { holds =, note = }.
function table_2.claims(sentence, rows, said, data)
  local list = {}
  for _, than in ipairs { "dmala", "small" } do
    for i, m in ipairs(measures) do
      local found = said[than][i]
      list[#list + 1] = { arm = "acs", than = than, stat = m[1], measure = sentence[m[2]], relation = m[3], only = "full",
                          holds = found.holds, note = found.note, data = data, quote = rows[i], where = "table 2" }
    end
  end
  list[#list + 1] = { arm = "acs", than = "dmala", stat = "perplexity", measure = sentence.perplexity, relation = "below", only = "quick" }
  return list
end

-- A scenario of a `sentence`; `others`: more arms.
function table_2.scenario(fields)
  local sentence = fields.sentence
  fields.target = sentence.target
  fields.arms = arms_of(fields.others)
  fields.sentence, fields.others = nil, nil
  fields.chains, fields.seed = 16, 1
  fields.budget = { steps = 100 }
  fields.warmup = 0 -- judged are the texts in the end
  fields.probes = { "trace", "acceptance", only = true }
  fields.printed = settings.texts
  fields.setting = "a model of 1500 words for RoBERTa, one sentence for 100"
  fields.full = fields.full or { chains = 25, seeds = 5, setting = fields.setting }
  fields.screen = { "trace", "acceptance", sentence.panel }
  return cs.scenario(fields)
end

return table_2
