-- Exercise: the temperatures of a ladder
local cs = require "chainscope"

local function ladder(temperatures)
  return cs.kernel.parallel_tempering { kernel = cs.kernel.random_walk { step = 0.7 }, temperatures = temperatures, swap_interval = 5 }
end

-- Returns true if the temperatures rise by equal differences.
local function is_linear(t)
  for i = 3, #t do
    if math.abs((t[i] - t[i - 1]) - (t[2] - t[1])) > 0.1 * (t[2] - t[1]) then return false end
  end
  return #t > 2
end

return cs.scenario {
  title = "Exercise: a ladder of six temperatures",
  shows = "a ladder must be hot enough at its top, and its temperatures close enough for exchanges",
  tags = "course week-8 exercise",
  target = cs.target.mixture { means = { { -8, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, { 8, 0, 0, 0, 0, 0, 0, 0, 0, 0 } }, weights = { 0.3, 0.7 }, sd = 1 },
  chains = 16, seed = 1, budget = { steps = 20000 }, warmup = 500, start = { -8, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
  arms = { given = ladder { 1, 2, 4 } },
  exercise = {
    text = "Two hills in ten dimensions, 16 apart, with 30 and 70 % of the mass. All chains start on the smaller one. " ..
      "Give at most six temperatures, the first of which is 1, so that the cold chains of 16 ladders have the right " ..
      "share of each hill after 20,000 steps of a walk with step 0.7, to 0.2. Chains of neighbouring temperatures exchange every 5 steps.",
    skeleton = [[
-- The temperatures of a ladder: at most six, in increasing order, the first is 1.
-- Mark it: chainscope exercise 81 --mark mine.lua
return { temperatures = { 1, 2, 4 } }
]],
    hints = { "At temperature T the valley between the hills is 32 / T deep: at the top it should be about 1.",
              "An exchange is likely if the ratio of two temperatures is about 2, whatever they are." },
    judge = {
      answers = { temperatures = { "table", "the list of temperatures, in increasing order" } },
      kernel = function(a)
        if #a.temperatures > 6 then error("this ladder has " .. #a.temperatures .. " temperatures: give at most six", 0) end
        return ladder(a.temperatures)
      end,
      claims = { { stat = "mode_tv", at_most = 0.2 } },
      slips = {
        { "two_temperatures", "from 1 to the top in one step: nearly no exchange is accepted", function(a) return #a.temperatures < 4 and a.temperatures[#a.temperatures] > 10 end },
        { "too_cool", "your hottest chain is too cold to cross the valley, so all trips end on the hill where they began", function(a) return a.temperatures[#a.temperatures] < 8 end },
        { "linear", "equal differences are too large at the bottom: the first exchange is nearly never accepted", function(a) return is_linear(a.temperatures) end },
      },
    },
  },
}
