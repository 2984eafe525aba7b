-- The game: a scenario with the field `game`. Three of its four arms are correct, one has a planted
-- fault (faulty.lua), which the seed selects. The player runs 50 steps at a time and names the broken
-- arm. The session sends requests and gets lines "key<tab>value", as for a lesson (lesson.lua); the
-- screen and `chainscope game` send the same moves.
local m = ...
local core, cs = m.core, m.cs
local exp, floor, huge, max, min, sqrt = math.exp, math.floor, math.huge, math.max, math.min, math.sqrt

local names = { "a", "b", "c", "d" }
local chains, batch, cells, check_cost, wrong_cost = 4, 50, 40, 30, 50
local most_moves = 100 -- at once
-- The figures that are covered until the game is over; `kernel` covers the kernels of the arms, and
-- `decision` their accept steps.
local covers = "rhat ess mcse mode_tv log_mmd mean_error mse decision kernel"

-- The game of the open run: what the seed has drawn (`drawn`), the target and the start; the moves,
-- each with its step; the marked arm; the arm that `check` has tested, with its findings; after the
-- end the named arm, the score and the sentences of the reveal.
local game

-- The games whose answer this process has shown, by fault and seed: they score no points again.
local revealed = {}
local function key_of(drawn) return drawn.name .. " " .. drawn.seed end

m.rows.game = {
  fault = { "string", "the name of the planted fault, one of cs.faulty; by default the seed selects it" },
}

-- ---- pictures --------------------------------------------------------------------------

-- Returns the number by which a state is counted: its first coordinate, or the number of ones.
local function measure(x, target)
  if target.space ~= "binary" then return x[1] end
  local sum = 0
  for i = 1, #x do sum = sum + x[i] end
  return sum
end

-- Calls f(x) for the states of a grid, or for all states of a discrete target.
local function each_state(g, f)
  local target = g.target
  if target.space == "binary" then
    for a = 0, 2^target.dim - 1 do
      local x = {}
      for i = 1, target.dim do x[i] = math.tointeger(a) >> (i - 1) & 1 end
      f(x)
    end
  elseif target.space == "ordinal" then
    for a = 1, 3 do f { a } end
  else
    local step = (g.high - g.low) / cells
    for i = 1 - 2 * cells, 3 * cells do -- also outside the histogram, so that the moments are exact
      local a = g.low + (i - 0.5) * step
      if target.dim == 1 then f { a }
      else
        for k = -60, 60 do f { a, k * 0.25 } end
      end
    end
  end
end

local function cell_of(g, value)
  if g.discrete then return floor(value - g.low) + 1 end
  return floor((value - g.low) / (g.high - g.low) * cells) + 1
end

-- Sums of weighted states: the cells of the histogram, and the first two moments.
local function no_sums() return { cell = {}, weight = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0 } end
local function add(g, sums, x, weight)
  local u, v = measure(x, g.target), x[2] or 0
  local i = cell_of(g, u)
  sums.cell[i] = (sums.cell[i] or 0) + weight
  sums.weight = sums.weight + weight
  sums.x, sums.y = sums.x + weight * u, sums.y + weight * v
  sums.xx, sums.yy, sums.xy = sums.xx + weight * u * u, sums.yy + weight * v * v, sums.xy + weight * u * v
end

-- Returns the sums of the target itself, over a grid.
local function exact(g)
  local sums, top = no_sums(), -huge
  each_state(g, function(x) top = max(top, g.target:log_density(x)) end)
  each_state(g, function(x) add(g, sums, x, exp(g.target:log_density(x) - top)) end)
  return sums
end

-- Returns the mean, the sd and, in two dimensions, the correlation in words.
local function moments(g, s)
  local n = max(s.weight, 1e-300)
  local mx, my = s.x / n, s.y / n
  local vx, vy = s.xx / n - mx^2, s.yy / n - my^2
  local text = ("mean %5.2f  sd %4.2f"):format(mx, sqrt(max(vx, 0)))
  if not g.discrete and g.target.dim == 2 then
    text = text .. ("  corr %5.2f"):format((s.xy / n - mx * my) / sqrt(max(vx * vy, 1e-300)))
  end
  return text
end

local heights = { [0] = " ", ".", ":", "-", "=", "+", "*", "#", "%", "@" }
local function bars(shares, top, n)
  local out = {}
  for i = 1, n do
    local share = shares[i] or 0
    out[i] = heights[share > 0.002 and max(1, min(floor(9 * share / top + 0.5), 9)) or 0]
  end
  return table.concat(out)
end

-- Returns the sums of the stored draws of an arm.
local function sums_of(g, arm)
  local sums = no_sums()
  for c = 1, chains do
    for _, x in ipairs((g.run:arm(arm):chain(c):draws())) do add(g, sums, x, 1) end
  end
  return sums
end

local function shares_of(sums, n)
  local out = {}
  for i = 1, n do out[i] = (sums.cell[i] or 0) / max(sums.weight, 1e-300) end
  return out
end

local function picture(g)
  local top, lines = 0, { ("step %d, %d chains per arm; %s from %g to %g"):format(g.run.steps, chains, g.what, g.low, g.high) }
  g.exact = g.exact or exact(g)
  local sums, shares = {}, { exact = shares_of(g.exact, g.n) }
  for _, name in ipairs(names) do
    sums[name] = sums_of(g, name)
    shares[name] = shares_of(sums[name], g.n)
  end
  for _, s in next, shares do
    for i = 1, g.n do top = max(top, s[i] or 0) end
  end
  for _, name in ipairs(names) do
    lines[#lines + 1] = ("%5s |%s| %s  moves %.0f %%"):format(name, bars(shares[name], top, g.n), moments(g, sums[name]),
                                                              100 * (g.run:arm(name):figure "moved" or 0))
  end
  lines[#lines + 1] = ("exact |%s| %s"):format(bars(shares.exact, top, g.n), moments(g, g.exact))
  return table.concat(lines, "\n") .. "\n"
end

-- ---- the scenario ----------------------------------------------------------------------

-- Returns the range of the histogram: the whole numbers of a discrete target, or the range of
-- coordinate 1 in which nearly all probability is.
local function set_range(g)
  local space = g.target.space
  g.discrete = space ~= "real"
  if space == "binary" then g.low, g.high, g.what = 0, g.target.dim, "number of ones"
  elseif space == "ordinal" then g.low, g.high, g.what = 1, 3, "state"
  elseif g.start then g.low, g.high, g.what = 0, 8, "x"
  else
    local far = g.drawn.name == "blind_swap" and 8 or 4
    g.low, g.high, g.what = -far, far, "coordinate 1"
  end
  g.n = g.discrete and g.high - g.low + 1 or cells
end

local function playable()
  local list = {}
  for _, name in ipairs(m.faulty_names()) do
    if cs.faulty[name] {}.runs then list[#list + 1] = name end
  end
  return list
end

-- Returns the panels: traces, the map or the picture of the states, and acceptance.
local function panels_of(target)
  if target.space == "binary" then return { "lesson", "trace", "picture", "acceptance" } end
  local plane = target.space == "real" and target.dim == 2 and "map" or { "marginal", quantity = "x.1" }
  return { "lesson", { "trace", quantity = "x.1" }, plane, "acceptance" }
end

-- What the seed has drawn for each scenario that m.game_made has returned.
local drawn_for = setmetatable({}, { __mode = "k" })

-- Fails if a setting changes what the seed draws, or the chains of a move.
local function refuse_changes(sets)
  for _, set in ipairs(sets or {}) do
    local name, value = set:match "^([^=]*)=(.*)$"
    if name and name:find "[.#]" then
      m.fail("the arms and the target of a game cannot be changed", "leave '" .. set .. "' out: the seed draws them")
    end
    if name == "chains" or name == "warmup" and tonumber(value) ~= 0 then
      m.fail("cannot set '" .. name .. "' of a game", ("each arm has %d chains without a warm-up"):format(chains))
    end
  end
end

-- Returns a copy of a scenario with the field `game`, with the target and the arms that the seed
-- draws. `fault` is the name of the fault, or nil; `sets` are the settings of the run, or nil.
function m.game_made(t, seed, fault, sets)
  m.check("game", t.game, m.rows.game)
  m.check("game", { seed = seed }, { seed = m.rows.run.seed })
  refuse_changes(sets)
  seed = math.tointeger(seed)
  local list, copy = playable(), {}
  local name = fault or t.game.fault or list[1 + seed * 7919 // 13 % #list]
  if not m.is_in(name, list) then
    m.fail("there is no fault '" .. name .. "' to play with", m.suggest(name, list))
  end
  for key, value in next, t do copy[key] = value end
  local broken = names[1 + ((seed * 0x9e3779b97f4a7c15 ~ #name << 40) >> 40) % 4]
  local f = cs.faulty[name] { seed = seed }
  copy.arms = {}
  for i, arm in ipairs(names) do
    local kernel = arm == broken and f.kernel or cs.faulty[name] { seed = seed, correct = true, variant = i }.kernel
    copy.arms[i] = { name = arm, kernel = kernel }
  end
  -- with common random numbers, the three correct arms would move alike
  copy.independent_arms = true
  -- log p of the target for every arm: that a kernel does not compute it would tell it apart
  copy.probes = { trace = { true_logp = true }, energy = { true_logp = true }, diagnostics = { true_logp = true } }
  copy.target, copy.start, copy.chains, copy.warmup, copy.seed = f.target, f.start, chains, 0, seed
  copy.screen = t.screen or panels_of(f.target)
  drawn_for[copy] = { name = name, seed = seed, fault = f, broken = broken, start = f.start, target = f.target }
  return copy
end

-- Fields of scenarios that a game does not have.
local without = { "target", "arms", "start", "chains", "warmup", "independent_arms", "probes", "course", "stages", "stage",
  "full", "stop", "predictive", "kfold", "sbc", "exercise" }

-- Returns the scenario that cs.scenario returns for a table with the field `game`.
function m.game_scenario(t)
  for _, field in ipairs(without) do
    if rawget(t, field) ~= nil then m.fail("a game has no field '" .. field .. "'", "leave it out: the seed draws the target and the arms") end
  end
  local made = m.game_made(t, rawget(t, "seed") or 0)
  made.screen = t.screen -- another seed has panels for another target
  return made
end

-- Returns what the seed has drawn for a scenario of m.game_made, for the memory of its run.
function m.game_drawn(t) return drawn_for[t] end

-- ---- the score and the reveal ------------------------------------------------------------

-- Returns the score of an answer: 100 less 10 for each doubling of the steps after the first 50 if it is
-- right; 0 if the answer was known.
local function score_of(g, steps, right)
  if g.known then return 0 end
  local base = right and floor(100 - 10 * math.log(max(steps, batch) / batch, 2) + 0.5) or -wrong_cost
  return base - (g.checked and check_cost or 0)
end

-- Returns the line of the law that finds the fault.
local function law_line(g)
  core.extend(30)
  for _, f in ipairs(core.run_check(g.run, 5, g.drawn.fault.law, g.drawn.broken, 8000)) do
    if f.verdict == "broken" then return ("law %s: %s"):format(f.law, f.text) end
  end
  return ("law %s: not decided in 5 s"):format(g.drawn.fault.law)
end

-- Returns a run of the broken arm with this kernel, with the random numbers that the arm has in the game.
local function run_of(d, kernel)
  return m.open("open", { title = "", target = d.target, chains = chains, warmup = 0, seed = d.seed, start = d.start,
                          independent_arms = true, arms = { [d.broken] = kernel } }, {})
end

-- Returns a sentence about the first step of the broken arm after which the correct kernel, with the
-- same random numbers, is in another state; nil if the states of 500 steps agree.
local function first_other(g)
  local d = g.drawn
  local wrong = run_of(d, d.fault.kernel)
  local right = run_of(d, cs.faulty[d.name] { seed = d.seed, correct = true }.kernel)
  for step = 1, 500 do
    wrong:step(1)
    right:step(1)
    for c = 1, chains do
      local x, y = wrong:arm(1):chain(c):state(), right:arm(1):chain(c):state()
      for i = 1, #x do
        if x[i] ~= y[i] then
          return ("with the same random numbers, the correct kernel first goes elsewhere at step %d (chain %d: %.4g, not %.4g)"):format(step, c, y[i], x[i])
        end
      end
    end
  end
end

-- Returns the sentences of the reveal.
local function reveal(g)
  local d = g.drawn
  local out = { ("arm %s was broken: %s"):format(d.broken, d.name), "wrong: " .. d.fault.wrong, "right: " .. d.fault.right, law_line(g) }
  out[#out + 1] = first_other(g)
  return out
end

-- Returns the sentence with the score.
local function score_line(g)
  if not g.named then return "the answer was asked for: no points" end
  return ("%s: %d points after %d steps"):format(g.named == g.drawn.broken and "right" or "wrong", g.score, g.ended)
end

-- ---- the state ---------------------------------------------------------------------------

local function check_line(g)
  local broken, holds = {}, {}
  for _, f in ipairs(g.findings) do
    if f.verdict == "broken" then broken[#broken + 1] = f.law elseif f.verdict == "holds" then holds[#holds + 1] = f.law end
  end
  local text = #broken > 0 and "BROKEN: " .. table.concat(broken, ", ") or "no broken law found; it holds " .. table.concat(holds, ", ")
  return ("check of %s: %s."):format(g.checked, text)
end

-- Returns the sentence above the arms: the score that a right answer has now.
local function sentence(g)
  local text = "Three arms sample the target correctly, one has a fault."
  if g.known then text = "The answer was shown before: this game scores no points."
  elseif g.run.steps > 0 then
    text = ("Step %d: the right arm scores %d, a wrong one %d."):format(g.run.steps, score_of(g, g.run.steps, true), score_of(g, g.run.steps, false))
  end
  return text .. (g.checked and "\r" .. check_line(g) or "")
end

local function capital(text) return (text:gsub("^%l", string.upper)) end

-- Returns the lines that describe the game, and commands for the session.
local function state(g, commands)
  local lines, over = {}, g.reveal ~= nil
  local function put(key, value) lines[#lines + 1] = key .. "\t" .. tostring(value):gsub("[\n\t]", " ") end
  local step = over and 2 or 1
  put("step", step)
  put("of", step) -- a walk through the steps of lessons ends here
  put("kind", "game")
  put("ask", "Which arm is broken?")
  put("asked", 1)
  local words = {}
  for i, panel in ipairs(g.panels) do words[i] = m.panel_word(panel) end
  put("panels", table.concat(words, " "))
  put("choices", table.concat(names, "\r"))
  if over then
    local said = { capital(score_line(g)) .. "." }
    for _, text in ipairs(g.reveal) do said[#said + 1] = capital(text) end
    put("text", table.concat(said, "\r"))
    put("answer", g.named or "")
    put("truth", g.drawn.broken)
    put("mark", not g.named and "none" or g.named == g.drawn.broken and "right" or "wrong")
    if not g.known then put("points", ("%d 100"):format(max(g.score or 0, 0))) end -- the session stores it
    put("over", 1)
  else
    put("text", g.failed or sentence(g))
    put("chosen", g.marked or "")
    put("covers", covers)
  end
  for _, one in ipairs(commands or {}) do put("do", one) end
  return table.concat(lines, "\n")
end

-- ---- moves -------------------------------------------------------------------------------

local function note(g, text) g.moves[#g.moves + 1] = { at = g.run.steps, text = text } end

local function index_of(arm)
  for i, name in ipairs(names) do
    if arm == name or arm == tostring(i) then return i end
  end
end

local function run(g, n)
  note(g, ("run %d"):format(n))
  return state(g, { ("step %d"):format(n * batch) })
end

-- Ends the game. `arm` is the player's answer, or nil.
local function finish(g, arm)
  local sentences = reveal(g) -- may be interrupted: then the game is still open
  note(g, arm and "name " .. arm or "quit")
  g.named, g.ended, g.marked, g.reveal = arm, g.run.steps, nil, sentences
  g.score = arm and score_of(g, g.run.steps, arm == g.drawn.broken) or nil
  revealed[key_of(g.drawn)] = true
  return state(g)
end

-- Marks an arm; the arm that is already marked is named.
local function mark(g, i)
  if g.marked == i then return finish(g, names[i]) end
  g.marked = i
  return state(g, { "look " .. names[i] })
end

local function check(g, i)
  i = i or g.marked
  if not i then m.fail("check: no arm is named", "check a, or mark an arm by its digit first") end
  if g.checked then m.fail("check was already used: it is allowed once") end
  core.extend(60)
  g.findings = {}
  for _, f in ipairs(core.run_check(g.run, 3, nil, names[i], 8000)) do
    if f.arm then g.findings[#g.findings + 1] = { law = f.law, verdict = f.verdict } end
  end
  g.checked = names[i]
  note(g, "check " .. names[i])
  return state(g)
end

local function unknown(text)
  m.fail(("the game has no move '%s'"):format(text), ("give a number of moves of %d steps, 1 to %d, an arm a, b, c or d, `check a` or `quit`"):format(batch, most_moves))
end

-- Obeys a move: "" or a number from 1 to 100 (times 50 steps), an arm, "check ARM", "mark ARM", or "quit".
local function move(g, text)
  text = text:lower():match "^%s*(.-)%s*$"
  if g.reveal then m.fail("the game is over", "`seed` starts another one") end
  g.failed = nil
  if text == "" then return run(g, 1) end
  local n = text:match "^%d+$" and math.tointeger(tonumber(text))
  if n and n >= 1 and n <= most_moves then return run(g, n) end
  local word, arm = text:match "^(%l+)%s*(.*)$"
  local i = index_of(arm or "")
  if m.is_in(text, names) then return finish(g, text) end
  if text == "quit" or text == "q" then return finish(g) end
  if word == "check" and (i or arm == "") then return check(g, i) end
  if word == "mark" and i then return mark(g, i) end
  unknown(text)
end

-- ---- lines -------------------------------------------------------------------------------

local function rules(g)
  return ([[Four arms sample the target %s. Three are correct, one is broken: find it by its draws.
Each row is the histogram of the draws of an arm: a blank for none, then .:-=+*#%%@ for more and more.
`exact` is the target; `moves` is the share of the steps that changed the state.
Press enter for %d steps, or type a number n for n times %d steps. Type a, b, c or d to name the
broken arm, `check a` to test one arm (once, costs %d points), or `quit` to see the answer.
Naming the broken arm scores 100, minus 10 for each doubling of the first %d steps; a wrong arm scores -%d.
]]):format(g.target.name, batch, batch, check_cost, batch, wrong_cost)
end

local function check_lines(g)
  local lines = {}
  for i, f in ipairs(g.findings) do lines[i] = ("  %-12s %s"):format(f.law, f.verdict == "broken" and "BROKEN" or f.verdict) end
  lines[#lines + 1] = "  a broken law shows an error of the arm; a law that holds has found none"
  return ("arm %s was tested; this costs %d points:\n%s\n"):format(g.checked, check_cost, table.concat(lines, "\n"))
end

-- Returns the text that `chainscope game` prints after a move. The answer ends with the line "== end"
-- when the game is over.
local function lines(g)
  local last = g.moves[#g.moves]
  if not last then return rules(g) end
  if g.reveal then
    return ("%s\n%s\nplay it again with: chainscope game %s --seed %d\n== end"):format(score_line(g), table.concat(g.reveal, "\n  "), g.drawn.name, g.drawn.seed)
  end
  return last.text:find "^check" and check_lines(g) or picture(g)
end

-- ---- journal -----------------------------------------------------------------------------

-- Returns the lines that describe the game in a journal. Those of an answer have the form of a
-- lesson, so that `chainscope course results` counts it.
local function journal(g)
  local out = {}
  for _, one in ipairs(g.moves) do out[#out + 1] = ("move %d %s"):format(one.at, one.text) end
  for _, f in ipairs(g.findings or {}) do out[#out + 1] = ("found %s %s"):format(f.law, f.verdict) end
  for _, text in ipairs(g.reveal or {}) do out[#out + 1] = "reveal " .. text end
  if g.named then
    local i, mark = index_of(g.named), g.named == g.drawn.broken and "right" or "wrong"
    out[#out + 1] = ("answer 1 %d; first %d; %s; truth %s"):format(i, i, mark, g.drawn.broken)
    out[#out + 1] = "first 1 " .. mark
    out[#out + 1] = ("score %d"):format(g.score)
  end
  return table.concat(out, "\n")
end

-- Restores the moves and the findings from such lines, up to the step of the run.
local function restore(g, text)
  for line in text:gmatch "[^\n]+" do
    local at, words = line:match "^move (%d+) (.*)$"
    local law, verdict = line:match "^found (%S+) (%l+)$"
    local sentence = line:match "^reveal (.*)$"
    at = math.tointeger(tonumber(at))
    if at and at <= g.run.steps then
      g.moves[#g.moves + 1] = { at = at, text = words }
      local arm = words:match " (%a)$"
      if words:find "^check %a$" and index_of(arm) then g.checked, g.findings = arm, g.findings or {} end
      if words:find "^name %a$" and index_of(arm) or words == "quit" then g.named, g.ended = arm, at end
    elseif line:find "^score " then g.score = math.tointeger(tonumber(line:sub(7)))
    elseif law and g.findings then g.findings[#g.findings + 1] = { law = law, verdict = verdict }
    elseif sentence and g.ended then
      g.reveal = g.reveal or {}
      g.reveal[#g.reveal + 1] = sentence
    end
  end
  if g.named then g.score = g.score or score_of(g, g.ended, g.named == g.drawn.broken) end
  if g.ended then -- a game of the past is not a result of this user
    g.reveal, g.known, revealed[key_of(g.drawn)] = g.reveal or reveal(g), true, true
  end
  return state(g)
end

-- ---- requests ----------------------------------------------------------------------------

local function start(now, drawn)
  game = { run = now, drawn = drawn, target = drawn.target, start = drawn.start, panels = core.run_memory(now).screen, moves = {},
           known = revealed[key_of(drawn)] }
  set_range(game)
  return state(game)
end

local requests = {
  move = move, lines = lines, journal = journal, restore = restore,
  next = function(g) return move(g, "") end,
  answer = function(g, text) return move(g, "mark " .. text) end,
  back = function() m.fail("the game only goes forward", "`seed` starts another one") end,
  state = function(g) return state(g) end,
  broken = function(g, why)
    g.failed = why
    return state(g)
  end,
}

-- Handles the request "start", "move TEXT", "next", "answer ARM", "state", "lines", "journal",
-- "restore LINES" or "broken WHY" for a run whose scenario has the field `game`.
function m.game(now, request)
  local word, rest = request:match "^(%l+)%s?(.*)$"
  local drawn = core.run_memory(now).game
  if word == "start" or not game or game.run ~= now then start(now, drawn) end
  if word == "start" then return state(game) end
  local f = requests[word] or m.fail(("a game has no `%s`"):format(word), "`game` makes a move")
  return f(game, rest)
end
