-- A sentence with masked words (gaps), and statistics of the words in the gaps. The
-- scenarios of table 2 of the acs paper share this module.
local cs = require "chainscope"
local gaps = {}

local tale = "once upon a time there was a king who had a beautiful daughter , and she had a golden ball ."

-- Returns a target: a sentence with a share of its words masked, under a language model.
-- The defaults are the sentence above and a model of Grimm's tales.
function gaps.target(share, sentence, file)
  return cs.target.masked_words { file = file or "grimm_words.txt.gz", share = share, seed = 4, sentence = sentence or tale }
end

-- Returns a table: a target, statistics of an arm, and a panel. If the function
-- make(seed) is given, the target is the last result of make. Otherwise the target has
-- the default sentence.
function gaps.of(share, make)
  local last
  local function of_seed(seed)
    last = make(seed)
    return last
  end
  local target = make and of_seed or gaps.target(share)

  local function text_of(chain)
    return (last or target):read(chain:state())
  end

  -- Returns a statistic of the current texts of an arm's chains, its jackknife error, and
  -- the degrees of freedom.
  local function texts(arm, figure)
    local list, sum, square = {}, 0, 0
    for i, chain in ipairs(arm.chains) do list[i] = text_of(chain) end
    local n = #list
    for i = 1, n do
      local kept = table.remove(list, i)
      local x = figure(list)
      table.insert(list, i, kept)
      sum, square = sum + x, square + x * x
    end
    return figure(list), math.sqrt(math.max(0, square / n - (sum / n) ^ 2) * (n - 1)), n - 1
  end

  local sentence = { target = target }
  function sentence.self_bleu(arm) return texts(arm, cs.self_bleu) end
  function sentence.unique(arm) return texts(arm, cs.unique_ngrams) end

  -- Returns the exponential of minus the mean log probability of a word in a gap.
  function sentence.perplexity(arm)
    local sum, square, n = 0, 0, #arm.chains
    for _, chain in ipairs(arm.chains) do
      local x = -chain:state().log_density / #chain:state()
      sum, square = sum + x, square + x * x
    end
    local p = math.exp(sum / n)
    return p, p * math.sqrt(math.max(0, square / n - (sum / n) ^ 2) / (n - 1)), n - 1
  end

  -- Displays the current text of the first chain of each arm.
  sentence.panel = cs.panel {
    name = "text", title = "text of the first chain of each arm",
    table = function(run)
      local lines = {}
      for _, arm in ipairs(run.arms) do
        local line = ("%-6s"):format(arm.name .. ":")
        for word in text_of(arm.chains[1]):gmatch "%S+" do
          if #line + #word > 75 then lines[#lines + 1], line = line, (" "):rep(6) end
          line = line .. " " .. word
        end
        lines[#lines + 1] = line
      end
      return lines
    end }
  return sentence
end

return gaps
