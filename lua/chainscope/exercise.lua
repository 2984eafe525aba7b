-- Exercises: the field `exercise` of a scenario, and the marking of hand-ins. A hand-in is a script
-- that returns a scenario with the arm `mine`, or a table of answers. Its kernel is run on the
-- target of the exercise, with a seed that the hand-in determines; laws and claims judge it. Tests
-- judge answers. Known slips are other hand-ins: one of them is named if it makes the same decisions
-- as the hand-in. Known wrong answers are recognised by a function of the exercise.
local m = ...
local core, cs = m.core, m.cs
local abs, floor, huge = math.abs, math.floor, math.huge

m.rows.exercise = {
  text = { "string", "the task, in a few sentences", required = "text = \"Write log_q of ...\"" },
  skeleton = { "string", "a script that a solver completes; it returns a scenario with the arm `mine`, or a table of answers", required = "skeleton = [[ ... ]]" },
  judge = { "table", "how a hand-in is judged: { laws =, tests =, claims =, ... }", required = "judge = { laws = { \"record\" } }" },
  hints = { "table", "sentences that `chainscope exercise --hint` shows one by one" },
}
m.rows.exercise_judge = {
  laws = { "table", "names of laws that the kernel must keep: { \"stationarity\", \"record\" }" },
  claims = { "table", "figures of the arm `mine` at the end of the budget: { { stat = \"mean\", of = 1, near = 3, within = 0.05 } }" },
  tests = { "table", "tests of a table of answers: { { \"name of the item\", function(answers, scenario) return true or false or the share of the points, \"sentence\" end }, ... }" },
  answers = { "table", "the answers that a hand-in must have, by name: { step = { \"number\", \"the step\", min = 0 }, matrix = { \"table\", \"the matrix\", size = { 3, 3 } } }" },
  slips = { "table", "known wrong answers: { { \"name\", \"sentence\", function(answers, scenario) return true for this slip end }, ... }" },
  arms = { "table", "arms with which the claims compare `mine`, by name; a solver does not see them" },
  kernel = { "function", "returns the kernel to judge, for the table of answers; or for the scenario and the kernel of its arm `mine`" },
  hidden = { "string", "the digest of a hidden judge, a file that only the lecturer has: \"sha256:...\"" },
  proposal = { "string", "\"given\": the kernel must have the proposal of the exercise's first arm" },
  own = { "boolean", "false: a built-in kernel is also a solution" },
  seconds = { "number", "seconds per law; 5 by default", min = 0, above = true, max = 60 },
  aim = { "number", "a law is tested until an error of this size would have been detected, in sds or as a probability; 0.15 by default", min = 0, above = true, max = 0.4 },
}
-- The table that the file of a hidden judge returns.
m.rows.exercise_hidden = {
  target = { m.rows.run.target[1], "the target; by default that of the exercise, with its start" },
  chains = m.rows.run.chains, start = m.rows.run.start, budget = m.rows.run.budget, warmup = m.rows.run.warmup,
}
for _, name in ipairs { "laws", "claims", "tests", "arms", "kernel", "seconds", "aim" } do m.rows.exercise_hidden[name] = m.rows.exercise_judge[name] end
m.rows.exercise_claim = {
  stat = m.rows.claim.stat, of = m.rows.claim.of, at_least = m.rows.claim.at_least, at_most = m.rows.claim.at_most,
  near = m.rows.claim.near, within = m.rows.claim.within,
  ratio_to = m.rows.claim.ratio_to, less_than = m.rows.claim.less_than,
}
m.rows.exercise_answer = {
  min = { "number", "the smallest allowed number" }, max = { "number", "the largest allowed number" },
  whole = { "boolean", "true: the number must be whole" },
  size = { "table", "the size of a list, { n }, or of a matrix, { rows, columns }" },
  of = { "string", "the type of the entries of a list or a matrix; \"number\" by default" },
}

-- Checks that each entry of a list is a table with values of these types, such as a name and a
-- function.
local function check_entries(what, list, types, like)
  m.check_list("judge: " .. what, list or {}, function(entry, i)
    for k, kind in ipairs(types) do
      if type(entry) ~= "table" or type(entry[k]) ~= kind then m.fail(("judge: %s: entry %d is incomplete"):format(what, i), "write " .. like) end
    end
  end)
end

local function check_answers(answers)
  for name, row in next, answers or {} do
    local options = {}
    if type(row) ~= "table" or type(row[1]) ~= "string" or type(row[2]) ~= "string" then
      m.fail(("judge: the answer '%s' has no type and no help"):format(tostring(name)), "write " .. tostring(name) .. " = { \"number\", \"the step of the walk\" }")
    end
    for key, value in next, row do
      if key ~= 1 and key ~= 2 then options[key] = value end
    end
    m.check("an answer of an exercise", options, m.rows.exercise_answer)
  end
end

local function check_claim(claim, arms)
  m.check("a claim of an exercise", claim, m.rows.exercise_claim)
  local other = claim.ratio_to or claim.less_than
  if other and not (arms or {})[other] then
    m.fail("a claim of an exercise names the arm '" .. tostring(other) .. "', which does not exist", "add it to judge.arms")
  end
end

-- Checks what a judge judges.
local function check_judge(judge)
  for _, claim in ipairs(judge.claims or {}) do check_claim(claim, judge.arms) end
  check_entries("tests", judge.tests, { "string", "function" }, "{ \"name of the item\", function(answers, scenario) ... end }")
  if not (judge.laws or judge.claims or judge.tests) then m.fail("judge: nothing is judged", "give laws, claims or tests") end
end

-- Checks the field `exercise`. A string is the path of the scenario that has the exercise.
function m.check_exercise(e)
  if type(e) == "string" then return end
  m.check("exercise", e, m.rows.exercise)
  m.check("judge", e.judge, m.rows.exercise_judge)
  m.check_list("hints", e.hints or {}, function(h)
    if type(h) ~= "string" then m.fail("hints: an entry is a " .. core.kind(h), "write sentences") end
  end)
  check_judge(e.judge)
  check_entries("slips", e.judge.slips, { "string", "string", "function" }, "{ \"name\", \"sentence\", function(answers, scenario) ... end }")
  check_answers(e.judge.answers)
  if e.judge.proposal and e.judge.proposal ~= "given" then
    m.fail("judge: proposal = \"" .. e.judge.proposal .. "\"", "write proposal = \"given\", or leave it out")
  end
  local hidden = e.judge.hidden
  if hidden and not (#hidden == 71 and hidden:find "^sha256:[0-9a-f]+$") then
    m.fail("judge: hidden = \"" .. hidden .. "\" does not name a digest", "write sha256: and the 64 digits that sha256sum prints for the file")
  end
end

-- ---- JSON ----------------------------------------------------------------------------

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t" }
local function quoted(s)
  return '"' .. s:gsub('[%c"\\]', function(c) return escapes[c] or ("\\u%04x"):format(c:byte()) end) .. '"'
end

-- Encodes a value. A table with the field n is a list; another table is an object, whose keys are
-- ordered by `order`.
local order = { "exercise", "version", "file", "sha256", "program", "seed", "status", "points", "of", "hints", "solution", "seconds",
                "items", "item", "hidden", "verdict", "p", "steps", "measured", "mcse", "near", "within", "at_least", "at_most", "where", "from", "to", "log_ratio", "right",
                "slip", "say", "could_see" }
local function json(x)
  if type(x) == "string" then return quoted(x) end
  if type(x) == "number" then
    if x ~= x or abs(x) == huge then return "null" end
    return x == floor(x) and abs(x) < 2^53 and ("%d"):format(x) or ("%.6g"):format(x)
  end
  if type(x) ~= "table" then return tostring(x) end
  local parts = {}
  if x.n then
    for i = 1, x.n do parts[i] = json(x[i]) end
    return "[" .. table.concat(parts, ", ") .. "]"
  end
  for _, key in ipairs(order) do
    if x[key] ~= nil then parts[#parts + 1] = quoted(key) .. ": " .. json(x[key]) end
  end
  return "{" .. table.concat(parts, ", ") .. "}"
end

local function list_of(t)
  local out = { n = #t }
  for i, x in ipairs(t) do out[i] = x end
  return out
end

-- ---- hand-ins --------------------------------------------------------------------------

-- Fails unless t is a list of n values of this type; for numbers, finite ones.
local function check_row(what, t, n, kind)
  if type(t) ~= "table" or #t ~= n then
    m.fail(what .. (type(t) == "table" and " has length " .. #t or " is a " .. core.kind(t)), "write a list of " .. n .. " values")
  end
  for i = 1, n do
    if type(t[i]) ~= kind or kind == "number" and not (abs(t[i]) < huge) then
      m.fail(("%s: entry %d is %s"):format(what, i, type(t[i]) == "number" and tostring(t[i]) or "a " .. core.kind(t[i])), "write a " .. (kind == "number" and "finite " or "") .. kind)
    end
  end
end

-- Fails unless the value has the answers of the exercise, with their types and sizes.
local function check_value(answers, value)
  local rows = {}
  for name, row in next, answers do
    rows[name] = { required = "it is " .. row[2] }
    for key, x in next, row do rows[name][key] = x end
  end
  m.check("the table of answers", value, rows)
  for _, name in ipairs(m.sorted_keys(answers)) do
    local size, kind, x = answers[name].size, answers[name].of or "number", value[name]
    if size and not size[2] then check_row(name, x, size[1], kind) end
    for i = 1, size and size[2] and size[1] or 0 do check_row(("row %d of %s"):format(i, name), x[i], size[2], kind) end
    if size and #x ~= size[1] then m.fail(("%s has %d rows, not %d"):format(name, #x, size[1])) end
  end
end

-- Returns the kernel of a hand-in, or nil and the reason why it has none. The kernel is false if
-- the exercise judges only answers.
local function kernel_of(exercise, value)
  if type(value) ~= "table" then
    return nil, "the file returns a " .. core.kind(value) .. ": keep the end of the skeleton"
  end
  local judge = exercise.judge
  local fits, misfit = pcall(check_value, judge.answers or {}, judge.answers and value or {})
  if not fits then return nil, tostring(misfit) end
  if not (judge.kernel or judge.laws or judge.claims) then return false end
  local arms = rawget(value, "arms")
  local arm = type(arms) == "table" and arms.mine or nil
  if type(arm) == "table" then arm = rawget(arm, "kernel") end
  if core.kind(arm) ~= "kernel" then arm = nil end
  if judge.kernel then
    local ok, kernel = pcall(judge.kernel, value, arm)
    if not ok then return nil, tostring(kernel) end
    return kernel
  end
  if not arm then return nil, "the scenario has no arm `mine`: keep the names of the skeleton" end
  if judge.own ~= false and core.kernels()[arm.name] then
    return nil, "the arm `mine` has the built-in kernel " .. arm.name .. ": write the kernel yourself"
  end
  return arm
end

local function open(scenario, kernel, seed, budget)
  return cs.open { target = scenario.target, chains = scenario.chains or 4, seed = seed, start = scenario.start,
                   budget = budget, arms = { mine = kernel } }
end

-- Seconds for the decisions of a kernel, for a test of answers, and for the steps before claims.
local limit, test_limit, claim_limit = 4, 2, 30

-- Steps of each chain whose decisions are compared.
local checked_steps = 50

-- Runs the kernel for n steps. Returns a list of decisions { from, to, log_ratio, moved, state }.
local function decisions(scenario, kernel, seed, n)
  core.extend(limit)
  local run, out = open(scenario, kernel, seed), {}
  local arm = run:arm "mine"
  for _ = 1, n do
    local from = {}
    for c = 1, #arm.chains do from[c] = arm:chain(c):state() end
    run:step(1)
    for c = 1, #arm.chains do
      local info, state = arm:chain(c):info(), arm:chain(c):state()
      out[#out + 1] = { from = from[c], to = info.proposal or state, log_ratio = info.log_ratio, moved = info.accepted, state = state }
    end
  end
  return out
end

local function near(a, b) return a == b or abs(a - b) <= 1e-9 * math.max(1, abs(a), abs(b)) end
local function same_state(a, b)
  for i = 1, #a do
    if not near(a[i], b[i]) then return false end
  end
  return true
end

-- Returns the first decision at which two lists differ, or nil if all are equal.
local function first_difference(a, b)
  for i, one in ipairs(a) do
    local other = b[i]
    if not other or one.moved ~= other.moved or not same_state(one.state, other.state) then return i end
  end
end

-- Returns true if both kernels make the same proposals from the start.
local function same_proposals(scenario, mine, given, seed)
  for k = 0, 4 do
    local a, b = decisions(scenario, mine, seed + k, 1), decisions(scenario, given, seed + k, 1)
    for i, one in ipairs(a) do
      if not same_state(one.to, b[i].to) then return false end
    end
  end
  return true
end

-- ---- known slips -----------------------------------------------------------------------

-- Reads the sealed hand-ins: "\1NAME\n" followed by its text. Returns a list { name, say, text }.
local function sealed_hand_ins(text)
  local list = {}
  for name, code in (text or ""):gmatch "\1([^\n]*)\n([^\1]*)" do
    list[#list + 1] = { name = code:match "^%-%- slip: ([%w_]+)" or name, say = code:match "\n%-%- say: ([^\n]*)", text = code, file = name }
  end
  return list
end

local function loaded(exercise, one)
  local kernel, why = kernel_of(exercise, core.load_hand_in(one.text, "=" .. one.file)())
  if not kernel then m.fail(("the sealed hand-in %s: %s"):format(one.file, why)) end
  return kernel
end

-- Compares the decisions of the kernel with those of the solution and of the known slips. Returns
-- the only slip that makes the same decisions, or nil; and the first decision with a ratio that
-- differs from that of the solution.
local function slip_of(scenario, exercise, kernel, seed, sealed)
  local hand_ins = sealed_hand_ins(sealed)
  local mine, solution, found, n = nil, nil, nil, 0
  for _, one in ipairs(hand_ins) do
    if one.file == "solution" then solution = decisions(scenario, loaded(exercise, one), seed, checked_steps) end
  end
  local ok, result = pcall(decisions, scenario, kernel, seed, checked_steps)
  if not ok then return nil end
  mine = result
  for _, one in ipairs(hand_ins) do
    if one.file ~= "solution" and one.say then
      local slip = decisions(scenario, loaded(exercise, one), seed, checked_steps)
      if not first_difference(mine, slip) and (not solution or first_difference(slip, solution)) then
        found, n = one, n + 1
      end
    end
  end
  local where
  for i, one in ipairs(solution and mine or {}) do
    local right = solution[i]
    if not (same_state(one.from, right.from) and same_state(one.to, right.to)) then break end
    if one.log_ratio and right.log_ratio and abs(one.log_ratio - right.log_ratio) > 1e-6 then
      where = { from = list_of(one.from), to = list_of(one.to), log_ratio = one.log_ratio, right = right.log_ratio }
      break
    end
  end
  return n == 1 and found or nil, where
end

-- ---- items -----------------------------------------------------------------------------

-- A law that holds is right if it would have detected an error of this size (in sds, or in total
-- variation). On a loaded machine, a test makes fewer steps. A test that would have detected an error
-- of the size `aim` is not continued.
local words, weak, aim = { holds = "right", broken = "wrong" }, 0.4, 0.15

-- Returns a sentence if a coordinate did not change in any decision of the kernel; otherwise nil.
local function stuck(scenario, kernel, seed)
  local ok, list = pcall(decisions, scenario, kernel, seed, checked_steps)
  for i = 1, ok and #list[1].from or 0 do
    local moves = false
    for _, one in ipairs(list) do moves = moves or one.from[i] ~= one.state[i] end
    if not moves then return ("coordinate %d did not change in %d steps: each coordinate must be able to move"):format(i, #list) end
  end
end

-- Returns the text of a finding in the words of an exercise, which has no option --seconds.
local function said(text)
  return (text:gsub(": increase %-%-seconds", ""):gsub("p = 0%.0e%+00", "p < 1e-300"))
end

-- Returns the item of a law. A law that stays undecided is tested again with four times the
-- seconds. If a coordinate never moves, it is broken.
local function law_item(scenario, kernel, seed, law, judge)
  local seconds = judge.seconds or 5
  local item = { item = "law " .. law, verdict = "not decided", say = "the law says nothing about this kernel on this target" }
  for _, factor in ipairs { 1, 4 } do
    core.extend(2 * seconds * factor + limit)
    local run = open(scenario, kernel, seed)
    local findings, fault = core.run_check(run, seconds * factor, law, "mine", nil, judge.aim or aim)
    for _, f in ipairs(findings) do
      if f.verdict == "broken" or f.law == law and item.verdict ~= "wrong" then
        item.verdict, item.say = f.error and f.error > weak and "not decided" or words[f.verdict] or "not decided", said(f.text)
        item.p = tonumber(f.text:match "p = ([%d.e+-]*%d)")
        item.steps = tonumber(f.text:match "(%d+) weighted draws" or f.text:match "(%d+) draws" or f.text:match "(%d+) decisions")
      end
    end
    if fault then item.verdict, item.say = "wrong", fault end
    local still = item.verdict == "not decided" and stuck(scenario, kernel, seed)
    if still then item.verdict, item.say, item.p = "wrong", still, nil end
    if item.verdict ~= "not decided" or #findings == 0 then break end
  end
  if item.verdict == "right" then item.could_see, item.say = item.say:match "; (.* would have been detected.*)$" or item.say, nil end
  return item
end

-- Returns how far x is from the claimed range, and the tolerance.
local function distance(claim, x)
  if claim.near then return abs(x - claim.near), claim.within or 0 end
  return math.max((claim.at_least or -huge) - x, x - (claim.at_most or huge), 0), 0.05 * abs(claim.at_least or claim.at_most or 0)
end

-- Returns the name of the item of a claim: its figure, and the arm with which it is compared.
local function claim_name(c)
  local other = c.ratio_to and " / that of " .. c.ratio_to or c.less_than and " - that of " .. c.less_than or ""
  return "claim " .. m.figure_in_words { stat = c.stat, of = c.of } .. other
end

local function claim_item(j)
  local c, x = j.claim, j.value
  local item = { item = claim_name(c), measured = x, mcse = j.error, near = c.near, within = c.within, at_least = c.at_least, at_most = c.at_most }
  if x ~= x then
    item.verdict, item.say = "not decided", j.reason or "it could not be measured"
    return item
  end
  local off, within = distance(c, x)
  if c.near and j.error > within then
    item.verdict, item.say = "not decided", "its Monte Carlo error is too large"
  elseif off <= (c.near and within or 0) then item.verdict = "right"
  elseif j.error == j.error and off > within and off - 3 * j.error <= within and j.error > within / 2 then
    item.verdict, item.say = "not decided", "its Monte Carlo error is too large"
  elseif off <= (c.near and 3 or 1) * within then item.verdict = "nearly"
  else item.verdict = "wrong" end
  return item
end

local function claim_items(scenario, exercise, kernel, seed)
  local list = {}
  for i, c in ipairs(exercise.judge.claims or {}) do
    list[i] = { arm = "mine" }
    for k, v in next, c do list[i][k] = v end
  end
  if #list == 0 then return {} end
  core.extend(claim_limit)
  local budget, items = scenario.budget, {}
  local arms = { mine = kernel }
  for name, arm in next, exercise.judge.arms or {} do arms[name] = arm end
  local run = cs.open { target = scenario.target, chains = scenario.chains or 4, seed = seed, start = scenario.start,
                        budget = budget, warmup = scenario.warmup, arms = arms }
  local ok, why = pcall(run.step, run, budget.steps)
  for i, j in ipairs(ok and m.judge(run, list) or {}) do items[i] = claim_item(j) end
  if not ok then items[1] = { item = "claims", verdict = "wrong", say = tostring(why) } end
  return items
end

-- Returns the items of the tests, or nil and the error of the first test that failed: then the
-- answers do not have the expected form.
local function test_items(scenario, exercise, answers)
  local items = {}
  for i, test in ipairs(exercise.judge.tests or {}) do
    core.extend(test_limit)
    local ok, part, say = pcall(test[2], answers, scenario)
    if not ok then return nil, ("%s: %s"):format(test[1], tostring(part)) end
    if type(part) == "boolean" then part = part and 1 or 0 end
    if not (type(part) == "number" and part >= 0 and part <= 1) then
      m.fail(("the test '%s' returned %s"):format(test[1], tostring(part)), "return true, false, or a share of the points from 0 to 1")
    end
    items[i] = { item = test[1], part = part, say = say, verdict = part == 1 and "right" or part > 0 and "nearly" or "wrong" }
  end
  return items
end

-- Returns the first known slip that the exercise recognises in the answers.
local function answer_slip(scenario, exercise, answers)
  for _, slip in ipairs(exercise.judge.slips or {}) do
    core.extend(test_limit)
    local ok, found = pcall(slip[3], answers, scenario)
    if ok and found then return { name = slip[1], say = slip[2] } end
  end
end

-- ---- points ----------------------------------------------------------------------------

local total, form_points, law_points, hidden_points = 10, 1, 5, 3

local function share(items, points)
  for _, item in ipairs(items) do
    item.of = points / #items
    local part = item.part or item.verdict == "right" and 1 or item.verdict == "nearly" and 0.5 or 0
    item.points = part * item.of
  end
end

-- Returns the entries of several lists.
local function joined(lists)
  local out = {}
  for _, list in ipairs(lists) do table.move(list, 1, #list, #out + 1, out) end
  return out
end

-- Takes the points of the claims if a law is broken.
local function void(laws, claims)
  local broken = false
  for _, item in ipairs(laws) do broken = broken or item.verdict == "wrong" end
  for _, item in ipairs(claims) do
    if broken and item.points > 0 then
      item.points = 0
      item.say = item.say or "not counted, because a law is broken"
    end
  end
end

-- Gives points: the form 1, laws and tests 5, claims 4; or, if the exercise has a hidden judge, 3
-- to each of laws and tests, claims, and hidden items. `found` and `hidden` are parts (new_part). A claim counts only if no law is broken.
local function give_points(form, found, hidden)
  share({ form }, form_points)
  local left = total - form_points - (hidden and hidden_points or 0)
  local judged = joined { found.laws, found.tests }
  local for_laws = #found.claims == 0 and left or #judged == 0 and 0 or hidden and hidden_points or law_points
  share(judged, for_laws)
  share(found.claims, left - for_laws)
  void(found.laws, found.claims)
  if hidden then
    share(joined { hidden.laws, hidden.tests, hidden.claims }, hidden_points)
    void(hidden.laws, hidden.claims)
  end
end

local function status_of(items)
  local found = {}
  for _, item in ipairs(items) do found[item.verdict] = true end
  return found.wrong and "wrong" or found["not decided"] and "not decided" or found.nearly and "nearly" or "right"
end

-- ---- marking ---------------------------------------------------------------------------

local function form_item(scenario, exercise, kernel, why, seed)
  if why then return { item = "form", verdict = "wrong", say = why } end
  local given = exercise.judge.proposal and scenario.arms and scenario.arms.given
  local ok, same = true, true
  if given then ok, same = pcall(same_proposals, scenario, kernel, given, seed) end
  if not ok then return { item = "form", verdict = "wrong", say = tostring(same) } end
  if not same then return { item = "form", verdict = "wrong", say = "your proposals are not those of the skeleton: keep its function `propose`" } end
  return { item = "form", verdict = "right" }
end

-- A part of a judgement has the fields laws, tests and claims, which are lists of items; and the
-- scenario, the exercise and the kernel that are judged.
local function new_part(scenario, exercise, kernel)
  return { scenario = scenario, exercise = exercise, kernel = kernel, laws = {}, tests = {}, claims = {} }
end

-- Adds the items of tests and laws. Returns the error of a test, because the answers do not have
-- the form that the test expects; otherwise nil.
local function judge_tests_and_laws(part, value, seed)
  local judge, tests, why = part.exercise.judge, test_items(part.scenario, part.exercise, value)
  if not tests then return why end
  part.tests = tests
  for i, law in ipairs(judge.laws or {}) do
    part.laws[i] = law_item(part.scenario, part.kernel, seed, law, judge)
  end
end

-- Checks the table of a hidden judge.
local function check_hidden(h, kernel)
  local ok, why = pcall(function()
    m.check("a hidden judge", h, m.rows.exercise_hidden)
    check_judge(h)
    if (h.laws or h.claims) and not (kernel or h.kernel) then m.fail("laws and claims need a kernel", "add the field kernel") end
  end)
  if not ok then m.fail("the hidden judge is broken: " .. tostring(why)) end
end

-- Returns the part of the hidden judge with the items of its tests and laws, or nil if the exercise
-- has no hidden judge. `h` is the table of its file, or nil if this is not here.
local function hidden_part(scenario, exercise, kernel, value, seed, h)
  if not exercise.judge.hidden then return nil end
  if not h then
    local part = new_part(nil, exercise)
    part.tests[1] = { item = "judge", verdict = "hidden", say = "hidden, not judged here" }
    return part
  end
  check_hidden(h, kernel)
  core.extend(test_limit)
  local part = new_part({ target = h.target or scenario.target, chains = h.chains or scenario.chains, budget = h.budget or scenario.budget,
                          start = h.start or not h.target and scenario.start or nil, warmup = h.warmup or scenario.warmup }, { judge = h }, kernel)
  local why
  if h.kernel then part.kernel, why = kernel_of(part.exercise, value) end
  why = why or judge_tests_and_laws(part, value, seed)
  if why then
    part = new_part(nil, exercise)
    part.tests[1] = { item = "judge", verdict = "wrong", say = why }
  end
  return part
end

-- Adds the items of claims. They come last, because their runs extend the limit of time.
local function judge_claims(part, seed)
  if part and part.scenario then part.claims = claim_items(part.scenario, part.exercise, part.kernel, seed) end
end

-- Adds the known slip, and the first wrong ratio, to the first item that is not right.
local function name_slip(scenario, exercise, kernel, value, seed, sealed, items)
  local slip, where = answer_slip(scenario, exercise, value), nil
  if not slip and kernel then slip, where = slip_of(scenario, exercise, kernel, seed, sealed) end
  for _, item in ipairs(items) do
    if item.verdict == "wrong" or item.verdict == "nearly" then
      item.where = item.item:find "^law" and where or nil
      if slip then item.slip, item.say = slip.name, slip.say end
      return
    end
  end
end

-- Judges a hand-in by its kernel (nil: it did not load; false: it has only answers) and its value.
-- `o` has the sealed hand-ins and the table of the hidden judge. Returns the items.
local function judged(scenario, exercise, kernel, why, o, seed)
  local form = form_item(scenario, exercise, kernel, why, seed)
  local found, hidden = new_part(scenario, exercise, kernel), nil
  if form.verdict == "right" then
    local misfit = judge_tests_and_laws(found, o.value, seed)
    if misfit then form.verdict, form.say = "wrong", misfit
    else
      hidden = hidden_part(scenario, exercise, kernel, o.value, seed, o.hidden)
      judge_claims(found, seed)
      judge_claims(hidden, seed)
    end
  end
  give_points(form, found, hidden)
  local open, secret = joined { { form }, found.laws, found.tests, found.claims }, hidden and joined { hidden.laws, hidden.tests, hidden.claims } or {}
  for _, item in ipairs(secret) do item.item, item.hidden = "hidden " .. item.item, true end
  local items = joined { open, secret }
  if form.verdict ~= "right" then form.of = total end
  local status = status_of(items)
  if (status == "wrong" or status == "nearly") and form.verdict == "right" then
    name_slip(scenario, exercise, kernel, o.value, seed, o.sealed, open)
  end
  return items, kernel ~= nil and status or "not loaded"
end

-- ---- reports ---------------------------------------------------------------------------

local function short(x) return ("%.4g"):format(x) end
local function state_text(list)
  local out = {}
  for i = 1, list.n do out[i] = short(list[i]) end
  return table.concat(out, ", ")
end

local function claim_text(i)
  local text = "measured " .. short(i.measured) .. (i.mcse == i.mcse and " +- " .. ("%.2g"):format(i.mcse) or "")
  if i.near then return text .. (", expected %s, within %s"):format(short(i.near), short(i.within)) end
  if i.at_least then text = text .. ", expected at least " .. short(i.at_least) end
  if i.at_most then text = text .. ", expected at most " .. short(i.at_most) end
  return text
end

local function report_lines(r)
  local head = ("%s: %s: %s, %s of %d points"):format(r.exercise, r.file, r.status, short(r.points), r.of)
  local lines = { head .. (r.hints > 0 and (" (%d %s read)"):format(r.hints, r.hints == 1 and "hint" or "hints") or "") }
  local width = 24
  for _, i in ipairs(r.items) do width = math.max(width, #i.item) end
  for _, i in ipairs(r.items) do
    local line = ("  %-" .. width .. "s %-11s %s of %s"):format(i.item, i.verdict, short(i.points), short(i.of))
    if i.measured and i.measured == i.measured then line = line .. "  " .. claim_text(i) end
    if i.verdict == "wrong" and i.p then line = line .. said(("  p = %.1e"):format(i.p)) end
    lines[#lines + 1] = line
    if i.say then lines[#lines + 1] = "    " .. i.say end
    if i.could_see then lines[#lines + 1] = "    " .. i.could_see end
    local w = i.where
    if w then
      lines[#lines + 1] = ("    for a step from %s to %s, your log ratio is %s; %s is right"):format(state_text(w.from), state_text(w.to), short(w.log_ratio), short(w.right))
    end
  end
  if r.solution then lines[#lines + 1] = "  the solution was read: no points" end
  return table.concat(lines, "\n") .. "\n"
end

local function csv_word(text) return text:find '[",\n]' and '"' .. text:gsub('"', '""') .. '"' or text end
local forms = {
  text = report_lines,
  jsonl = function(r) return json(r) .. "\n" end,
  csv = function(r) return ("%s,%s,%s\n"):format(csv_word(r.file), short(r.points), r.status) end,
}

-- ---- the words of the program ------------------------------------------------------------

local function exercise_of(scenario)
  local e = type(scenario) == "table" and rawget(scenario, "exercise")
  if type(e) ~= "table" then m.fail("the scenario has no exercise", "see `chainscope exercise` for a list") end
  m.check_exercise(e)
  return e
end

local actions = {}

function actions.text(_, e) return e.text .. "\n" end
function actions.skeleton(_, e) return e.skeleton end

-- Returns the week of the course (0: none) and the title, separated by a tab.
function actions.title(scenario)
  local week = (scenario.tags or ""):match "week%-(%d+)" or "0"
  return ("%s\t%s"):format(week, (scenario.title or ""):gsub("^Exercise: ", ""))
end

function actions.hint(_, e, o)
  local hints, k = e.hints or {}, tonumber(o.number)
  if #hints == 0 then return "this exercise has no hints\n" end
  if k > #hints then return ("there are no more hints: all %d were shown\n"):format(#hints) end
  return ("hint %d of %d (%s): %s\n"):format(k, #hints, k > 2 and "free" or "costs 1 point", hints[k])
end

function actions.solution(_, _, o)
  for _, one in ipairs(sealed_hand_ins(o.sealed)) do
    if one.file == "solution" then return one.text end
  end
  m.fail("this release has no solutions", "ask your lecturer")
end

-- Returns a text without its comments and white space.
local function bare(text) return (text:gsub("%-%-[^\n]*", ""):gsub("%s+", "")) end

-- Returns the kernel of the hand-in and nil, or the reason why it is not judged.
local function hand_in(e, o)
  if o.error then return nil, o.error end
  if o.text and bare(o.text) == bare(e.skeleton) then
    return false, "nothing was changed yet: this is the skeleton. Complete it, and mark it again"
  end
  return kernel_of(e, o.value)
end

-- Marks a hand-in. `o` has its text, its value or the error with which it failed to load, its name, its
-- digest, the seed, the hints that were read, the form of the report, and the table of the
-- hidden judge if it is here. The last line of the
-- answer is == and the status.
function actions.mark(scenario, e, o)
  local seed = tonumber(o.seed)
  local begin = core.clock()
  local kernel, why = hand_in(e, o)
  local items, status = judged(scenario, e, kernel, why, o, seed)
  local points, hints = 0, math.min(tonumber(o.hints) or 0, #(e.hints or {})) -- requests after the last hint cost nothing
  for _, item in ipairs(items) do points = points + item.points end
  points = o.read == "1" and 0 or math.max(0, points - math.min(hints, 2))
  local r = { exercise = o.name, version = 1, file = o.file, sha256 = o.sha256, program = core.version, seed = seed, status = status,
              points = points, of = total, hints = hints, solution = o.read == "1" or nil, seconds = floor(100 * (core.clock() - begin)) / 100, items = list_of(items) }
  return forms[o.form](r) .. "== " .. status
end

-- what: text, skeleton, title, hint, solution or mark. Returns the text to print.
function m.words.exercise(what, scenario, o)
  return actions[what](scenario, exercise_of(scenario), o)
end
