-- Goes through the steps of a lesson (the field `course` of a scenario). The session sends requests
-- and gets lines "key<tab>value": the state of the lesson for the screen, and for the key `do`
-- commands that the session executes. The truth of a question is measured on the run, or on a copy
-- of it.
local m = ...
local core = m.core
local abs, huge = math.abs, math.huge

-- Maximum number of seconds for a copy of a run.
local patience = 60
-- Number of standard errors between two answers from which on a question is decided.
local decided_by = 3

-- The open lesson: its steps, the number of the present step (`i`), the run's step when each step
-- began (`at`), the steps that `run` has made (`ran`), the sentences (`said`), the answers,
-- the counts of a class (`votes`: lists of counts of the first and the second vote) and the results
-- by the number of the question's step, and measurements on copies (`copies`).
local lesson

local function shown(x)
  if x ~= x then return "unknown" end
  if abs(x) >= 100 then return ("%.0f"):format(x) end
  return ("%.3g"):format(x)
end

-- ---- copies ----------------------------------------------------------------

-- Returns the changes of the lesson up to its present step, each with the run's step at which it is
-- made, and the step that the run has then reached.
local function path_of()
  local path, steps = {}, 0
  for k = 1, lesson.i do
    local step = lesson.steps[k]
    if step.set then path[#path + 1] = { at = steps, set = step.set } end
    if step.run then steps = steps + math.floor(step.stop and lesson.ran[k] or step.run) end
  end
  return path, steps
end

-- Returns a text that is the same for truths that can be measured on the same copy.
local function key_of(path, truth, now, to)
  local words = { ("%d"):format(to), truth.set and ("%d %s"):format(now, truth.set) or "" }
  for _, one in ipairs(path) do words[#words + 1] = ("%d %s"):format(one.at, one.set) end
  for _, x in ipairs(truth.start or {}) do words[#words + 1] = table.concat(x, " ") end
  return table.concat(words, "\n")
end

-- Returns a copy of the run that has gone through the steps of the lesson, and then to `truth.at`.
-- Changes that the user made are not in it, so that the truth of a lesson is that of its file.
local function copy_of(run, truth)
  core.extend(patience)
  local memory = core.run_memory(run)
  local t = memory.described
  local path, now = path_of()
  local to = math.floor(truth.at == "end" and memory.budget.steps or truth.at)
  local key = key_of(path, truth, now, to)
  if lesson.copy and lesson.copy.key == key then return lesson.copy.run end
  lesson.copy = nil
  if truth.start then
    local other = {}
    for k, v in next, t do other[k] = v end
    other.start, t = truth.start, other
  end
  local copy = m.open("open", t, memory.sets)
  for _, one in ipairs(path) do
    copy:step(one.at - copy.steps)
    copy:set(one.set)
  end
  if truth.set then
    copy:step(math.max(now - copy.steps, 0))
    copy:set(truth.set)
  end
  copy:step(math.max(to - copy.steps, 0))
  lesson.copy = { key = key, run = copy }
  return copy
end

-- ---- truth -----------------------------------------------------------------

local function fail_unknown(what, reason)
  m.fail(what .. " is not known here: " .. (reason or "no steps were run"))
end

-- The error of a figure: 0 for a count, NaN if it is not known.
local function error_of(j)
  if j.counted and not (j.error == j.error) then return 0 end
  return j.error
end

local function number_truth(run, truth)
  local arm = truth.arm or run.arms[1].name
  local j = m.measure_claim(run, { arm = arm, stat = truth.figure, of = truth.of,
                                   less_than = truth.less_than, ratio_to = truth.ratio_to })
  if j.value ~= j.value then fail_unknown(truth.figure .. " by " .. arm, j.reason) end
  return { value = j.value, error = error_of(j), text = shown(j.value) }
end

local function decision_truth(run, truth)
  local info = run:arm(truth.arm or 1):chain(truth.chain or 1):info()
  local value = rawget(info, truth.decision)
  if value == nil or value ~= value then fail_unknown("`" .. truth.decision .. "`") end
  if type(value) == "boolean" then return { flag = value } end
  return { value = value, error = 0, text = shown(value) }
end

-- Measures a figure of the named arms. Returns them in order, and the smallest number of standard
-- errors between neighbours up to place `upto`.
local function arms_truth(run, truth, names, upto)
  local list, figure = {}, truth.largest or truth.smallest
  for i, name in ipairs(names) do
    local j = m.measure_figure(run, run:arm(name), figure, truth.of)
    if j.value ~= j.value then fail_unknown(figure .. " by " .. name, j.reason) end
    list[i] = { name = name, value = j.value, error = error_of(j) }
  end
  table.sort(list, function(a, b)
    if truth.largest then return a.value > b.value end
    return a.value < b.value
  end)
  local margin, words, order = huge, {}, {}
  for i, one in ipairs(list) do
    order[i], words[i] = one.name, ("%s (%s)"):format(one.name, shown(one.value))
    if i > 1 and i <= upto then
      local before = list[i - 1]
      local error = math.sqrt(one.error ^ 2 + before.error ^ 2)
      local apart = abs(one.value - before.value)
      local errors = apart == 0 and 0 or error == 0 and huge or apart / error
      margin = errors == errors and math.min(margin, errors) or 0
    end
  end
  return { order = order, margin = margin, text = table.concat(words, ", ") }
end

local function state_truth(run, truth, place)
  local row = run:arm(truth.arm or 1):chain(truth.state):shown()
  local point, words = {}, {}
  for i, of in ipairs(place) do
    point[i] = row[m.find_coordinate(core.run_coordinates(run), of)]
    words[i] = shown(point[i])
  end
  return { point = point, text = table.concat(words, ", ") }
end

local function names_of(q)
  if q.order then return q.order, #q.order end
  local names = {}
  for i, c in ipairs(q.choices) do names[i] = c.text end
  return names, 2
end

local function measure(run, q)
  local truth = q.truth
  if truth.figure then return number_truth(run, truth) end
  if truth.decision then return decision_truth(run, truth) end
  if truth.state then return state_truth(run, truth, q.place) end
  return arms_truth(run, truth, names_of(q))
end

-- ---- right answers -----------------------------------------------------------

local function nearest(q, x)
  local best, next_one = 1, huge
  for i, c in ipairs(q.choices) do
    if abs(c.number - x) < abs(q.choices[best].number - x) then best = i end
  end
  for i, c in ipairs(q.choices) do -- the nearest point at which another answer is right
    if i ~= best then next_one = math.min(next_one, abs((c.number + q.choices[best].number) / 2 - x)) end
  end
  return best, next_one
end

local function by_range(q, x)
  local found, count, edge = nil, 0, huge
  for i, c in ipairs(q.choices) do
    local low, high = c.at_least or -huge, c.at_most or huge
    if x >= low and x <= high then found, count = i, count + 1 end
    edge = math.min(edge, abs(x - low), abs(x - high))
  end
  return count == 1 and found or nil, edge
end

-- Adds to the truth of a question of the kind `choose` the number of the right answer.
local function choose_right(q, truth)
  if truth.flag ~= nil then
    truth.right, truth.margin = truth.flag and 1 or 2, huge
    truth.text = q.choices[truth.right].text
  elseif truth.order then
    for i, c in ipairs(q.choices) do
      if c.text == truth.order[1] then truth.right = i end
    end
  else
    local edge
    if q.choices[1].number then truth.right, edge = nearest(q, truth.value) else truth.right, edge = by_range(q, truth.value) end
    truth.margin = truth.error == 0 and huge or edge / truth.error
  end
end

-- Measures the truths of the answers of a question with several right answers. `right` has the
-- numbers of the right ones.
local function several_truth(run, q)
  local right, words, margin = {}, {}, huge
  for i, c in ipairs(q.choices) do
    local one = number_truth(c.truth.at and copy_of(run, c.truth) or run, c.truth)
    local low, high = c.at_least or -huge, c.at_most or huge
    local errors = one.error == 0 and huge or math.min(abs(one.value - low), abs(one.value - high)) / one.error
    margin = errors == errors and math.min(margin, errors) or 0
    if one.value >= low and one.value <= high then right[#right + 1] = tostring(i) end
    words[i] = ("%s (%s)"):format(c.text, one.text)
  end
  return { right = #right > 0 and table.concat(right, " ") or "none", margin = margin, text = table.concat(words, ", ") }
end

-- Measures the truth of the question of step k, with what follows from it: `right` (the number of
-- the answer), `margin` (standard errors to the next answer) and `decided`.
local function truth_of(run, k)
  local q = lesson.steps[k].question
  if lesson.copies[k] then return lesson.copies[k] end
  local truths, at = m.truths_of(q), true
  for _, one in ipairs(truths) do at = at and one.at end
  local truth = q.kind == "several" and several_truth(run, q) or measure(at and copy_of(run, q.truth) or run, q)
  if q.kind == "choose" then choose_right(q, truth) end
  if q.kind == "number" then
    truth.margin = truth.error == 0 and huge or q.within / truth.error
  end
  truth.margin = truth.margin or huge
  truth.decided = truth.margin >= decided_by and (q.kind ~= "choose" or truth.right ~= nil)
  if at then lesson.copies[k] = truth end
  return truth
end

-- ---- answers -----------------------------------------------------------------

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
local forms = { number = "Answer: a number.", several = "Choose all right answers.", order = "Answer: the names in order.", place = "Answer: a place, two numbers." }
local readers = { choose = read_choice, several = read_several, number = read_number, order = read_order, place = read_place }

-- Returns an answer in words.
local function in_words(q, answer)
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
local function is_right(q, answer, truth)
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
local function examples(q, truth)
  if q.kind == "choose" then return tostring(truth.right), tostring(truth.right % #q.choices + 1) end
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

local function feedback(q, answer, mark, truth)
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

-- ---- steps -------------------------------------------------------------------

-- Returns the number of the step with the question that is open at step i, or that step i reveals.
local function question_at(i)
  for k = i, 1, -1 do
    if lesson.steps[k].question then return k end
    if lesson.steps[k].reveal and k < i then return nil end
  end
end

-- Replaces the figures in a text by their values at this step.
local function filled(run, text, truth)
  return (text:gsub("{([^{}]*)}", function(mark)
    if mark == "truth" then return truth and truth.text or "unknown" end
    local figure, arm, of = m.mark_of(mark)
    return shown(m.measure_figure(run, run:arm(arm), figure, of).value)
  end))
end

-- Stores the result of the question that step i reveals.
local function reveal(run, i)
  local k = question_at(i)
  local q, answer = lesson.steps[k].question, lesson.answers[k]
  local truth = truth_of(run, k)
  local mark = not truth.decided and "open" or answer and (is_right(q, answer.now, truth) and "right" or "wrong") or "none"
  local right, wrong = examples(q, truth)
  local first = truth.decided and answer and (is_right(q, answer.first, truth) and "right" or "wrong") or "none"
  lesson.results[k] = { mark = mark, first = first, truth = truth.text, margin = truth.margin, right = right, wrong = wrong,
                        say = answer and feedback(q, answer.now, mark, truth) }
  return truth
end

-- Returns the number of steps until the decision that ends step i: the next proposal that is
-- rejected or accepted. It is found on a copy of the run at the step before.
local function steps_to_decision(run, i)
  local step = lesson.steps[i]
  lesson.i = i - 1
  local _, now = path_of()
  local ok, copy = pcall(copy_of, run, { at = now })
  lesson.i, lesson.copy = i, nil
  if not ok then error(copy, 0) end
  if step.set then copy:set(step.set) end
  for n = 1, step.run do
    copy:step(1)
    local info = copy:arm(step.arm or 1):chain(1):info()
    if info.accepted == (step.stop == "accept") then return n end
  end
  return math.floor(step.run)
end

-- Performs step i. Returns the commands for the session.
local function enter(run, i)
  local step, commands = lesson.steps[i], {}
  local truth
  lesson.i, lesson.broken, lesson.skip = i, nil, nil
  lesson.at[i] = run.steps
  if step.reveal then truth = reveal(run, i) end
  lesson.text = filled(run, step.say or step.reveal or "", truth)
  if step.say and step.reveal then lesson.text = filled(run, step.reveal, truth) .. " " .. lesson.text end
  lesson.said[i] = lesson.text
  if step.arm then commands[#commands + 1] = "look " .. step.arm end
  if step.set then commands[#commands + 1] = "set " .. step.set end
  if step.run then
    commands[#commands + 1] = ("speed %.17g"):format(step.speed or 0)
    local decides = step.stop and m.is_decision(step.stop)
    if step.stop and not decides then commands[#commands + 1] = "break " .. step.stop end
    commands[#commands + 1] = ("run %d"):format(decides and steps_to_decision(run, i) or math.floor(step.run))
  end
  return commands
end

local function panel_word(panel)
  if type(panel) ~= "table" then return panel end
  local word, of = panel[1], panel.quantity
  if type(of) == "table" then of = table.concat(of, ",") end
  if of then word = word .. "=" .. of end
  if panel.arm then word = word .. "@" .. panel.arm end
  return word
end

-- Returns the panels at step i, as words.
local function panels_at(run, i)
  local list = core.run_memory(run).screen
  for k = 1, i do list = lesson.steps[k].show or list end
  local words, reads = {}, false
  for k, panel in ipairs(list or {}) do
    words[k] = panel_word(panel)
    reads = reads or words[k] == "lesson"
  end
  if not reads then table.insert(words, 1, "lesson") end -- the sentences are always shown
  return table.concat(words, " ")
end

-- ---- the state in lines --------------------------------------------------------

local function points()
  local got, of = 0, 0
  for k, step in ipairs(lesson.steps) do
    local answer, result = lesson.answers[k], lesson.results[k]
    if step.question then of = of + 2 end
    if answer and result then got = got + 1 + (result.mark == "right" and 1 or 0) end
  end
  return got, of
end

local function add_point(put, point)
  if not point then return end
  put("point/word", point.word)
  if point.arm then put("point/arm", point.arm) end
  if point.x then put("point/x", ("%.17g %.17g"):format(point.x[1], point.x[2])) end
  if point.value then put("point/value", ("%.17g"):format(point.value)) end
end

-- Returns the names of the figures that a question covers.
local function covers_of(q)
  local covers = { table.unpack(q.cover) }
  for _, truth in ipairs(m.truths_of(q)) do
    covers[#covers + 1] = truth.figure or truth.largest or truth.smallest or truth.decision and "decision"
  end
  return table.concat(covers, " ")
end

local function add_question(put, k, open)
  local q, answer, result = lesson.steps[k].question, lesson.answers[k], lesson.results[k]
  put("ask", q.text)
  put("asked", k)
  put("kind", q.kind)
  put("choices", (q.choices or q.order) and table.concat((names_of(q)), "\r") or "")
  if q.place then put("place", table.concat(q.place, " ")) end
  if answer then put("answer", in_words(q, answer.now)) end
  if answer and q.choices then put("chosen", answer.now) end
  local votes = lesson.votes[k]
  if votes and not open then
    put("votes", table.concat(votes[1], " "))
    if votes[2] then put("votes_second", table.concat(votes[2], " ")) end
  end
  if answer and answer.first ~= answer.now then put("first", in_words(q, answer.first)) end
  if open then put("covers", covers_of(q))
  elseif result then
    put("truth", result.truth)
    put("mark", result.mark)
    put("margin", ("%.3g"):format(result.margin))
    put("right", result.right)
    put("wrong", result.wrong)
    if result.say then put("because", result.say) end
  end
end

-- Returns the next question after step i whose answer is not revealed, or nil.
local function coming(i)
  for k = i + 1, #lesson.steps do
    if lesson.steps[k].question and not lesson.results[k] then return lesson.steps[k].question end
  end
end

-- Returns the lines that describe the present step.
local function state(run, commands)
  local lines, step = {}, lesson.steps[lesson.i]
  local function put(key, value) lines[#lines + 1] = key .. "\t" .. tostring(value):gsub("[\n\t]", " ") end
  put("step", lesson.i)
  put("of", #lesson.steps)
  put("text", lesson.text)
  put("panels", panels_at(run, lesson.i))
  local k = question_at(lesson.i)
  if lesson.broken and step.reveal then k = nil end -- its truth is not known
  local asks = k and not step.reveal and not lesson.over
  if k then add_question(put, k, asks) end
  local later = not asks and coming(lesson.i)
  if later then put("coming", covers_of(later)) end
  add_point(put, step.point)
  if lesson.broken then put("broken", lesson.broken) end
  if lesson.over then put("over", 1) end
  local got, of = points()
  put("points", ("%d %d"):format(got, of))
  for _, one in ipairs(commands or {}) do put("do", one) end
  return table.concat(lines, "\n")
end

-- ---- requests ------------------------------------------------------------------

-- Performs step i. A step that fails is reported, and the next step is still possible.
local function attempt(run, i, commands)
  local ok, more = pcall(enter, run, i)
  if not ok then
    lesson.broken = ("step %d of the lesson failed: %s"):format(i, tostring(more))
    lesson.text, more = "", {}
  end
  return table.move(more, 1, #more, #commands + 1, commands)
end

local function start(run)
  local course = core.run_memory(run).course
  lesson = nil
  if not course then return "" end
  local t = core.run_memory(run).described
  local arms = {}
  for i = 1, #run.arms do arms[i] = { name = run.arms[i].name } end
  local copy = setmetatable({ target = core.run_memory(run).target }, { __index = t })
  lesson = { steps = m.course_of(copy, arms, function() end), i = 1, at = {}, ran = {}, said = {}, answers = {}, votes = {}, results = {}, copies = {} }
  return state(run, attempt(run, 1, {}))
end

-- Returns the commands that leave the present step.
local function leave(run)
  local step = lesson.steps[lesson.i]
  lesson.ran[lesson.i] = math.max(run.steps - (lesson.at[lesson.i] or 0), 0)
  return step.stop and not m.is_decision(step.stop) and { "break off" } or {}
end

local function forward(run)
  local k = question_at(lesson.i)
  local asks = lesson.steps[lesson.i].question and not lesson.answers[k]
  if asks and lesson.skip ~= lesson.i then
    lesson.skip = lesson.i
    m.fail("no answer yet", "answer it, or press enter again to leave it out")
  end
  if k and lesson.answers[k] then lesson.answers[k].complete = true end
  if lesson.i == #lesson.steps then
    lesson.over = true
    return state(run, {})
  end
  return state(run, attempt(run, lesson.i + 1, leave(run)))
end

local function back(run)
  local i = lesson.i
  if lesson.over then
    lesson.over = nil
    return state(run, {})
  end
  if i == 1 then m.fail("this is the first step of the lesson") end
  local commands, at = leave(run), lesson.at[i]
  local k = lesson.steps[i].reveal and question_at(i)
  if k then lesson.results[k] = nil end
  if at and run.steps ~= at then commands[#commands + 1] = ("rewind to %d"):format(at) end
  if lesson.steps[i].set and not lesson.broken then commands[#commands + 1] = "undo" end
  lesson.i, lesson.broken, lesson.skip = i - 1, nil, nil
  local step = lesson.steps[i - 1]
  if step.reveal then pcall(reveal, run, i - 1) end
  local seen = question_at(i - 1)
  local result = step.reveal and seen and lesson.results[seen]
  lesson.text = filled(run, step.say or step.reveal or "", result and { text = result.truth })
  return state(run, commands)
end

local function answer(run, text)
  local k = question_at(lesson.i)
  if not k or lesson.steps[lesson.i].reveal then m.fail("no question is open at this step", "press enter for the next step") end
  local q = lesson.steps[k].question
  local before = lesson.answers[k]
  local now = readers[q.kind](q, text:match "^%s*(.-)%s*$", before and before.now)
  -- an answer of several parts is complete at the next step
  local first = before and (q.kind ~= "several" or before.complete) and before.first
  lesson.answers[k] = { first = first or now, now = now, complete = before and before.complete }
  return state(run, {})
end

-- Reads the counts of a class, "A 12, B 7", "1 12 2 7" or, in the order of the answers, "12 7".
local function counts_of(q, text)
  local counts, names, n = {}, {}, 0
  for i in ipairs(q.choices) do counts[i], names[i] = 0, ("%s 12"):format(string.char(64 + i)) end
  local function set(i, count)
    count = math.tointeger(tonumber(count))
    if not counts[i] or not count or count < 0 or count > 100000 then
      m.fail(("class: '%s' are not the counts of %d answers"):format(text, #counts), "for example: class " .. table.concat(names, " "))
    end
    counts[i], n = count, n + 1
  end
  local rest = text:gsub(",", " ")
  if rest:find "^[%d%s]+$" then
    for count in rest:gmatch "%d+" do set(n + 1, count) end
    if n ~= #counts then set(0) end
    return counts
  end
  for word, count in rest:gmatch "(%S+)%s*(%S*)" do set(#word == 1 and word:upper():byte() - 64 or 0, count) end
  if n == 0 then set(0) end
  return counts
end

-- Stores the counts of a vote. A second call for the same question is its second vote.
local function class(run, text)
  local k = question_at(lesson.i)
  if not k or lesson.steps[lesson.i].reveal then m.fail("class: no question is open at this step") end
  local q = lesson.steps[k].question
  if q.kind ~= "choose" then m.fail("class: votes are counted for a question with one right answer of several") end
  if text:match "^%s*none%s*$" then
    lesson.votes[k] = nil
    return state(run, {})
  end
  local counts, before = counts_of(q, text), lesson.votes[k]
  lesson.votes[k] = { before and before[1] or counts, before and counts or nil }
  return state(run, {})
end

-- Returns the lines that describe the lesson in a journal.
local function journal()
  local lines = { ("step %d"):format(lesson.i) }
  for k, at in ipairs(lesson.at) do lines[#lines + 1] = ("at %d %d %d"):format(k, at, lesson.ran[k] or 0) end
  for k in ipairs(lesson.steps) do
    local one, result = lesson.answers[k], lesson.results[k]
    if one then
      lines[#lines + 1] = ("answer %d %s; first %s; %s%s"):format(k, one.now, one.first, result and result.mark or "none",
                                                                result and "; truth " .. result.truth or "")
      if result and (result.first == "right" or result.first == "wrong") then lines[#lines + 1] = ("first %d %s"):format(k, result.first) end
    end
    local votes = lesson.votes[k]
    if votes then
      lines[#lines + 1] = ("class %d %s; second %s; right %s"):format(k, table.concat(votes[1], " "), votes[2] and table.concat(votes[2], " ") or "none",
                                                                     result and tonumber(result.right) or "unknown")
    end
  end
  return table.concat(lines, "\n")
end

-- Restores the step and the answers from such lines. The run is where the lesson was.
local function restore(run, text)
  local i
  for line in text:gmatch "[^\n]+" do
    local step = line:match "^step (%d+)$"
    local k, at, ran = line:match "^at (%d+) (%d+) (%d+)$"
    local q, now, first, rest = line:match "^answer (%d+) (.-); first (.-); (.*)$"
    local c, one, two = line:match "^class (%d+) ([%d ]+); second (%S[%d ]*)"
    c = tonumber(c)
    local counted = c and lesson.steps[c] and lesson.steps[c].question
    if counted and counted.kind == "choose" then
      local ok, counts = pcall(counts_of, counted, one)
      local ok_second, second = pcall(counts_of, counted, two)
      if ok then lesson.votes[c] = { counts, ok_second and second or nil } end
    end
    local f, was = line:match "^first (%d+) (%l+)$"
    if f and lesson.results[tonumber(f)] then lesson.results[tonumber(f)].first = was end
    q, k = tonumber(q), tonumber(k)
    i = tonumber(step) or i
    if k and lesson.steps[k] then lesson.at[k], lesson.ran[k] = math.tointeger(tonumber(at)), math.tointeger(tonumber(ran)) end
    local question = q and lesson.steps[q] and lesson.steps[q].question
    if question then
      local ok, read = pcall(readers[question.kind], question, now)
      local ok_first, before = pcall(readers[question.kind], question, first)
      if ok and ok_first then lesson.answers[q] = { now = read, first = before, complete = true } end
      local mark, truth = rest:match "^(%l+); truth (.*)$"
      if mark then lesson.results[q] = { mark = mark, truth = truth, margin = 0, right = "", wrong = "" } end
    end
  end
  if not i or not lesson.steps[i] then return state(run, {}) end
  local at = lesson.at[i]
  attempt(run, i, {})
  lesson.at[i] = at or lesson.at[i]
  return state(run, {})
end

local function broken(run, text)
  lesson.broken = ("step %d of the lesson failed: %s"):format(lesson.i, text)
  return state(run, {})
end

-- Returns a sentence for a hand-out: with its figures if the lesson has passed this step. A sentence
-- with figures that are not measured yet is left out, since it states a result.
local function sentence_of(k)
  local step = lesson.steps[k]
  if lesson.said[k] then return lesson.said[k] end
  return step.say and not step.say:find "{" and step.say or nil
end

-- Returns the sentence that has revealed the question of step k.
local function revealed_by(k)
  for i = k + 1, #lesson.steps do
    if lesson.steps[i].reveal then return lesson.said[i] end
  end
end

-- Returns the lines "KEY<tab>VALUE" of a hand-out: the sentences and the questions with their
-- answers, in the order of the steps. A question whose answer was revealed has the lines `right` and
-- `truth`; any other question has the line `space`.
local function sheet(run)
  local lines, t = {}, core.run_memory(run).described
  local function put(key, value) lines[#lines + 1] = key .. "\t" .. tostring(value):gsub("[\n\t]", " ") end
  put("title", t.title or "A lesson")
  for k, step in ipairs(lesson.steps) do
    local q, result, sentence = step.question, lesson.results[k], sentence_of(k)
    if sentence and sentence ~= "" and not step.run then put("say", sentence) end
    if q then
      put("ask", q.text)
      for _, name in ipairs(q.order or q.choices and names_of(q) or {}) do put(q.order and "arm" or "choice", name) end
      if forms[q.kind] then put("form", forms[q.kind]) end
      if result and result.mark ~= "open" then put("right", in_words(q, result.right)) end
      if not result then
        put("space", q.choices and 1 or 2)
      elseif not (revealed_by(k) or ""):find(result.truth, 1, true) then
        put("truth", result.truth)
      end
    end
  end
  return table.concat(lines, "\n")
end

local requests = { next = forward, sheet = sheet, back = back, answer = answer, class = class, journal = journal, restore = restore, broken = broken,
                   state = function(run) return state(run, {}) end }

-- Handles the request "start", "next", "back", "answer TEXT", "class COUNTS", "state", "sheet", "journal", "restore
-- LINES" or "broken WHY".
function m.lesson(run, request)
  local word, rest = request:match "^(%l+)%s?(.*)$"
  if word == "start" then return start(run) end
  if not lesson then m.fail("the open scenario has no course", "open one: `chainscope course` lists them") end
  local f = requests[word] or m.fail("a lesson has no request '" .. tostring(word) .. "'")
  return f(run, rest)
end
