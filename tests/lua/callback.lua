-- A density that is called at every step: what a call does to its list, or asks
-- of the same target meanwhile, harms no other call.
local cs = require 'chainscope'
local t, depth, kept = nil, 0, {}
t = cs.target { space = cs.real(2), traced = false, log_density = function(x)
  if depth == 0 then
    depth = 1
    local a = x[1]
    local u = t:log_density({7, 8})
    depth = 0
    assert(u == -113, u)
    assert(x[1] == a and #x == 2)
  end
  local u = -(x[1]^2 + x[2]^2)
  x[3] = 5
  assert(#x == 3)
  return u
end }
for i = 1, 3 do assert(t:log_density({i, 2}) == -(i^2 + 4)) end
local bad = cs.target { space = cs.real(2), traced = false, log_density = function(x) if x[1] > 0 then error "no" end return #x end }
for i = 1, 3 do assert(not pcall(bad.log_density, bad, {1, 2})); assert(bad:log_density({-1, 2}) == 2) end
