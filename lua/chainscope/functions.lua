-- Functions of draws as quantities of figures: a Lua expression of the quantities, or a function of
-- a draw. Its value for each draw is a number, or for a condition (of the figure `probability`) true
-- or false.
local m = ...
local core = m.core

-- Returns a table with the quantities of a draw, named as in a scenario (theta[2] for the
-- coordinate theta.2), and a function that fills it from a list of numbers.
local function draw_of(names)
  local draw, places = {}, {}
  for i, name in ipairs(names) do
    local at, key = draw, nil
    for part in name:gmatch "[^.]+" do
      if key ~= nil then
        if type(at[key]) ~= "table" then at[key] = {} end
        at = at[key]
      end
      key = tonumber(part) or part
    end
    places[i] = { at, key }
    at[key] = 0.0 -- as in draws: % and // of an integer 0 are errors
  end
  return draw, function(x)
    draw.lp__ = x[0]
    for i, place in ipairs(places) do place[1][place[2]] = x[i] end
  end
end

local examples = { condition = 'for example of = "mu > 0"', expression = 'for example of = "mu + tau^2"' }

local function refuse_name(name, of, word)
  m.fail("there is no quantity '" .. name .. "' in the " .. word .. " '" .. of .. "'")
end

-- Compiles the function; `word` is its kind, "condition" or "expression". The names of an
-- expression are quantities or functions of `math`. For another name, calls unknown(name, of, word)
-- when it is read; by default this is an error.
local function compile(of, word, draw, unknown)
  if type(of) == "function" then return function() return of(draw) end end
  local names = setmetatable({}, { __index = function(_, name)
    local value = draw[name]
    if value == nil then value = math[name] end
    if value == nil then value = (unknown or refuse_name)(name, of, word) end
    return value
  end })
  local f, why = core.compile(of, names)
  if not f then m.fail("'" .. of .. "' is not a" .. (word == "expression" and "n " or " ") .. word .. ": " .. why, examples[word]) end
  return f
end

-- True if `of` is not a coordinate, but a function or an expression: a text that cannot be a name.
function m.is_function(of, names)
  if type(of) ~= "string" then return type(of) == "function" end
  for _, name in ipairs(names or {}) do
    if name == of then return false end
  end
  return of:find "[^%w_.%s]" ~= nil
end

-- Fails unless `of` is a function, or an expression that can be compiled. If the names of the
-- quantities are known, evaluates it with all quantities 0: it must read no other names, and must
-- not fail.
function m.check_function(of, word, names)
  if type(of) == "function" then return end
  if type(of) ~= "string" then m.fail("a " .. word .. " must be a Lua expression or a function", examples[word]) end
  local draw, missing = draw_of(names or {}), nil
  draw.lp__ = 0.0
  local f = compile(of, word, draw, function(name)
    missing = missing or name
    return 0.0
  end)
  local good, why = true, nil
  if names then good, why = pcall(f) end
  if missing and names then refuse_name(missing, of, word) end
  if not good then m.fail("the " .. word .. " '" .. of .. "' fails: " .. tostring(why), examples[word]) end
  if word == "condition" and names and type(why) ~= "boolean" then
    m.fail("the condition '" .. of .. "' is a " .. core.kind(why) .. ", not true or false", examples[word])
  end
end

-- Returns a function of a table of parameters for a traced function: `of`, or the expression `of`,
-- in which names are parameters or functions of cs.math.
function m.traced_function(of)
  if type(of) == "function" then return of end
  local p
  local names = setmetatable({}, { __index = function(_, name)
    local value, good = rawget(p, name), true
    if value == nil then good, value = pcall(function() return m.cs.math[name] end) end
    if not good or value == nil then refuse_name(name, of, "expression") end
    return value
  end })
  local f, why = core.compile(of, names)
  if not f then m.fail("'" .. of .. "' is not an expression: " .. why, examples.expression) end
  return core.stand_in(function(draw)
    p = draw
    return f()
  end, f)
end

-- Returns a function as it is named in texts: the expression, or the line of the script.
function m.function_name(of) return type(of) == "function" and core.function_line(of) or tostring(of) end

-- The quantities that were added to the facts of an arm: facts -> word -> function -> number.
local known = setmetatable({}, { __mode = "k" })

-- Adds a function of the draws to the facts of a whole arm. Returns its number, which figures take
-- as that of a coordinate; nil: there are no draws.
function m.derive(facts, run, of, word)
  known[facts] = known[facts] or { condition = {}, expression = {} }
  local list = known[facts][word]
  if list[of] then return list[of] end
  local draw, fill = draw_of(run.coordinates)
  local f = compile(of, word, draw)
  local function number(value)
    if word == "condition" or type(value) == "boolean" then return value and 1 or 0 end
    if type(value) == "number" then return value end
    m.fail(("%s returned a %s"):format(m.function_name(of), core.kind(value)), "return a number for each draw")
  end
  list[of] = core.facts_derive(facts, function(x)
    fill(x)
    return number(f())
  end)
  return list[of]
end
