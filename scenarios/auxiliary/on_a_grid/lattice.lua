-- The posterior of the coupling of an Ising model on 3 x 3 spins, given one observed
-- state and a uniform prior. The module gives this posterior as a target for chains and
-- as a grid for cs.theory.
--
--     p(theta | x) ~ exp(theta T(x)) / Z(theta),  T(x) = sum of products of neighbours
local cs = require "chainscope"

local lattice = { points = 60, step = 0.3 }
lattice.data = { { 1, 1, 1 }, { 1, 1, -1 }, { 1, -1, -1 } }

local spins = {}
for _, row in ipairs(lattice.data) do table.move(row, 1, 3, #spins + 1, spins) end

-- Returns the result of cs.theory for theta from low to high, which is computed
-- only once.
local found = {}
function lattice.theory(low, high, more)
  local key = table.concat({ low, high, more.how or "", more.draws or "", more.sweeps or "" }, " ")
  if not found[key] then
    local x, n = {}, lattice.points
    for a = 1, n do x[a] = low + (high - low) * (a - 0.5) / n end
    local fields = { x = x, rows = 3, cols = 3, data = spins, step = lattice.step }
    for name, value in next, more do fields[name] = value end
    found[key] = cs.theory.exchange(fields)
  end
  return found[key]
end

-- Returns the same target for chains. The prior of theta is uniform between low
-- and high.
function lattice.target(low, high)
  return cs.target.ising_parameter { data = lattice.data, low = { low }, high = { high } }
end

return lattice
