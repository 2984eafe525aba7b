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
-- began (`at`), the steps that `run` has made (`ran`), the answers and results by the number of the
-- question's step, and measurements on copies (`copies`).
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

-- Measures the truth of the question of step k, with what follows from it: `right` (the number of
-- the answer), `margin` (standard errors to the next answer) and `decided`.
local function truth_of(run, k)
  local q = lesson.steps[k].question
  if lesson.copies[k] then return lesson.copies[k] end
  local truth = measure(q.truth.at and copy_of(run, q.truth) or run, q)
  if q.kind == "choose" then choose_right(q, truth) end
  if q.kind == "number" then
    truth.margin = truth.error == 0 and huge or q.within / truth.error
  end
  truth.margin = truth.margin or huge
  truth.decided = truth.margin >= decided_by and (q.kind ~= "choose" or truth.right ~= nil)
  if q.truth.at then lesson.copies[k] = truth end
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

local readers = { choose = read_choice, number = read_number, order = read_order, place = read_place }

-- Returns an answer in words.
local function in_words(q, answer)
  if q.kind == "choose" then return q.choices[tonumber(answer)].text end
  if q.kind == "order" then
    local names = {}
    for i in answer:gmatch "%d+" do names[#names + 1] = q.order[tonumber(i)] end
    return table.concat(names, ", ")
  end
  local words = {}
  for x in answer:gmatch "%S+" do words[#words + 1] = shown(tonumber(x)) end
  return table.concat(words, ", ")
end

-- Returns whether an answer is right.
local function is_right(q, answer, truth)
  if q.kind == "choose" then return tonumber(answer) == truth.right end
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

local function feedback(q, answer, mark)
  if mark ~= "wrong" then return nil end
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
  lesson.results[k] = { mark = mark, truth = truth.text, margin = truth.margin, right = right, wrong = wrong,
                        say = answer and feedback(q, answer.now, mark) }
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

local function add_question(put, k, open)
  local q, answer, result = lesson.steps[k].question, lesson.answers[k], lesson.results[k]
  put("ask", q.text)
  put("kind", q.kind)
  put("choices", q.kind == "choose" and table.concat((names_of(q)), "\r") or q.order and table.concat(q.order, "\r") or "")
  if q.place then put("place", table.concat(q.place, " ")) end
  if answer then put("answer", in_words(q, answer.now)) end
  if answer and answer.first ~= answer.now then put("first", in_words(q, answer.first)) end
  if open then
    local figure = q.truth.figure or q.truth.largest or q.truth.smallest
    local covers = { table.unpack(q.cover) }
    covers[#covers + 1] = figure or q.truth.decision and "decision"
    put("covers", table.concat(covers, " "))
  elseif result then
    put("truth", result.truth)
    put("mark", result.mark)
    put("margin", ("%.3g"):format(result.margin))
    put("right", result.right)
    put("wrong", result.wrong)
    if result.say then put("because", result.say) end
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
  if k then add_question(put, k, not step.reveal and not lesson.over) end
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
    more = {}
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
  lesson = { steps = m.course_of(copy, arms, function() end), i = 1, at = {}, ran = {}, answers = {}, results = {}, copies = {} }
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
  if not k or lesson.steps[lesson.i].reveal then m.fail("no question is open at this step") end
  local q = lesson.steps[k].question
  local now = readers[q.kind](q, text:match "^%s*(.-)%s*$")
  local before = lesson.answers[k]
  lesson.answers[k] = { first = before and before.first or now, now = now }
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
    q, k = tonumber(q), tonumber(k)
    i = tonumber(step) or i
    if k and lesson.steps[k] then lesson.at[k], lesson.ran[k] = math.tointeger(tonumber(at)), math.tointeger(tonumber(ran)) end
    local question = q and lesson.steps[q] and lesson.steps[q].question
    if question then
      local ok, read = pcall(readers[question.kind], question, now)
      local ok_first, before = pcall(readers[question.kind], question, first)
      if ok and ok_first then lesson.answers[q] = { now = read, first = before } end
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

local requests = { next = forward, back = back, answer = answer, journal = journal, restore = restore, broken = broken,
                   state = function(run) return state(run, {}) end }

-- Handles the request "start", "next", "back", "answer TEXT", "state", "journal", "restore LINES" or
-- "broken WHY".
function m.lesson(run, request)
  local word, rest = request:match "^(%l+)%s?(.*)$"
  if word == "start" then return start(run) end
  if not lesson then m.fail("the open scenario has no course", "open one: `chainscope course` lists them") end
  local f = requests[word] or m.fail("a lesson has no request '" .. tostring(word) .. "'")
  return f(run, rest)
end
