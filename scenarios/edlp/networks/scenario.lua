-- Tables 2 to 4 of edlp: binary networks of a table of data, six samplers. What its scenarios
-- share.
local cs = require "chainscope"
local settings = require "paper.settings"
local printed = require "networks.printed"
local networks = {}

-- A network of 100 hidden units on each thin-th row of the table `name`, `without` some of its
-- columns; where the folder of data lacks it of a table at random: `stand_in`. Of the rows to
-- learn from the last hundredth is left out.
function networks.of(name, stand_in, thin, without)
  local function file(part) return ("bnn/%s-%s.csv.gz"):format(name, part) end
  local here = cs.has_data(file "train")
  return function()
    if here then
      return cs.target.binary_network { file = file "train", held_out = file "test", share = 0.99, thin = thin, hidden = 100,
                                        precision = "single", without = without }
    end
    return cs.target.binary_network { inputs = stand_in.inputs, rows = stand_in.rows, hidden = stand_in.hidden, precision = "single" }
  end
end

-- A scenario of the set `data` of networks/printed.lua. `thin` and `rows_are`: of the quick and of
-- the full setting which rows count, and what is said of that (nil: all of them); `found`: what does
-- not hold of the claims; `edula`, `edmala`: their step_a and eta.
function networks.scenario(fields)
  local f = fields
  local name = f.data:lower()
  local function target(i) return networks.of(name, f.stand_in, f.thin[i], f.without) end
  local function setting(i)
    return (f.rows_are[i] and f.rows_are[i] .. "; " or "") .. "its program has 100 hidden units, too"
  end
  local function entropic(kernel, of) return kernel { step = 0.1, step_a = of.step_a, eta = of.eta } end
  return cs.scenario {
    title  = f.title, shows = f.shows,
    source = "edlp, sections 6.4 and E.4, tables 2 to 4",
    target = target(1),
    chains = f.chains, seed = 1, keep = 2,
    arms   = {
      gibbs  = cs.kernel.gibbs {},
      gwg    = cs.kernel.gwg {},
      dula   = cs.kernel.dula { step = 0.1 },
      dmala  = cs.kernel.dmala { step = 0.1 },
      edula  = entropic(cs.kernel.edula, f.edula),
      edmala = entropic(cs.kernel.edmala, f.edmala),
    },
    budget = { steps = 60 },
    warmup = 0, -- counted from the start, as in the paper
    printed = settings[name],
    setting = setting(1),
    full   = { target = target(2), budget = { steps = 1000 }, chains = f.chains ~= 50 and 50 or nil, setting = setting(2) },
    probes = { "acceptance", "trace", "energy", "diagnostics", "movement", only = true },
    screen = { "trace", "energy", "acceptance", "summary" },
    claims = printed.claims(f.data, f.found),
  }
end

return networks
