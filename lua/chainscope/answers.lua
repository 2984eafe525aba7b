-- Answers to the questions of a lesson: reads and marks them, and reads the counts of a class.
local m = ...
local abs = math.abs
local answers = {}
m.answers = answers

local function shown(x)
  if x ~= x then return "unknown" end
  if abs(x) >= 100 then return ("%.0f"):format(x) end
  return ("%.3g"):format(x)
end
answers.shown = shown

-- Returns the names of the answers, and up to which place their order matters.
local function names_of(q)
  if q.order then return q.order, #q.order end
  local names = {}
  for i, c in ipairs(q.choices) do names[i] = c.text end
  return names, 2
end
answers.names_of = names_of

-- ---- reading -------------------------------------------------------------------

local function place_in(list, word)
  local n = math.tointeger(tonumber(word))
  if n and list[n] then return n end
  for i, one in ipairs(list) do
    if one:lower() == word:lower() then return i end
  end
end

local function numbered(list)
  local out = {}
  for i, one in ipairs(list) do out[i] = ("%d %s"):format(i, one) end
  return table.concat(out, ", ")
end

local function read_choice(q, text)
  local names = names_of(q)
  local i = place_in(names, text)
  if not i then m.fail("'" .. text .. "' is not one of the answers", "answer with " .. numbered(names)) end
  return tostring(i)
end

-- Reads numbers or texts of answers, or "none". "toggle 2" adds answer 2 to the answers given
-- before, or removes it.
local function read_several(q, text, before)
  local given, list = {}, {}
  local one = text:match "^toggle (%d)$"
  if one then
    for i in (before or ""):gmatch "%d+" do given[tonumber(i)] = true end
    local i = tonumber(read_choice(q, one))
    given[i] = not given[i]
  elseif text ~= "none" then
    local each = text:find "^[%d%s,]+$" and "%d+" or "[^,]+"
    for word in text:gmatch(each) do given[tonumber(read_choice(q, word:match "^%s*(.-)%s*$"))] = true end
  end
  for i in ipairs(q.choices) do
    if given[i] then list[#list + 1] = tostring(i) end
  end
  return #list > 0 and table.concat(list, " ") or "none"
end

local function read_number(_, text)
  local x = tonumber(text)
  if not x or x - x ~= 0 then m.fail("'" .. text .. "' is not a number", "for example: answer 0.5") end
  return ("%.17g"):format(x)
end

local function read_order(q, text)
  local list, seen = {}, {}
  for word in text:gmatch "[^%s,]+" do
    local i = place_in(q.order, word)
    if not i or seen[i] then
      m.fail(("'%s' %s"):format(word, i and "is named twice" or "is not one of the arms"), "put in order: " .. numbered(q.order))
    end
    seen[i], list[#list + 1] = true, tostring(i)
  end
  if #list ~= #q.order then m.fail(("%d of %d arms are named"):format(#list, #q.order), "put in order: " .. numbered(q.order)) end
  return table.concat(list, " ")
end

local function read_place(q, text)
  local x, y = text:match "^%s*(%S+)[%s,]+(%S+)%s*$"
  x, y = tonumber(x), tonumber(y)
  if not x or not y or x - x ~= 0 or y - y ~= 0 then
    m.fail("'" .. text .. "' is not a place", ("give two numbers, %s and %s"):format(q.place[1], q.place[2]))
  end
  return ("%.17g %.17g"):format(x, y)
end

-- How to answer a question without choices.
answers.forms = { number = "Answer: a number.", several = "Choose all right answers.", order = "Answer: the names in order.", place = "Answer: a place, two numbers." }
answers.readers = { choose = read_choice, several = read_several, number = read_number, order = read_order, place = read_place }

-- Returns an answer in words.
function answers.in_words(q, answer)
  if q.kind == "choose" then return q.choices[tonumber(answer)].text end
  if q.kind == "order" or q.kind == "several" then
    local all, names = names_of(q), {}
    for i in answer:gmatch "%d+" do names[#names + 1] = all[tonumber(i)] end
    return #names > 0 and table.concat(names, ", ") or "none"
  end
  local words = {}
  for x in answer:gmatch "%S+" do words[#words + 1] = shown(tonumber(x)) end
  return table.concat(words, ", ")
end

-- Returns whether an answer is right.
function answers.is_right(q, answer, truth)
  if q.kind == "choose" then return tonumber(answer) == truth.right end
  if q.kind == "several" then return answer == truth.right end
  if q.kind == "number" then return abs(tonumber(answer) - truth.value) <= q.within end
  if q.kind == "place" then
    local x, y = answer:match "(%S+) (%S+)"
    return ((x - truth.point[1]) ^ 2 + (y - truth.point[2]) ^ 2) ^ 0.5 <= q.within
  end
  local k = 0
  for i in answer:gmatch "%d+" do
    k = k + 1
    if q.order[tonumber(i)] ~= truth.order[k] then return false end
  end
  return true
end

-- Returns a right and a wrong answer in the form in which they are stored, for the check of a
-- lesson.
function answers.examples(q, truth)
  if q.kind == "choose" then
    local right = truth.right or 1 -- no answer is right if the truth is in no range
    return tostring(right), tostring(right % #q.choices + 1)
  end
  if q.kind == "several" then return truth.right, read_several(q, "toggle 1", truth.right) end
  if q.kind == "number" then
    return ("%.17g"):format(truth.value), ("%.17g"):format(truth.value + 1.5 * q.within)
  end
  if q.kind == "place" then
    local x, y = truth.point[1], truth.point[2]
    return ("%.17g %.17g"):format(x, y), ("%.17g %.17g"):format(x + 1.5 * q.within, y)
  end
  local list = {}
  for k, name in ipairs(truth.order) do list[k] = tostring(place_in(q.order, name)) end
  local right = table.concat(list, " ")
  list[1], list[2] = list[2], list[1]
  return right, table.concat(list, " ")
end

function answers.feedback(q, answer, mark, truth)
  if mark ~= "wrong" then return nil end
  if q.kind == "several" then
    for i, c in ipairs(q.choices) do -- the first answer that was wrongly chosen or left out
      local given, right = answer:find(tostring(i), 1, true), truth.right:find(tostring(i), 1, true)
      if not given ~= not right and c.say then return c.say end
    end
    return q.wrong
  end
  return q.kind == "choose" and q.choices[tonumber(answer)].say or q.wrong
end

-- ---- votes of a class ----------------------------------------------------------

-- Fails because a text is not the counts of a vote.
local function fail_counts(q, text)
  local names = {}
  for i in ipairs(q.choices) do names[i] = ("%s 12"):format(string.char(64 + i)) end
  m.fail(("class: '%s' are not the counts of %d answers%s"):format(text, #names, q.kind == "several" and ", with the number of voters" or ""),
         (q.kind == "several" and "for example: class %s of 20" or "for example: class %s"):format(table.concat(names, " ")))
end

local function read_count(q, text, count, most)
  count = math.tointeger(tonumber(count))
  if not count or count < 0 or count > most then fail_counts(q, text) end
  return count
end

-- Reads the counts of a class, "A 12, B 7", "1 12 2 7" or, in the order of the answers, "12 7". If
-- several answers can be right, a voter may choose any number of them, and the number of voters
-- follows, "A 12 B 7 of 15": it is the field `of` of the counts.
function answers.counts_of(q, text)
  local counts, n, most = {}, 0, 100000
  for i in ipairs(q.choices) do counts[i] = 0 end
  local rest = text:gsub(",", " ")
  if q.kind == "several" then
    local before, of = rest:match "^(.-)%s+of%s+(%d+)%s*$"
    if not of then fail_counts(q, text) end
    rest, counts.of = before, read_count(q, text, of, most)
    most = counts.of
  end
  local function set(i, count)
    if not counts[i] then fail_counts(q, text) end
    counts[i], n = read_count(q, text, count, most), n + 1
  end
  if rest:find "^[%d%s]+$" then
    for count in rest:gmatch "%d+" do set(n + 1, count) end
    if n ~= #counts then fail_counts(q, text) end
    return counts
  end
  for word, count in rest:gmatch "(%S+)%s*(%S*)" do set(#word == 1 and word:upper():byte() - 64 or 0, count) end
  if n == 0 then fail_counts(q, text) end
  return counts
end
