-- Diversity measures of generated sentences. Words are separated by blanks; brackets around a
-- filled-in word are ignored.
local m = ...
local core, cs = m.core, m.cs
local located = core.located
local exp, log, min = math.exp, math.log, math.min

local function words_of(text)
  if type(text) ~= "string" then m.fail("a sentence must be a string, not a " .. core.kind(text), "give a list of strings") end
  local list = {}
  for word in text:gmatch "%S+" do list[#list + 1] = word:match "^%[(.+)%]$" or word end
  return list
end

local function read(list)
  if type(list) ~= "table" or #list == 0 then
    m.fail("the list of sentences is empty", "give a list of strings")
  end
  local out = {}
  for i, text in ipairs(list) do
    out[i] = words_of(text)
    if #out[i] == 0 then m.fail(("sentence %d has no words"):format(i), "leave it out") end
  end
  return out
end

-- Counts each n-gram of a sentence; returns the counts and the sum of the counts.
local function count(words, n)
  local of, all = {}, 0
  for i = 1, #words - n + 1 do
    local run = table.concat(words, " ", i, i + n - 1)
    of[run] = (of[run] or 0) + 1
    all = all + 1
  end
  return of, all
end

local function check_order(n, default)
  return n == nil and default or m.check_number("n", n, { whole = true, min = 1, max = 8 })
end

-- Returns the share of distinct n-grams among all n-grams.
cs.unique_ngrams = located(function(list, n)
  local seen, different, all = {}, 0, 0
  n = check_order(n, 2)
  for _, words in ipairs(read(list)) do
    local of, k = count(words, n)
    all = all + k
    for run in next, of do
      if not seen[run] then seen[run], different = true, different + 1 end
    end
  end
  return all > 0 and different / all or 0 / 0
end)

-- Returns the BLEU (Papineni and others 2002) of a sentence against the others. For each length
-- from 1 to n words, it takes the share of the sentence's n-grams that also occur in another
-- sentence (each n-gram is counted at most as often as it occurs there). BLEU is the geometric
-- mean of these shares, times a penalty if the sentence is shorter than the other sentence of
-- nearest length. For n > 1, one is added to numerator and denominator (Lin and Och 2004).
local function bleu(counts, at, n)
  local own, sum, nearest = counts[at], 0, nil
  for k = 1, n do
    local hits = 0
    for run, times in next, own[k].of do
      local most = 0
      for j = 1, #counts do
        if j ~= at then most = math.max(most, counts[j][k].of[run] or 0) end
      end
      hits = hits + min(times, most)
    end
    local add = k > 1 and 1 or 0
    sum = sum + log((hits + add) / (own[k].all + add)) / n
  end
  for j = 1, #counts do
    local off = math.abs(counts[j].length - own.length)
    if j ~= at and (not nearest or off < math.abs(nearest - own.length)) then nearest = counts[j].length end
  end
  return exp(sum) * (own.length >= nearest and 1 or exp(1 - nearest / own.length))
end

-- Returns the mean over all sentences of the BLEU of a sentence against all others (Zhu and
-- others, Texygen, 2018). It is 1 if all sentences are equal.
cs.self_bleu = located(function(list, n)
  local counts, sum = {}, 0
  n = check_order(n, 4)
  for i, words in ipairs(read(list)) do
    counts[i] = { length = #words }
    for k = 1, n do
      local of, all = count(words, k)
      counts[i][k] = { of = of, all = all }
    end
  end
  if #counts < 2 then m.fail("self_bleu needs at least two sentences", "give two or more sentences") end
  for i = 1, #counts do sum = sum + bleu(counts, i, n) end
  return sum / #counts
end)
