-- The field `course` of a scenario: the steps of a lesson. This file checks the steps when a
-- scenario is opened. The file lesson.lua goes through them.
local m = ...
local core, rows = m.core, m.rows

local most_steps, most_choices = 40, 9

local function whole(help, low, high) return { "number", help, whole = true, min = low, max = high } end

rows.course_step = {
  say = { "string", "a sentence, shown in large in the place of the lesson. {ess small} is replaced by the figure `ess` of the arm `small`, {mean long 1} by its mean of coordinate 1, measured at this step" },
  show = { "table", "the panels from this step on, as in the field `screen` of a scenario: { \"map\", { \"trace\", quantity = \"x.1\" } }" },
  run = whole("the number of steps that the chains make", 1, 2 ^ 40),
  speed = { "number", "steps per second of `run`; by default there is no limit", min = 0, above = true, max = 1e9 },
  stop = { "string", "the event at which `run` ends earlier: \"reject\" or \"accept\", of chain 1 of `arm` (by default the first arm), or an event of the command `break`: \"visit\", \"jump\", \"mode 2\", \"divergence\"" },
  set = { "string", "a parameter of an arm that is changed: \"small.step=1\"" },
  stage = { "string", "the run starts over with another target: a name of the field `stages`" },
  arm = { "string", "the arm that is selected from this step on" },
  point = { "table", "an arrow with a word: { word = \"stuck\", arm = \"large\" } at the row of an arm, { word = \"here\", x = { 1, 2 } } at a place of the map, { word = \"the wall\", value = 0.01 } at a value of the histogram `marginal`" },
  ask = { "string", "a question. Until a later step has `reveal`, the verdicts, the ranking of the arms and the figures of `truth` are covered" },
  choose = { "table", "the possible answers, two to nine: texts, numbers (the nearest to the truth is right), or { \"text\", at_least =, at_most =, say = } with the range of the truth for which the answer is right, and a sentence for a wrong choice" },
  several = { "boolean", "true: any number of the answers of `choose` can be right. Each answer is the name of an arm or has a `truth`, and a range in which this figure must be" },
  order = { "table", "names of arms, which the answer puts in order" },
  within = { "number", "for a question about a number or a place of the map: how far an answer may be from the truth", min = 0, above = true, max = 1e300 },
  place = { "table", "the question is about a place of the map: its two coordinates, { \"x.1\", \"x.2\" }" },
  truth = { "string table", "the right answer. It is measured on the run and never written in the file: a field of the newest decision, \"accepted\"; a figure, { figure = \"ess\", arm = \"small\" }; the arm with the largest or smallest figure, { largest = \"ess\" }; a place, { state = 1, arm = \"walk\" }" },
  cover = { "table", "names of further figures that are covered while the question is open: { \"mean\", \"rhat\" }" },
  wrong = { "string", "a sentence after a wrong answer, if `choose` has no sentence for this answer" },
  reveal = { "string", "measures the truth of the question before, marks the answer, and says this sentence; {truth} is replaced by the truth" },
}
rows.course_choice = {
  at_least = { "number", "the smallest truth for which the answer is right", min = -math.huge },
  at_most = { "number", "the largest truth for which the answer is right", max = math.huge },
  say = { "string", "a sentence for a wrong choice of this answer" },
  truth = { "table", "with `several`: the figure that decides whether this answer is right; by default the truth of the question, for the arm with the name of the answer" },
}
rows.course_truth = {
  figure = { "string", "the name of a figure; cs.help \"figures\" lists the figures" },
  arm = { "string", "the arm to which the figure, the decision or the state belongs; by default the first" },
  of = { "string number", "the coordinate or the mode of the figure, as in a claim" },
  less_than = { "string", "the truth is the figure minus the figure of this arm" },
  ratio_to = { "string", "the truth is the figure divided by the figure of this arm" },
  largest = { "string", "a figure: the truth is the arm for which it is largest, or the order of the arms by it, the largest first" },
  smallest = { "string", "a figure: the truth is the arm for which it is smallest, or the order of the arms by it, the smallest first" },
  decision = { "string", "a number of the newest decision: log_ratio, log_uniform, log_density_change, log_q_forward, log_q_back, accepted, moved" },
  state = whole("a chain: the truth is its state", 1, 2 ^ 20),
  chain = whole("the chain of `decision`; 1 by default", 1, 2 ^ 20),
  at = { "string number", "the step at which a copy of the run is measured: \"end\" for the end of its budget, or a number of steps; by default the open run is measured when the answer is revealed" },
  set = { "string", "a parameter that is changed in the copy: \"small.step=1\"; needs `at`" },
  start = { "table", "other initial states of the copy; needs `at`" },
}
rows.course_point = {
  word = { "string", "the word at the arrow", required = "word = \"here\"" },
  arm = { "string", "the row of this arm" },
  x = { "table", "a place of the map: its two coordinates" },
  value = { "number", "a value on the axis of the panel `marginal`", min = -1e300, max = 1e300 },
}

-- ---- checks ----------------------------------------------------------------

local decisions = { "accepted", "moved", "log_ratio", "log_uniform", "log_density_change",
                    "log_q_forward", "log_q_back", "log_density", "log_density_proposed" }

-- Fails if a text contains control characters or is too long for a line of a course.
local function check_text(name, text)
  if #text > 600 or text:find "[%c\127]" then
    m.fail(("%s: %d characters, or a line break"):format(name, #text), "write at most 600 characters in one line")
  end
end

local function check_arm(name, arm, arms)
  if arm == nil or arms[arm] then return end
  local names = {}
  for one in next, arms do
    if type(one) == "string" then names[#names + 1] = one end
  end
  table.sort(names)
  m.fail(("%s: there is no arm '%s'"):format(name, tostring(arm)), m.suggest(arm, names))
end

-- Fails unless the text sets one parameter of one arm, "small.step=1".
local function check_set(name, text, arms)
  local arm, value = text:match "^([%w_.-]+)%.[%w_]+=([%w_.+-]+)$"
  if not arm or #text > 80 then
    m.fail(("%s: '%s' does not set a parameter of an arm"):format(name, text), "write ARM.PARAMETER=VALUE, for example \"small.step=1\"")
  end
  while arm and not arms[arm] do arm = arm:match "^(.*)%.[^.]*$" end
  if not arm then check_arm(name, text:match "^[%w_-]+", arms) end
end

-- Returns the kind of a truth: "decision", "figure", "arms" or "state".
local function kind_of(truth)
  if truth.decision then return "decision" end
  if truth.figure then return "figure" end
  if truth.state then return "state" end
  return "arms"
end

-- Fails unless `start` is a list of states of the target.
local function check_start(start, t)
  local dim = m.is_made(t.target) and t.target.dim or nil
  m.check_list("truth: start", start, function(state, i)
    if type(state) ~= "table" or dim and #state ~= dim then
      m.fail(("truth: start: state %d is not a list of %s numbers"):format(i, dim or "the"), "start = { { 0, 1 }, { 2, 3 } }")
    end
    m.check_list(("truth: start: state %d"):format(i), state, function(x)
      if type(x) ~= "number" or x - x ~= 0 then m.fail(("truth: start: state %d has a %s"):format(i, core.kind(x)), "give finite numbers") end
    end)
  end)
end

local function check_copy(truth, t)
  if truth.at == nil then
    if truth.set or truth.start then m.fail("truth: `set` and `start` need a copy", "add at = \"end\"") end
    return
  end
  if truth.at ~= "end" and type(truth.at) ~= "number" then
    m.fail(("truth: at = '%s'"):format(tostring(truth.at)), "write at = \"end\" or a number of steps")
  end
  if type(truth.at) == "number" then m.check_number("truth: at", truth.at, { whole = true, min = 1, max = 2 ^ 40 }) end
  if truth.at == "end" and not (type(t.budget) == "table" and t.budget.steps) then
    m.fail("truth: at = \"end\" needs the end of a run", "budget = { steps = 20000 }")
  end
  if t.setup then
    m.fail("truth: a run with `setup` cannot be copied", "leave out `at`, so that the open run is measured")
  end
end

local function check_truth(truth, t, arms, coordinates)
  m.check("truth", truth, rows.course_truth)
  local given = {}
  for _, one in ipairs { "figure", "largest", "smallest", "decision", "state" } do
    if truth[one] ~= nil then given[#given + 1] = one end
  end
  if #given ~= 1 then
    m.fail(#given == 0 and "truth: nothing is measured" or "truth: it has both " .. given[1] .. " and " .. given[2],
           "give one of figure, largest, smallest, decision, state")
  end
  local figure = truth.figure or truth.largest or truth.smallest
  if figure then m.check_figure(figure, truth.of, coordinates, arms) end
  if truth.decision and not m.is_in(truth.decision, decisions) then
    m.fail(("truth: a decision has no field '%s'"):format(truth.decision), m.suggest(truth.decision, decisions))
  end
  for _, field in ipairs { "arm", "less_than", "ratio_to" } do check_arm("truth: " .. field, truth[field], arms) end
  if truth.set then check_set("truth: set", truth.set, arms) end
  if truth.start then check_start(truth.start, t) end
  check_copy(truth, t)
end

-- Returns the answers of `choose` as a list of { text =, number =, at_least =, at_most =, say = }.
local function choices_of(list)
  local out = {}
  m.check_list("choose", list, function(one, i)
    local c = { text = one }
    if type(one) == "table" then
      local fields = {}
      for k, v in next, one do
        if k ~= 1 then fields[k] = v end
      end
      m.check(("choose: answer %d"):format(i), fields, rows.course_choice)
      c = fields
      c.text = one[1]
    end
    if type(c.text) == "number" then c.number = c.text end
    if type(c.text) ~= "string" and not c.number then
      m.fail(("choose: answer %d is a %s"):format(i, core.kind(c.text)), "write a text, a number or { \"text\", at_least = 1 }")
    end
    c.text = c.number and ("%.6g"):format(c.number) or c.text
    check_text(("choose: answer %d"):format(i), c.text)
    if c.say then check_text(("choose: answer %d: say"):format(i), c.say) end
    out[i] = c
  end)
  if #out < 2 or #out > most_choices then
    m.fail(("choose: %d answers"):format(#out), ("give two to %d answers"):format(most_choices))
  end
  return out
end

-- Fails unless the answers of `choose` suit the truth. Answers to a yes or no are "yes" and "no"; an
-- arm is chosen by its name; all other answers are numbers, or have a range.
local function check_choices(choices, truth, arms)
  local kind, numbers, ranges = kind_of(truth), 0, 0
  for _, c in ipairs(choices) do
    if c.number then numbers = numbers + 1 end
    if c.at_least or c.at_most then ranges = ranges + 1 end
  end
  if kind == "arms" then
    for i, c in ipairs(choices) do check_arm(("choose: answer %d"):format(i), c.text, arms) end
  elseif kind == "decision" and (truth.decision == "accepted" or truth.decision == "moved") then
    if #choices ~= 2 or ranges + numbers > 0 then
      m.fail("choose: `" .. truth.decision .. "` has two answers, the first one for true", "choose = { \"yes\", \"no\" }")
    end
  elseif kind == "state" then
    m.fail("choose: a state is not one of a few answers", "place = { \"x.1\", \"x.2\" }, within = 0.5")
  elseif numbers ~= #choices and ranges ~= #choices then
    m.fail("choose: the truth is a number, but the answers are texts",
           "give numbers, or each answer its range: { \"more\", at_least = 1 }")
  end
end

-- Fails unless each answer of a question with several right answers has a range and a figure.
-- Stores the figure in its field `truth`.
local function check_several(choices, truth, t, arms, coordinates)
  for i, c in ipairs(choices) do
    local name = ("choose: answer %d"):format(i)
    if c.text:find "," then m.fail(name .. ": a comma separates answers", "leave out the comma") end
    if not (c.at_least or c.at_most) then m.fail(name .. " has no range", "{ \"walk\", at_least = 0.9, at_most = 1.1 }") end
    if c.truth then
      check_truth(c.truth, t, arms, coordinates)
    else
      check_arm(name, c.text, arms)
      c.truth = {}
      for k, v in next, truth or m.fail(name .. ": the question has no truth", "truth = { figure = \"mean\", of = 1 }") do c.truth[k] = v end
      c.truth.arm = c.text
    end
    if kind_of(c.truth) ~= "figure" then m.fail(name .. ": the truth is not a figure", "truth = { figure = \"mean\", of = 1 }") end
  end
end

-- Returns the truths that a question measures.
function m.truths_of(q)
  local list = {}
  if q.kind ~= "several" then return { q.truth } end
  for i, c in ipairs(q.choices) do list[i] = c.truth end
  return list
end

local function check_order(step, truth, arms)
  local seen = {}
  if kind_of(truth) ~= "arms" then m.fail("order: arms are put in order by a figure", "truth = { largest = \"ess\" }") end
  m.check_list("order", step.order, function(name, i)
    check_arm(("order: entry %d"):format(i), name, arms)
    if seen[name] then m.fail("order: the arm '" .. name .. "' is named twice") end
    seen[name] = true
  end)
  if #step.order < 2 or #step.order > most_choices then
    m.fail(("order: %d arms"):format(#step.order), ("give two to %d arms"):format(most_choices))
  end
end

local function check_place(step, truth, coordinates)
  if kind_of(truth) ~= "state" then m.fail("place: the truth must be a state", "truth = { state = 1 }") end
  if not step.within then m.fail("place: it needs `within`", "within = 0.5") end
  m.check_list("place", step.place, function(of)
    if coordinates then m.find_coordinate(coordinates, of) end
  end)
  if #step.place ~= 2 then m.fail(("place: %d coordinates"):format(#step.place), "place = { \"x.1\", \"x.2\" }") end
end

-- Checks a question. Returns its form for lesson.lua.
local function question_of(step, t, arms, coordinates)
  local truth = step.truth
  if truth == nil and not step.several then m.fail("ask: the question has no truth", "truth = \"accepted\", or truth = { figure = \"ess\", arm = \"small\" }") end
  if type(truth) == "string" then truth = { decision = truth } end
  if truth then check_truth(truth, t, arms, coordinates) end
  if step.several and not step.choose then m.fail("several: the question has no answers", "choose = { ... }") end
  local ways = (step.choose and 1 or 0) + (step.order and 1 or 0) + (step.place and 1 or 0)
  if ways > 1 then m.fail("ask: the question has several of choose, order and place", "give one of them") end
  local q = { text = step.ask, truth = truth, within = step.within, wrong = step.wrong, cover = step.cover or {} }
  if step.choose then
    q.kind, q.choices = step.several and "several" or "choose", choices_of(step.choose)
    for i, c in ipairs(q.choices) do
      if c.truth and not step.several then m.fail(("choose: answer %d has a truth"):format(i), "several = true") end
    end
  end
  if step.several then
    check_several(q.choices, truth, t, arms, coordinates)
  elseif step.choose then
    check_choices(q.choices, truth, arms)
  elseif step.order then
    q.kind, q.order = "order", step.order
    check_order(step, truth, arms)
  elseif step.place then
    q.kind, q.place = "place", step.place
    check_place(step, truth, coordinates)
  else
    q.kind = "number"
    if not step.within then m.fail("ask: a question about a number needs `within`", "within = 0.05, or choose = { ... }") end
    if kind_of(truth) ~= "figure" and kind_of(truth) ~= "decision" then
      m.fail("ask: the truth is not a number", "truth = { figure = \"ess\", arm = \"small\" }")
    end
  end
  m.check_list("cover", q.cover, function(name)
    if not m.figures[name] then
      m.fail("cover: there is no figure '" .. tostring(name) .. "'", m.suggest(name, m.sorted_keys(m.figures)))
    end
  end)
  return q
end

local function check_point(point, arms)
  m.check("point", point, rows.course_point)
  check_text("point: word", point.word)
  check_arm("point: arm", point.arm, arms)
  local n = (point.arm and 1 or 0) + (point.x and 1 or 0) + (point.value and 1 or 0)
  if n ~= 1 then m.fail("point: it needs one place", "give one of arm, x, value") end
  if point.x then
    m.check_list("point: x", point.x, function(x)
      if type(x) ~= "number" or x - x ~= 0 then m.fail("point: x is not a list of numbers", "x = { 1, 2 }") end
    end)
    if #point.x ~= 2 then m.fail(("point: x has %d numbers"):format(#point.x), "x = { 1, 2 }") end
  end
end

-- Fails unless each {figure arm coordinate} in a text names a figure and an arm.
local function check_marks(name, text, arms, coordinates)
  for mark in text:gmatch "{([^{}]*)}" do
    local figure, arm, of = m.mark_of(mark)
    if mark ~= "truth" and not figure then
      m.fail(("%s: {%s} is not a figure of an arm"):format(name, mark), "for example {ess small} or {mean small 1}")
    elseif mark ~= "truth" then
      m.check_figure(figure, of, coordinates, arms)
      check_arm(name, arm, arms)
    elseif name ~= "reveal" then
      m.fail(name .. ": {truth} is only known in `reveal`")
    end
  end
end

-- Reads "mean small 1": a figure, an arm and the argument of the figure, which may be missing.
function m.mark_of(mark)
  local figure, arm, of = mark:match "^(%l[%w_]*) ([%w_.-]+) ?(.*)$"
  if of == "" then of = nil end
  return figure, arm, math.tointeger(tonumber(of)) or of
end

-- True for an event that is found on a copy of the run: the decision of one step.
function m.is_decision(stop) return stop == "reject" or stop == "accept" end

local only_of_a_question = { "choose", "several", "order", "place", "within", "truth", "cover", "wrong" }
local texts = { "say", "ask", "reveal", "wrong" }

-- Fails unless a stage can begin at a step.
local function check_stage(step, asked)
  for _, name in ipairs { "ask", "reveal", "run" } do
    if step[name] then m.fail("`stage` cannot be in one step with `" .. name .. "`", "write two steps") end
  end
  if asked then m.fail("stage: the question before is not revealed", "add a step with reveal = \"...\" before") end
end

-- Checks a step. `ground` has what the step can name (stages.lua), `asked` is the question that is not
-- revealed yet, or nil. Returns the step for lesson.lua and the question that is open after it.
local function step_of(step, ground, asked)
  local t, arms, coordinates = ground.t, ground.arms, ground.coordinates
  if next(step) == nil then m.fail("the step is empty", "give say, show, run, set, point, ask or reveal") end
  for _, name in ipairs(texts) do
    if step[name] then
      check_text(name, step[name])
      check_marks(name, step[name], arms, coordinates)
    end
  end
  for _, name in ipairs(only_of_a_question) do
    if step[name] ~= nil and not step.ask then m.fail("`" .. name .. "` belongs to a question", "add ask = \"...\"") end
  end
  for _, name in ipairs { "speed", "stop" } do
    if step[name] and not step.run then m.fail("`" .. name .. "` needs `run`", "run = 200") end
  end
  if step.stop and not step.stop:find "^%l+ ?%d*$" then
    m.fail("stop: '" .. step.stop .. "'", "for example stop = \"reject\"")
  elseif m.is_decision(step.stop) and t.setup then
    m.fail("stop: a run with `setup` cannot be copied to find the step", "leave out `stop`")
  end
  for _, name in ipairs { "run", "stage" } do
    if step[name] and step.say and step.say:find "{" then
      m.fail("say: a figure in a step with `" .. name .. "` would be measured before the run", "put the sentence in the next step")
    end
  end
  for _, name in ipairs { "reveal", "run", "set" } do
    if step[name] and (step.ask or step.reveal and name ~= "reveal") then
      m.fail("`" .. name .. "` cannot be in one step with `" .. (step.ask and "ask" or "reveal") .. "`", "write two steps")
    end
  end
  if step.ask and asked then
    m.fail("the question before is not revealed", "add a step with reveal = \"...\" before")
  elseif step.reveal and not asked then
    m.fail("reveal: no question is open", "add a step with ask = \"...\" before")
  end
  if step.stage then check_stage(step, asked) end
  if step.set then check_set("set", step.set, arms) end
  check_arm("arm", step.arm, arms)
  if step.point then check_point(step.point, arms) end
  local out = {}
  for k, v in next, step do out[k] = v end
  if step.ask then
    out.question = question_of(step, t, arms, coordinates)
    return out, out.question
  end
  return out, not step.reveal and asked or nil
end

-- Checks the field `course` of the scenario t, whose arms are a list. `check_panels(list, arms)` fails
-- for a bad list of panels of a step with these arms. Returns the steps for lesson.lua, each with the
-- name of the stage at which it is (`at_stage`).
function m.course_of(t, arms, check_panels)
  local steps, all, grounds, asked, stage = {}, {}, m.stage_grounds(t, arms), nil, nil
  m.check_list("course", t.course, function(step, i)
    m.blame_entry("course", i, function()
      local ok, why = pcall(function()
        m.check("step", step, rows.course_step)
        stage = step.stage or stage
        local ground = grounds(stage)
        steps[i], asked = step_of(step, ground, asked)
        steps[i].at_stage = stage
        if step.show then check_panels(step.show, ground.list) end
      end)
      if not ok then
        local place, rest = why:match "^([^\n]-:%d+: )(.*)$"
        error((place or "") .. ("course: step %d: "):format(i) .. (rest or why), 0)
      end
    end)
  end)
  local budget = t.budget and t.budget.steps
  for _, step in ipairs(steps) do -- each stage begins at step 0
    local place = step.at_stage or 0
    all[place] = (step.stage and 0 or all[place] or 0) + (step.run or 0)
    if budget and all[place] > budget then
      m.fail(("course: its steps run %d steps, but the budget has %d"):format(all[place], budget), "increase the budget, or run fewer steps")
    end
  end
  for _, name in ipairs { "ask", "run", "set", "stage" } do -- a scenario is also opened without going through its lesson
    if steps[1] and steps[1][name] then m.fail("course: step 1 has `" .. name .. "`", "begin with a step that only has say, show, arm or point") end
  end
  if #steps == 0 then m.fail("course: there are no steps", "course = { { say = \"...\" } }") end
  if #steps > most_steps then m.fail(("course: %d steps"):format(#steps), ("write at most %d steps"):format(most_steps)) end
  if asked then m.fail("course: the last question is not revealed", "add { reveal = \"...\" }") end
  return steps
end

-- Returns the figures that the questions and sentences of a lesson measure at a stage (nil: without a
-- stage), in the form of claims.
function m.course_figures(steps, stage)
  local list = {}
  local function add(figure, of)
    if figure then list[#list + 1] = { stat = figure, of = of } end
  end
  for _, step in ipairs(steps) do
    local here = step.at_stage == stage
    for _, truth in ipairs(here and step.question and m.truths_of(step.question) or {}) do
      add(truth.figure or truth.largest or truth.smallest, truth.of)
    end
    for _, name in ipairs { "say", "reveal" } do
      for mark in (here and step[name] or ""):gmatch "{([^{}]*)}" do
        local figure, _, of = m.mark_of(mark)
        add(figure, of)
      end
    end
  end
  return list
end
