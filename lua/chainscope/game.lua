-- The game: three of four arms are correct, one has a planted fault (faulty.lua). The player runs 50
-- steps at a time, compares histograms, and names the broken arm.
local m = ...
local core, cs = m.core, m.cs
local exp, floor, huge, max, min, sqrt = math.exp, math.floor, math.huge, math.max, math.min, math.sqrt

local names = { "a", "b", "c", "d" }
local chains, batch, cells, check_cost, wrong_cost = 4, 50, 40, 30, 50
local playing

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
local function no_sums() return { cell = {}, weight = 0, moved = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0 } end
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

-- Takes the states of the last step into the sums of an arm.
local function take(g, arm, sums)
  for c = 1, chains do
    local x = arm:chain(c):state()
    local before, moved = sums.last[c], false
    for d = 1, #x do moved = moved or before[d] ~= x[d] end
    sums.last[c] = x
    sums.moved = sums.moved + (moved and 1 or 0)
    add(g, sums, x, 1)
  end
end

local function shares_of(sums, n)
  local out = {}
  for i = 1, n do out[i] = (sums.cell[i] or 0) / max(sums.weight, 1e-300) end
  return out
end

local function picture(g)
  local top, lines = 0, { ("step %d, %d chains per arm; %s from %g to %g"):format(g.steps, chains, g.what, g.low, g.high) }
  local shares = { exact = shares_of(g.exact, g.n) }
  for _, name in ipairs(names) do shares[name] = shares_of(g.sums[name], g.n) end
  for _, s in next, shares do
    for i = 1, g.n do top = max(top, s[i] or 0) end
  end
  for _, name in ipairs(names) do
    local s = g.sums[name]
    lines[#lines + 1] = ("%5s |%s| %s  moves %.0f %%"):format(name, bars(shares[name], top, g.n), moments(g, s), 100 * s.moved / max(s.weight, 1))
  end
  lines[#lines + 1] = ("exact |%s| %s"):format(bars(shares.exact, top, g.n), moments(g, g.exact))
  return table.concat(lines, "\n") .. "\n"
end

-- ---- the run ---------------------------------------------------------------------------

-- Returns the range of the histogram: the whole numbers of a discrete target, or the range of
-- coordinate 1 in which nearly all probability is.
local function set_range(g)
  local space = g.target.space
  g.discrete = space ~= "real"
  if space == "binary" then g.low, g.high, g.what = 0, g.target.dim, "number of ones"
  elseif space == "ordinal" then g.low, g.high, g.what = 1, 3, "state"
  elseif g.start then g.low, g.high, g.what = 0, 8, "x"
  else
    local far = g.name == "blind_swap" and 8 or 4
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

local function start(o)
  local seed, list = tonumber(o.seed) or 1, playable()
  local name = o.name or list[1 + seed * 7919 // 13 % #list]
  if not m.is_in(name, list) then
    m.fail("there is no fault '" .. name .. "' to play with", m.suggest(name, list))
  end
  local broken = names[1 + ((seed * 0x9e3779b97f4a7c15 ~ #name << 40) >> 40) % 4]
  local f = cs.faulty[name] { seed = seed }
  local g = { name = name, seed = seed, fault = f, broken = broken, target = f.target, start = f.start, steps = 0, sums = {}, arms = {} }
  set_range(g)
  g.exact = exact(g)
  for i, arm in ipairs(names) do
    -- a run of its own, because the arms of one run have the same random numbers
    local kernel = arm == broken and f.kernel or cs.faulty[name] { seed = seed, correct = true, variant = i }.kernel
    g.arms[arm] = cs.open { target = g.target, chains = chains, seed = seed + 1000 * i, start = g.start, arms = { [arm] = kernel } }
    local sums = no_sums()
    sums.last = {}
    for c = 1, chains do sums.last[c] = g.arms[arm]:arm(1):chain(c):state() end
    g.sums[arm] = sums
  end
  playing = g
  return ([[Four arms sample the target %s. Three are correct, one is broken: find it by its draws.
Each row is the histogram of the draws of an arm: a blank for none, then .:-=+*#%%@ for more and more.
`exact` is the target; `moves` is the share of the steps that changed the state.
Press enter for %d steps, or type a number n for n times %d steps. Type a, b, c or d to name the
broken arm, `check a` to test one arm (once, costs %d points), or `quit` to see the answer.
Naming the broken arm scores 100, minus 10 for each doubling of the first %d steps; a wrong arm scores -%d.
]]):format(g.target.name, batch, batch, check_cost, batch, wrong_cost)
end

local function run(g, n)
  core.extend(30)
  for _ = 1, n * batch do
    g.steps = g.steps + 1
    for _, arm in ipairs(names) do
      g.arms[arm]:step(1)
      take(g, g.arms[arm]:arm(1), g.sums[arm])
    end
  end
  return picture(g)
end

-- ---- the end ---------------------------------------------------------------------------

-- Returns the line of the law that finds the fault.
local function law_line(g)
  core.extend(30)
  for _, f in ipairs(core.run_check(g.arms[g.broken], 5, g.fault.law, nil, 8000)) do
    if f.verdict == "broken" then return ("law %s: %s"):format(f.law, f.text) end
  end
  return ("law %s: not decided in 5 s"):format(g.fault.law)
end

-- Returns a sentence about the first decision in which the correct kernel, with the same random
-- numbers, differs from the faulty one.
local function first_other(g)
  local right = cs.faulty[g.name] { seed = g.seed, correct = true }
  local run = cs.open { target = g.target, chains = chains, seed = g.seed, start = g.start, arms = { wrong = g.fault.kernel, right = right.kernel } }
  for step = 1, 500 do
    run:step(1)
    for c = 1, chains do
      local x, y = run:arm("wrong"):chain(c):state(), run:arm("right"):chain(c):state()
      for d = 1, #x do
        if x[d] ~= y[d] then
          return ("with the same random numbers, the correct kernel first goes elsewhere at step %d (chain %d: %.4g, not %.4g)"):format(step, c, y[d], x[d])
        end
      end
    end
  end
end

local function reveal(g)
  local lines = { ("arm %s was broken: %s"):format(g.broken, g.name), "  wrong: " .. g.fault.wrong, "  right: " .. g.fault.right, "  " .. law_line(g) }
  local other = first_other(g)
  if other then lines[#lines + 1] = "  " .. other end
  lines[#lines + 1] = ("play it again with: chainscope game %s --seed %d"):format(g.name, g.seed)
  return table.concat(lines, "\n") .. "\n"
end

-- Returns the score: 100 less 10 for each doubling of the steps after the first 50.
local function score(g)
  return floor(100 - 10 * math.log(max(g.steps, batch) / batch, 2) + 0.5) - (g.checked and check_cost or 0)
end

local function guess(g, arm)
  playing = nil
  local right = arm == g.broken
  local points = right and score(g) or -wrong_cost - (g.checked and check_cost or 0)
  return ("%s: %d points after %d steps\n"):format(right and "right" or "wrong", points, g.steps) .. reveal(g) .. "== end"
end

local function check(g, arm)
  if not m.is_in(arm, names) then return "name an arm: check a\n" end
  if g.checked then return "check was already used\n" end
  g.checked = arm
  core.extend(60)
  local lines = {}
  for _, f in ipairs(core.run_check(g.arms[arm], 3, nil, arm, 8000)) do
    if f.arm then lines[#lines + 1] = ("  %-12s %s"):format(f.law, f.verdict == "broken" and "BROKEN" or f.verdict) end
  end
  lines[#lines + 1] = "  a broken law shows an error of the arm; a law that holds has found none"
  return ("arm %s was tested; this costs %d points:\n%s\n"):format(arm, check_cost, table.concat(lines, "\n"))
end

-- Obeys a line of the player. The answer ends with the line "== end" when the game is over.
local function line(text)
  local g = playing
  if not g then m.fail("no game is open", "type game start") end
  text = text:lower():match "^%s*(.-)%s*$"
  if text == "" then return run(g, 1) end
  if text:match "^%d+$" then return run(g, max(1, min(tonumber(text), 100))) end
  if m.is_in(text, names) then return guess(g, text) end
  if text:match "^check" then return check(g, text:match "^check%s+(%a)$") end
  if text == "quit" or text == "q" then
    playing = nil
    return reveal(g) .. "== end"
  end
  return ("unknown: '%s'; press enter for %d steps, or type a, b, c, d, `check a` or `quit`\n"):format(text, batch)
end

-- word: "start", with "name=..." and "seed=...", or "line", with the player's text. Returns the text
-- to print.
function m.words.game(word, ...)
  if word == "line" then return line(... or "") end
  if word ~= "start" then m.fail("game: expected `start` or `line`, not '" .. tostring(word) .. "'") end
  local o = {}
  for _, set in ipairs { ... } do
    local key, value = set:match "^(%w+)=(.*)$"
    if key then o[key] = value end
  end
  return start(o)
end
