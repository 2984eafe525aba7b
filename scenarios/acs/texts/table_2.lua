-- Table 2 of acs, acs beside dmala at the paper's step and at a small one, as claims: what its
-- scenarios share.
local measures = {
  { "perplexity", "perplexity", "above" },
  { "self-BLEU", "self_bleu", "below" },
  { "different pairs of words", "unique", "above" },
}

-- Claims of the figures of a `sentence`. `rows`: what the table has for dmala and for acs. `found`:
-- for "dmala" and "small", which acs is compared with, and each figure { holds =, note = }.
return function(sentence, rows, found, data)
  local list = {}
  for _, than in ipairs { "dmala", "small" } do
    for i, m in ipairs(measures) do
      local how = found[than][i]
      list[#list + 1] = { arm = "acs", than = than, stat = m[1], measure = sentence[m[2]], relation = m[3], only = "full",
                          holds = how.holds, note = how.note, data = data, quote = rows[i], where = "table 2" }
    end
  end
  list[#list + 1] = { arm = "acs", than = "dmala", stat = "perplexity", measure = sentence.perplexity, relation = "below", only = "quick" }
  return list
end
