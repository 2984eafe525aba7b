-- Conditions on draws, for the figure `probability`: a Lua expression of the quantities, or a
-- function of a draw. Each chain gives the share of its draws for which the condition holds.
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

local function refuse_name(name, of)
  m.fail("there is no quantity '" .. name .. "' in the condition '" .. of .. "'")
end

-- Compiles the condition. The names of an expression are quantities or functions of `math`. For
-- another name, calls unknown(name, of) when it is read; by default this is an error.
local function compile(of, draw, unknown)
  if type(of) == "function" then return function() return of(draw) end end
  local names = setmetatable({}, { __index = function(_, name)
    local value = draw[name]
    if value == nil then value = math[name] end
    if value == nil then value = (unknown or refuse_name)(name, of) end
    return value
  end })
  local f, why = core.compile(of, names)
  if not f then m.fail("'" .. of .. "' is not a condition: " .. why, 'for example of = "mu > 0"') end
  return f
end

-- Fails unless `of` is a condition. If the names of the quantities are known, evaluates it with all
-- quantities 0: it must read no other names, and must not fail.
function m.check_condition(of, names)
  if type(of) ~= "function" and type(of) ~= "string" then
    m.fail("a condition must be a Lua expression or a function", 'for example of = "mu > 0"')
  elseif type(of) == "string" then
    local draw, missing = draw_of(names or {}), nil
    draw.lp__ = 0.0
    local f = compile(of, draw, function(name)
      missing = missing or name
      return 0.0
    end)
    local good, why = true, nil
    if names then good, why = pcall(f) end
    if missing then refuse_name(missing, of) end
    if not good then m.fail("the condition '" .. of .. "' fails: " .. tostring(why), 'for example of = "mu > 0"') end
  end
end

-- Returns the share of the draws of each chain for which the condition holds, as a list of { share,
-- number of the chain }.
local function shares(run, arm, of)
  local draw, fill = draw_of(run.coordinates)
  local f = compile(of, draw)
  return core.run_shares(run, arm, function(x)
    fill(x)
    return f() and true or false
  end)
end

local function mean(list, takes)
  local sum, n = 0, 0
  for _, one in ipairs(list) do
    if takes(one) then sum, n = sum + one.share, n + 1 end
  end
  return n > 0 and sum / n or 0 / 0
end

-- Returns the probability for all chains of the arm and without each group of chains, as m.look
-- does for other figures.
function m.look_condition(seen, of)
  local list = shares(seen.run, seen.arm.index, of)
  local out = { whole = mean(list, function() return true end) }
  for g = 1, seen.groups > 1 and seen.groups or 0 do
    out[g] = mean(list, function(one) return (one.chain - 1) // seen.arm.group % seen.groups ~= g - 1 end)
  end
  return out
end
