-- Exercise: when does a trajectory begin to lead back?
local cs = require "chainscope"

-- Position and momentum at time t on a trajectory in two dimensions, whose coordinates oscillate
-- with the widths a, the periods 2 pi s and the phases f.
local function at(path, t)
  local x, v = {}, {}
  for i = 1, 2 do
    x[i] = path.a[i] * math.sin(t / path.s[i] + path.f[i])
    v[i] = path.a[i] / path.s[i] * math.cos(t / path.s[i] + path.f[i])
  end
  return x, v
end

local function along(from, to, v)
  return (to[1] - from[1]) * v[1] + (to[2] - from[2]) * v[2]
end

-- The two ends of a part of a path; `ahead` and `back` are the products of the way from the
-- backward to the forward end with the two momenta.
local function case(path, from, to)
  local xb, vb = at(path, from)
  local xf, vf = at(path, to)
  return { xb, vb, xf, vf, ahead = along(xb, xf, vf), back = along(xb, xf, vb) }
end

-- Returns four cases of a kind, with random paths, that are not near the border between kinds. The
-- numbers are the same on any machine.
local function cases(fits)
  local state, list = 71, {}
  local function uniform()
    state = state * 16807 % 2147483647
    return state / 2147483647
  end
  while #list < 4 do
    local path = { a = { 0.5 + uniform(), 0.5 + uniform() }, s = { 0.5 + uniform(), 1 + 2 * uniform() }, f = { 6 * uniform(), 6 * uniform() } }
    local one = case(path, -3 * uniform(), 3 * uniform())
    if math.min(math.abs(one.ahead), math.abs(one.back)) > 0.1 and fits(one) then list[#list + 1] = one end
  end
  return list
end

local on = cases(function(c) return c.ahead > 0 and c.back > 0 end)
local front = cases(function(c) return c.ahead < 0 and c.back > 0 end)
local back = cases(function(c) return c.ahead > 0 and c.back < 0 end)

local function copy(t) return { t[1], t[2] } end
local function answer_of(f, c) return f(copy(c[1]), copy(c[2]), copy(c[3]), copy(c[4])) end

-- Returns the number of cases with this answer.
local function count(answers, list, expected)
  local n = 0
  for _, c in ipairs(list) do
    local answer = answer_of(answers.turned, c)
    if type(answer) ~= "boolean" then error("turned returned " .. tostring(answer) .. ": return true or false", 0) end
    n = n + (answer == expected and 1 or 0)
  end
  return n
end

-- Four paths continue, and four have turned at one end.
local function test_of(name, list)
  return { name, function(answers)
    local goes_on, turns = count(answers, on, false), count(answers, list, true)
    return goes_on == 4 and turns == 4, ("%d of 4 continuing paths and %d of 4 turned paths are right"):format(goes_on, turns)
  end }
end

-- A slip is recognised if its function gives the same answers in all twelve cases.
local function slip_of(name, say, f)
  return { name, say, function(answers)
    for _, list in ipairs { on, front, back } do
      for _, c in ipairs(list) do
        if answer_of(answers.turned, c) ~= answer_of(f, c) then return false end
      end
    end
    return true
  end }
end

return cs.scenario {
  title = "Exercise: the U-turn of a trajectory",
  shows = "a path leads back if the way between its ends and the momentum at either end disagree",
  tags = "course week-7 exercise",
  target = cs.target.gaussian { dim = 2 }, chains = 4, seed = 1, budget = { steps = 1000 },
  arms = { nuts = cs.kernel.nuts {} },
  exercise = {
    text = "NUTS makes its path longer at both ends, until a step at either end would bring the two ends closer together. " ..
      "Write this test. It has the position and the momentum at the backward end, xb and vb, and at the forward end, xf and " ..
      "vf, each a list of two numbers; the momenta point forward in time.",
    skeleton = [[
-- The U-turn of a path: complete the function turned.
-- Mark it: chainscope exercise 71 --mark mine.lua

-- Returns true if the path, from the backward end (xb, vb) to the forward end (xf, vf), has begun
-- to lead back at either end.
local function turned(xb, vb, xf, vf)
  return false
end

return { turned = turned }
]],
    hints = { "The squared distance of the ends is |xf - xb|^2. What is its derivative if the forward end has the velocity vf?",
              "The backward end moves with -vb as the path becomes longer." },
    judge = {
      answers = { turned = { "function", "the test for a U-turn" } },
      tests = { test_of("the forward end", front), test_of("the backward end", back) },
      slips = {
        slip_of("forward_end_only", "you test the forward end only: the path also grows at the backward end, against vb",
          function(xb, _, xf, vf) return along(xb, xf, vf) < 0 end),
        slip_of("distance_squared", "you square the way between the ends, which removes its direction: multiply the way itself by the momentum",
          function(xb, vb, xf, vf)
            local d = { (xf[1] - xb[1])^2, (xf[2] - xb[2])^2 }
            return d[1] * vf[1] + d[2] * vf[2] < 0 or d[1] * vb[1] + d[2] * vb[2] < 0
          end),
        slip_of("density_falls", "you stop where the density begins to fall: the density rises and falls many times before a path leads back",
          function(_, _, xf, vf) return xf[1] * vf[1] + xf[2] * vf[2] > 0 end),
        slip_of("momentum_backward", "you reverse the sign at the backward end: there the path grows against vb, and the way to the other end is reversed, too",
          function(xb, vb, xf, vf) return along(xb, xf, vf) < 0 or along(xb, xf, vb) > 0 end),
        slip_of("always_on", "you never stop: compare the way between the ends with the momenta", function() return false end),
      },
    },
  },
}
