-- Tests a density that is called at every step. A call may change its list of
-- coordinates, or evaluate the same target. Neither affects other calls.
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

-- In a discrete space, a density, a proposal and the function log_q of the
-- proposal receive integers, which equal the states of the chains.
for _, space in ipairs { cs.binary(3), cs.categorical(3, 4), cs.ordinal(3, -2, 5) } do
  local calls = { density = 0, propose = 0, log_q = 0 }
  local function whole(what, x)
    calls[what] = calls[what] + 1
    for i = 1, 3 do assert(math.type(x[i]) == "integer", what .. ": " .. tostring(x[i])) end
  end
  local target = cs.target { space = space, traced = false,
    log_density = function(x) whole("density", x) return 0.1 * x[1] end }
  local flip = cs.kernel {
    propose = function(x, draw)
      whole("propose", x)
      local y = { x[1], x[2], x[3] }
      y[1] = draw:below(2) - 1
      return y
    end,
    log_q = function(x, y) whole("log_q", x) whole("log_q", y) return 0 end }
  local run = cs.open { target = target, chains = 2, arms = { own = flip, dlp = cs.kernel.dmala { step = 0.5 } } }
  run:step(5)
  for what, n in next, calls do assert(n > 0, what) end
  assert(math.type(run.arms.own:chain(1):state()[1]) == "integer")
end
