-- Valid panels, and panels that try operations which are forbidden.
local cs = require "chainscope"
local calls, begun, drawn = 0, 0, {}

local function attempts(run)
  local arm = run.arms.walk
  return {
    { "step", function() run:step(1) end },
    { "rewind", function() run:rewind(1) end },
    { "set", function() arm:set("step", 9) end },
    { "run set", function() run:set "walk.step=9" end },
    { "use", function() arm:use(cs.kernel.mala {}) end },
    { "state", function() arm.chains[1]:set_state { 0 } end },
    { "replay", function() run:replay "" end },
    { "every", function() run:every(1, print) end },
    { "at", function() run:at(2 ^ 40, print) end },
    { "stop", function() run:stop_when(function() return "now" end) end },
    { "fault", function() run:fault() end },
    { "random", function() return math.random() end },
  }
end

return cs.scenario {
  title = "Own panels", target = cs.target.mixture { means = { { -2 }, { 2 } } },
  chains = 4, seed = 5, arms = { walk = cs.kernel.random_walk { step = 3 } },
  screen = {
    "trace",
    cs.panel { name = "where", title = "where it is", unit = "x", curves = function(run)
      calls = calls + 1
      return { walk = run.arms.walk.chains[1]:state()[1], calls = calls }
    end },
    cs.panel { name = "tries", table = function(run)
      local rows = {}
      for i, one in ipairs(attempts(run)) do
        local ok, why = pcall(one[2])
        rows[i] = { one[1], ok and "was made" or why }
      end
      return rows
    end },
  },
  panels = {
    cs.panel { name = "endless", line = function() begun = begun + 1 while true do end end },
    cs.panel { name = "stubborn", bars = function() begun = begun + 1 while true do pcall(function() while true do end end) end end },
    cs.panel { name = "wrong", bars = function(run)
      return { walk = run.arms.walk.nothing }
    end },
    cs.panel { name = "says", bars = function(run) print "not heard" return { begun = begun } end },
  },
  setup = function(run)
    drawn = {}
    run:every(100, function() drawn[#drawn + 1] = math.random() end)
    run.arms.walk.chains[1].arm.run:every(1000, function() print(table.concat(drawn, " ")) end)
  end,
}
