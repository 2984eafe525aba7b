-- A target on three islands, whose probabilities are proportional to their
-- populations (1, 2 and 3 thousand people). The kernels are given as transition
-- matrices, some of which are wrong.
local cs = require "chainscope"
local rows = { line = { { .5, .5, 0 }, { .25, .25, .5 }, { 0, 1/3, 2/3 } }, circle = { { 0, .75, .25 }, { .125, .25, .625 }, { .25, .25, .5 } },
  wrong = { { 0, .5, .5 }, { .4, .4, .2 }, { 1/6, 1/3, .5 } }, dropped = { { 0, 1, 0 }, { 1/3, 0, 2/3 }, { 0, 1, 0 } } }
local function matrix(p)
  return cs.kernel { omega1 = function() return 0 end, log_ratio = function() return 0 end, propose = function(x, _, draw)
    local u, row = draw:uniform(), p[math.floor(x[1])]
    return { u < row[1] and 1 or u < row[1] + row[2] and 2 or 3 } end }
end
return cs.scenario { title = "islands", seed = 1, chains = 4, budget = { steps = 100 },
  target = cs.target { space = cs.ordinal(1, 1, 3), log_density = function(x) return cs.math.log(x[1]) end },
  arms = { { name = "right_line", kernel = matrix(rows.line) }, { name = "right_circle", kernel = matrix(rows.circle) },
    { name = "proposed_unevenly", kernel = matrix(rows.wrong) }, { name = "dropped", kernel = matrix(rows.dropped) } } }
