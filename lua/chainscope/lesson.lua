-- Goes through the steps of a lesson (the field `course` of a scenario). The session sends requests
-- and gets lines "key<tab>value": the state of the lesson for the screen, and for the key `do`
-- commands that the session executes. The truth of a question is measured on the run, or on a copy
-- of it.
local m = ...
local core = m.core
local abs, huge = math.abs, math.huge
local answers = m.answers
local shown, names_of, in_words, is_right = answers.shown, answers.names_of, answers.in_words, answers.is_right

-- Maximum number of seconds for a copy of a run.
local patience = 60
-- Number of standard errors between two answers from which on a question is decided.
local decided_by = 3

-- The open lesson: its steps, the number of the present step (`i`), the run's step when each step
-- began (`at`), the steps that `run` has made (`ran`), the sentences (`said`), the answers,
-- the counts of a class (`votes`: lists of counts of the first and the second vote) and the results
-- by the number of the question's step, the right answers of a replayed journal (`rights`), and
-- measurements on copies (`copies`).
local lesson

-- ---- copies ----------------------------------------------------------------

-- Returns the changes of the lesson up to its present step, each with the run's step at which it is
-- made, and the step that the run has then reached. Each stage begins at step 0.
local function path_of()
  local path, steps = {}, 0
  for k = 1, lesson.i do
    local step = lesson.steps[k]
    if step.stage then path, steps = {}, 0 end
    if step.set then path[#path + 1] = { at = steps, set = step.set } end
    if step.run then steps = steps + math.floor(step.stop and lesson.ran[k] or step.run) end
  end
  return path, steps
end

-- Returns a text that is the same for truths that can be measured on the same copy.
local function key_of(stage, path, truth, now, to)
  local words = { stage or "", ("%d"):format(to), truth.set and ("%d %s"):format(now, truth.set) or "" }
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
  local key = key_of(memory.stage, path, truth, now, to)
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
  local right, wrong = answers.examples(q, truth)
  local first = truth.decided and answer and (is_right(q, answer.first, truth) and "right" or "wrong") or "none"
  lesson.results[k] = { mark = mark, first = first, truth = truth.text, margin = truth.margin, right = right, wrong = wrong,
                        say = answer and answers.feedback(q, answer.now, mark, truth) }
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
  if step.run or step.set or step.stage then lesson.ahead = nil end
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

-- Returns a panel of the field `screen` as a word.
function m.panel_word(panel)
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
    words[k] = m.panel_word(panel)
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
    if votes[1].of then put("voters", votes[1].of) end
    if votes[2] and votes[2].of then put("voters_second", votes[2].of) end
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

-- Returns true if step i began with the stage of the run.
local function begins_stage(run, i)
  local stage = lesson.steps[i].stage
  return stage ~= nil and stage == core.run_memory(run).stage
end

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
  local copy = {}
  for k, v in next, t do copy[k] = v end
  copy.target = core.run_memory(run).target
  lesson = { steps = m.course_of(copy, arms, function() end), i = 1, at = {}, ran = {}, said = {}, answers = {}, votes = {}, rights = {}, results = {}, copies = {} }
  for i = #lesson.steps, 1, -1 do -- a run that was opened at a stage begins at its step
    if begins_stage(run, i) then lesson.i = i end
  end
  return state(run, attempt(run, lesson.i, {}))
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
  local commands, stage = leave(run), lesson.steps[lesson.i + 1].stage
  if not stage then return state(run, attempt(run, lesson.i + 1, commands)) end
  -- the session opens the run of the stage, and then sends "staged"
  lesson.i, lesson.text, lesson.broken, lesson.skip = lesson.i + 1, "", nil, nil
  commands[#commands + 1] = "stage " .. stage
  return state(run, commands)
end

-- Goes to the step before the present one, on its run. Returns the commands for the session.
local function to_before(run, commands)
  local i = lesson.i
  lesson.i, lesson.broken, lesson.skip = i - 1, nil, nil
  local step = lesson.steps[i - 1]
  if step.reveal then pcall(reveal, run, i - 1) end
  local seen = question_at(i - 1)
  local result = step.reveal and seen and lesson.results[seen]
  lesson.text = filled(run, step.say or step.reveal or "", result and { text = result.truth })
  return commands
end

-- Returns the command that gives a parameter the value that it had before the present step. A run that
-- was replayed has nothing to undo, and in a run that went back the change is at a later step: the
-- value is then that of a copy.
local function set_back(run)
  local i, memory = lesson.i, core.run_memory(run)
  if i > (lesson.replayed or 0) and not lesson.ahead then return "undo" end
  local name = lesson.steps[i].set:match "^[^=]*"
  local arm, param = name:match "^(.*)%.([^.]*)$"
  lesson.i = i - 1
  local path, copy = path_of(), m.open("open", memory.described, memory.sets)
  lesson.i = i
  for _, one in ipairs(path) do copy:set(one.set) end
  local value = copy:arm(arm).params[param]
  if not value then m.fail(("the value of %s before this step is not known"):format(name), "open the lesson again") end
  return ("set %s=%.17g"):format(name, value)
end

local function back(run)
  local i = lesson.i
  if lesson.over then
    lesson.over = nil
    return state(run, {})
  end
  if i == 1 then m.fail("this is the first step of the lesson") end
  if begins_stage(run, i) then return state(run, { "unstage" }) end
  local commands, at = leave(run), lesson.at[i]
  local k = lesson.steps[i].reveal and question_at(i)
  if k then lesson.results[k] = nil end
  if at and run.steps ~= at then
    commands[#commands + 1], lesson.ahead = ("rewind to %d"):format(at), true
  end
  if lesson.steps[i].set and not lesson.broken then commands[#commands + 1] = set_back(run) end
  return state(run, to_before(run, commands))
end

local function answer(run, text)
  local k = question_at(lesson.i)
  if not k or lesson.steps[lesson.i].reveal then m.fail("no question is open at this step", "press enter for the next step") end
  local q = lesson.steps[k].question
  local before = lesson.answers[k]
  local now = answers.readers[q.kind](q, text:match "^%s*(.-)%s*$", before and before.now)
  -- an answer of several parts is complete at the next step
  local first = before and (q.kind ~= "several" or before.complete) and before.first
  lesson.answers[k] = { first = first or now, now = now, complete = before and before.complete }
  return state(run, {})
end

-- Stores the counts of a vote. A second call for the same question is its second vote.
local function class(run, text)
  local k = question_at(lesson.i)
  if not k or lesson.steps[lesson.i].reveal then m.fail("class: no question is open at this step") end
  local q = lesson.steps[k].question
  if not q.choices then m.fail("class: votes are counted for a question with answers to choose") end
  if text:match "^%s*none%s*$" then
    lesson.votes[k] = nil
    return state(run, {})
  end
  local counts, before = answers.counts_of(q, text), lesson.votes[k]
  lesson.votes[k] = { before and before[1] or counts, before and counts or nil }
  return state(run, {})
end

-- Returns the numbers of the right answers of question k, "none" if no answer is right, or "unknown".
local function right_in_journal(k)
  local result = lesson.results[k]
  local right = result and result.right ~= "" and result.right or lesson.rights[k]
  return right and (right == "none" or right:find "^[%d ]+$") and right or "unknown"
end

local function voters_in_journal(votes)
  if not votes[1].of then return "" end
  return ("; voters %d %s"):format(votes[1].of, votes[2] and votes[2].of or "none")
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
      lines[#lines + 1] = ("class %d %s; second %s; right %s%s"):format(k, table.concat(votes[1], " "), votes[2] and table.concat(votes[2], " ") or "none",
                                                                       right_in_journal(k), voters_in_journal(votes))
    end
  end
  return table.concat(lines, "\n")
end

-- Restores the votes of a class from a line of a journal.
local function restore_votes(line)
  local k, one, two, right = line:match "^class (%d+) ([%d ]+); second ([%w ]+); right ([%w ]+)"
  k = tonumber(k)
  local q = k and lesson.steps[k] and lesson.steps[k].question
  if not q or not q.choices then return end
  local of, of_second = line:match "; voters (%d+) (%w+)$"
  local ok, counts = pcall(answers.counts_of, q, of and ("%s of %s"):format(one, of) or one)
  local ok_second, second = pcall(answers.counts_of, q, of and ("%s of %s"):format(two, of_second) or two)
  if ok then lesson.votes[k], lesson.rights[k] = { counts, ok_second and second or nil }, right end
end

-- Restores the step and the answers from such lines. The run is where the lesson was.
local function restore(run, text)
  local i
  for line in text:gmatch "[^\n]+" do
    local step = line:match "^step (%d+)$"
    local k, at, ran = line:match "^at (%d+) (%d+) (%d+)$"
    local q, now, first, rest = line:match "^answer (%d+) (.-); first (.-); (.*)$"
    restore_votes(line)
    local f, was = line:match "^first (%d+) (%l+)$"
    if f and lesson.results[tonumber(f)] then lesson.results[tonumber(f)].first = was end
    q, k = tonumber(q), tonumber(k)
    i = tonumber(step) or i
    if k and lesson.steps[k] then lesson.at[k], lesson.ran[k] = math.tointeger(tonumber(at)), math.tointeger(tonumber(ran)) end
    local question = q and lesson.steps[q] and lesson.steps[q].question
    if question then
      local ok, read = pcall(answers.readers[question.kind], question, now)
      local ok_first, before = pcall(answers.readers[question.kind], question, first)
      if ok and ok_first then lesson.answers[q] = { now = read, first = before, complete = true } end
      local mark, truth = rest:match "^(%l+); truth (.*)$"
      if mark then lesson.results[q] = { mark = mark, truth = truth, margin = 0, right = "", wrong = "" } end
    end
  end
  if not i or not lesson.steps[i] then return state(run, {}) end
  local at = lesson.at[i]
  lesson.replayed = i
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
      if answers.forms[q.kind] then put("form", answers.forms[q.kind]) end
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

-- The run of the stage that the present step begins is open, or that of the stage before.
local function staged(run) return state(run, attempt(run, lesson.i, {})) end
local function unstaged(run) return state(run, to_before(run, {})) end

local requests = { next = forward, staged = staged, unstaged = unstaged, sheet = sheet, back = back, answer = answer, class = class, journal = journal, restore = restore, broken = broken,
                   state = function(run) return state(run, {}) end }

-- Handles the request "start", "next", "back", "staged", "unstaged", "answer TEXT", "class COUNTS", "state",
-- "sheet", "journal", "restore LINES" or "broken WHY".
function m.lesson(run, request)
  local word, rest = request:match "^(%l+)%s?(.*)$"
  if word == "start" then return start(run) end
  if not lesson then m.fail("the open scenario has no course", "open one: `chainscope course` lists them") end
  local f = requests[word] or m.fail("a lesson has no request '" .. tostring(word) .. "'")
  return f(run, rest)
end
