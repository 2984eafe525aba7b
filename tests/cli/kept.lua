-- Events whose functions store values between calls: numbers, strings, tables
-- with unusual keys, a class, global variables, handles, functions that
-- alternate, and variables that two functions share. Also events that add
-- events, and a stop rule.
local cs = require "chainscope"
total = 0
local Stats = {}
Stats.__index = Stats
function Stats:add(x) self.n = self.n + 1; self.sum = self.sum + x; self.last[#self.last + 1] = x; self.name = self.name .. "," .. self.n end
local s = setmetatable({ n = 0, sum = 0.5, last = {}, name = "a\n\"b\"", ["odd key"] = { [3] = true, [-1.5] = "x = t1" } }, Stats)
local arm, phase, warm, cool, chain
local width = 1
function warm() width = 1 + s.n % 4; phase = cool end
function cool() width = 0.5 + total % 3; phase = nil end
phase = warm
local function later(r) s:add(r.steps); arm:set("step", width) end
return cs.scenario { title = "Kept", target = cs.target.gaussian { dim = 2 }, chains = 3, seed = 3, warmup = 0,
  arms = { a = cs.kernel.random_walk { step = 1 } }, budget = { steps = 2000 },
  setup = function(run)
    run:every(50, function(r)
      arm = arm or r:arm "a"
      chain = chain or arm:chain(2)
      total = total + 1
      if total % 2 == 0 then s:add(chain:state()[1]) end
      if phase then phase(r) else phase = warm end
      s["odd key"].total = { total, s.sum, width }
      arm:set("step", width * (1 + s.sum * s.sum % 1))
      if total % 5 == 1 then r:at(r.steps + 17, later) end
    end)
    local seen
    run:stop_when(function() seen = (seen or 0) + 1; if seen == 40 then return "seen 40" end end, 40)
  end }
