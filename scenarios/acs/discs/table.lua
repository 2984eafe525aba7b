-- The six samplers that discs_ising, discs_potts and discs_machine compare, each tuned in
-- its warm-up. The module also defines a panel with a table like the table of the
-- benchmark DISCS.
local cs = require "chainscope"

local M = {}

-- Returns the arms. `coding`: how gradients represent categorical sites.
function M.arms(coding)
  local function tuned(kernel, parameter)
    return { kernel = kernel, tuner = cs.tuner.acceptance { parameter = parameter, steps = 500 } }
  end
  return {
    gwg   = cs.kernel.gwg { coding = coding },
    -- The exponent of the proposal has the term 1 / step for a changed value of a
    -- site, and 1 / (2 step) for a changed bit.
    any   = cs.kernel.any_scale { step = coding and 0.2 or 0.1, adapt = 500, buffer = 10, coding = coding },
    dmala = tuned(cs.kernel.dmala { coding = coding }),
    acs   = { kernel = cs.kernel.dmala { coding = coding }, tuner = cs.tuner.acs {} },
    path  = tuned(cs.kernel.path_auxiliary { coding = coding }, "sites"),
    dlmc  = tuned(cs.kernel.dlmc { coding = coding }, "time"),
  }
end

-- Reports the first coordinate only; a report on all coordinates would take too long
-- per update.
M.panel = cs.panel {
  name = "efficiency", title = "effective draws of the first coordinate",
  head = { "arm", "accept", "sites", "/1000 ev", "/s" },
  table = function(run)
    local rows = {}
    for i, arm in ipairs(run.arms) do
      local function text(form, x) return x and x == x and form:format(x) or "-" end
      local ess = arm:figure("ess", 1)
      rows[i] = { arm.name, text("%.2f", arm:figure "acceptance"), text("%.1f", arm:figure "hamming"),
                  text("%.2f", ess and 1000 * ess / arm.evaluations), text("%.0f", ess and ess / arm.seconds) }
    end
    return rows
  end,
}

return M
