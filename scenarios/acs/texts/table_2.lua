-- Claims shared by the scenarios of table 2 of the acs paper. The claims are about
-- differences between acs and dmala, at the paper's step and at a small step of dmala.
local measures = {
  { "perplexity", "perplexity", "above" },
  { "self-BLEU", "self_bleu", "below" },
  { "distinct pairs of words", "unique", "above" },
}

-- Returns claims on the statistics of a `sentence`. `rows`: the entries of the paper's
-- table for dmala and acs. `found`: { holds =, note = } for each statistic and for each
-- arm with which acs is compared ("dmala" and "small").
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
