-- Networks that classify or reconstruct images and draws: cs.network { units = { 784, 64, 10 } }.
local m = ...
local core, cs = m.core, m.cs
local located = core.located

local Network = { __metatable = "network" }

Network.__index = function(_, key)
  local value = rawget(Network, key)
  if value == nil then
    m.fail("a network has no '" .. tostring(key) .. "'",
           m.suggest(key, { "classify", "reconstruct", "text", "train", "units" }))
  end
  return value
end

local function to_network(net)
  if getmetatable(net) ~= "network" then
    m.fail("the method was not called on a network", "write net:train { ... } with a colon")
  end
  return net.core
end

-- Splits the argument of a method into an arm and other fields. The argument is the arm whose
-- draws are used, or a table of fields. In such a table, the field `arm` is the arm.
local function split(what)
  if what == nil then return {} end
  if getmetatable(what) == "arm" then return {}, what end
  if type(what) ~= "table" then
    m.fail("a network method needs an arm or a table, not a " .. type(what), "give an arm, or { images = \"an IDX file\" }")
  end
  local fields, arm = {}, nil
  for k, v in next, what do
    if k == "arm" then arm = v else fields[k] = v end
  end
  if arm ~= nil and getmetatable(arm) ~= "arm" then
    m.fail("arm is a " .. type(arm), "give run:arm(\"name\")")
  end
  return fields, arm
end

local function call(f)
  return located(function(net, what)
    local fields, arm = split(what)
    return f(to_network(net), fields, arm and arm.run, arm and arm.index)
  end)
end

Network.train = call(core.network_train)
Network.classify = call(core.network_classify)
Network.reconstruct = call(core.network_reconstruct)
local digits_row = { whole = true, min = 1, max = 9 }
Network.text = located(function(net, digits)
  if digits ~= nil and type(digits) ~= "number" then
    m.fail("digits is a " .. type(digits), "give " .. m.range_text(digits_row))
  end
  return core.network_text(to_network(net), digits and m.check_number("digits", digits, digits_row))
end)
Network.units = located(function(net) return core.network_units(to_network(net)) end)

cs.network = located(function(fields, ...)
  if select("#", ...) > 0 then m.fail("cs.network takes one table") end
  if type(fields) ~= "table" then
    m.fail("cs.network expects a table", "write cs.network { units = { 784, 64, 10 } }")
  end
  return setmetatable({ core = core.network_new(fields) }, Network)
end)
