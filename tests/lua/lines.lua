-- Tests that an error message names the wrong word and a line of the user's file. This line has
-- the wrong expression, or is the first line of the wrong function or table entry.
local name = os.tmpname()
local function run(text)
  local file = assert(io.open(name, "w"))
  file:write("local cs = require 'chainscope'\n" .. text)
  file:close()
  local ok, why = pcall(assert(loadfile(name)))
  return ok, tostring(why)
end
local function points(line, want, text)
  local ok, why = run(text)
  local head = name .. ":" .. line .. ": "
  assert(not ok and why:sub(1, #head) == head and why:find(want, 1, true),
         ("want %s %s\n got %s"):format(head, want, why))
end

-- The density begins on line 4, and its body is on line 5.
local params = "return cs.target { params = { x = cs.real(2), s = cs.positive() },\n%s\n  log_density = function(p)\n" ..
               "%s\n  end }"
local space = "return cs.target { space = cs.real(2),\n%s\n  log_density = function(p)\n%s\n  end }"
points(5, "no entry 3: this vector has 2", params:format("", "local y = p.x[3]"))
points(5, "attempt to index a nil value (global 'nosuch')", params:format("", "return nosuch.field"))
points(4, "log_density returned nothing", params:format("", "local y = p.s"))
points(4, "log_density returned a table", params:format("", "return {}"))
points(4, "log_density returned a vector of 2", params:format("", "return p.x"))
points(5, "no entry 3: this vector has 2", space:format("", "return p[3]"))
points(5, "no entry 0: this vector has 2", space:format("", "return -p[0]^2"))
points(5, "no entry 3", space:format("", "for i = 1, 3 do local x = -p[i] end"))
points(4, "the value of log_density is a nil", (params:format("traced = false,", "local y = p.s"):gsub("return cs", "local t = cs", 1)) ..
       "\ncs.open { target = t, arms = { cs.kernel.random_walk {} } }:step(2)")
local started = "local t = cs.target { space = cs.real(2), traced = false, log_density = function(x)\n%s\nend }\n" ..
                "cs.open { target = t, arms = { cs.kernel.random_walk {} } }:step(2)"
points(3, "no entry 3: this vector has 2", started:format "return -x[3]")
points(2, "the value of log_density is a nil", started:format "local y = x[1]")
assert(run(space:format("", "local s = 0 for i, x in ipairs({ p[1], p[2] }) do s = s - x^2 end return s")))
assert(run(started:format "local s = 0 for i, x in ipairs(x) do s = s - x^2 end assert(#x == 2) return s"))

-- An entry of `claims` has its own line, whatever the layout of the file.
local scenario = "local r = cs.scenario { title = 'T', target = cs.target.gaussian {}, budget = { steps = 9 },\n" ..
  "  arms = { a = cs.kernel.mala {}, b = cs.kernel.mala {} }, -- claims = {\n  claims = {\n" ..
  "    { arm = 'a', stat = 'acceptance', note = '}, { \\'', at_least = 0 },\n" ..
  "    { arm = 'a', stat = 'm', at_least = 0, measure = function(x) if x then return 1 end return 0 end },\n\n" ..
  "    --[==[ { } , ]==]\n    %s\n  } }"
points(9, "no value to compare with", scenario:format "{ arm = 'a', stat = 'ess', less_than = 'b' },")
points(9, "did you mean 'ess", scenario:format "{ arm = 'a',\n stat = 'esss', at_least = 1 }")
points(3, "claims: entry 1: a claim needs the field 'stat'",
       "local c = { { arm = 'a' } }\nreturn cs.scenario { title = 'T', target = cs.target.gaussian {}, " ..
       "arms = { a = cs.kernel.mala {} }, claims = c, budget = { steps = 9 } }")

-- For an error in a user's kernel, errors that only result from the first error
-- are not reported.
local broken = "local r = cs.open { target = cs.target.gaussian {}, chains = 1, arms = { cs.kernel {\n" ..
  "  propose = function(x)\n    error 'boom'\n  end } } }\n"
points(4, "boom (in chain 1 of arm function at step 1", broken .. "r:step(3)")
local ok, why = run(broken .. "pcall(r.step, r, 3) error(r:fault(), 0)")
assert(not ok and why == name .. ":4: boom", why)
ok, why = run(broken .. "local _, why = pcall(r.step, r, 3) error(why, 0)")
assert(not ok and not why:find "NaN", why)
os.remove(name)
