-- Compares targets that are sums over the rows of a table with the same density written as a loop
-- over lists. Tests every form of data, loops, params and budgets.
local cs = require "chainscope"
local M = cs.math

local N, x, y, w = 300, {}, {}, {}
for i = 1, N do
  x[i] = { math.sin(i), math.cos(2 * i), math.sin(3 * i + 1), math.cos(i * i) }
  y[i], w[i] = i % 3, 0.5 + i % 7
end

local function near(a, b) assert(math.abs(a - b) <= 1e-10 * (1 + math.abs(b)), a .. " is not " .. b) end

local function same(a, b, points)
  for _, p in ipairs(points) do
    near(a:log_density(p), b:log_density(p))
    local g, h = a:gradient(p), b:gradient(p)
    for d = 1, #p do near(g[d], h[d]) end
  end
end
local points = { { 0, 0, 0, 0 }, { 0.3, -1, 2, 0.1 }, { -3, 0.5, 1, -1 } }

-- A Poisson regression, whose product is written as a vector operation and as a
-- loop.
local function looped(b)
  local u = 0
  for d = 1, 4 do u = u - 0.5 * b[d]^2 end
  for i = 1, N do
    local e = 0
    for d = 1, 4 do e = e + b[d] * x[i][d] end
    u = u + w[i] * (y[i] * e - math.exp(e) - M.lgamma(y[i] + 1))
  end
  return u
end
local written_out = cs.target { space = cs.real(4), log_density = looped }
local data = { x = x, y = y, w = w }
local function prior(b) return -0.5 * M.sum(b^2) end
local by_vectors = cs.target {
  space = cs.real(4), data = data, prior = prior,
  term = function(b, row)
    local e = M.dot(b, row.x)
    return row.w * (row.y * e - M.exp(e) - M.lgamma(row.y + 1))
  end,
}
local by_loops = cs.target {
  space = cs.real(4), data = data, prior = prior,
  term = function(b, row)
    local e = 0
    for d = 1, #row.x do e = e + b[d] * row.x[d] end
    return row.w * (row.y * e - math.exp(e) - M.lgamma(row.y + 1))
  end,
}
same(by_vectors, written_out, points)
same(by_loops, written_out, points)

-- Reads the same table from a file. A field of a row is a single column, or a
-- vector of several columns.
local name = os.tmpname()
local file = assert(io.open(name, "w"))
file:write("a,b,c,d,count,weight\n")
for i = 1, N do
  file:write(("%.17g,%.17g,%.17g,%.17g,%d,%.17g\n"):format(x[i][1], x[i][2], x[i][3], x[i][4], y[i], w[i]))
end
file:close()
same(cs.target {
  space = cs.real(4), prior = prior,
  data = { file = name, x = { "a", "b", "c", "d" }, y = "count", w = w },
  term = function(b, row)
    local e = M.dot(b, row.x)
    return row.w * (row.y * e - M.exp(e) - M.lgamma(row.y + 1))
  end,
}, written_out, points)
same(cs.target {
  space = cs.real(4), prior = prior, data = name,
  term = function(b, row)
    local e = b[1] * row.a + b[2] * row.b + b[3] * row.c + b[4] * row.d
    return row.weight * (row.count * e - M.exp(e) - M.lgamma(row.count + 1))
  end,
}, written_out, points)
os.remove(name)

-- Tests parameters with bounds, and a vector entry whose index is a value in
-- the row.
local function normal(v, p) return cs.lpdf.normal(v, p.mu, p.sigma) end
local params = { mu = cs.real(), sigma = cs.positive() }
same(cs.target {
  params = params, data = { v = y, big = w },
  prior = function(p) return -p.sigma end,
  term = function(p, row) return M.where(M.lt(2, row.big), normal(row.v, p), 2 * normal(row.v, p)) end,
}, cs.target {
  params = params,
  log_density = function(p)
    local u = -p.sigma
    for i = 1, N do u = u + (w[i] > 2 and 1 or 2) * normal(y[i], p) end
    return u
  end,
}, { { 0, 0 }, { 1, -0.5 }, { -2, 1.5 } })

-- Rows are counted, and a budget may limit rows.
local run = cs.open { target = by_vectors, seed = 1, chains = 3,
                      arms = { a = cs.kernel.mala { step = 0.01 } },
                      budget = { data_terms = 100 * 3 * N } }
while run:step(7) > 0 do end
local spent = run:arm("a").data_terms
assert(run.finished and spent >= 100 * 3 * N and spent <= 102 * 3 * N, spent)

-- Arms are compared at equal work. Work is counted in data terms, both for
-- batches and for gradients over all rows. A kind of work that an arm never
-- does cannot be the arm's budget. The error names the kind of work that the
-- arm does.
local function race(budget)
  return cs.open { target = by_vectors, seed = 1, chains = 3, budget = budget, arms = {
    part = cs.kernel.sgld { rate = 1e-5, batch = 4 }, whole = cs.kernel.mala { step = 0.01 } } }
end
run = race { data_terms = 30 * 3 * N }
while run:step(50) > 0 do end
local part, whole = run:arm "part", run:arm "whole"
assert(part.gradients == 0 and part.log_densities == 0, part.gradients)
assert(part.data_terms >= 90 * N and part.data_terms < 90 * N + 3 * 4, part.data_terms)
assert(whole.data_terms == 90 * N and whole.passes == 30, whole.passes)
assert(math.abs(part.passes - part.data_terms / (3 * N)) < 1e-12, part.passes)
assert(whole:figure "passes" == 30 and whole.steps == 28)
assert(math.abs(part:figure "data_terms" - part.data_terms / (3 * part.steps)) < 1e-12)
assert(part.steps == (30 * N + 3) // 4 - 1, part.steps) -- one batch is evaluated at the start
for unit, name in pairs { gradients = "gradients", log_densities = "log densities" } do
  local good, why = pcall(race, { [unit] = 1000 })
  assert(not good and tostring(why):find("sgld of arm part uses no " .. name .. ": add a limit that the run reaches: " ..
    "budget = { data_terms = N or steps = N }", 1, true), why)
end

-- If a row is impossible in every state, the error names this row. Rows are
-- checked in parts, and this row is in the second part.
local rows = {}
for i = 1, 400 do rows[i] = i == 300 and -3 or i end
local good, why = pcall(cs.open, { chains = 2, arms = { a = cs.kernel.nuts {} }, budget = { steps = 10 }, target = cs.target {
  params = { mu = cs.real() }, data = { y = rows },
  term = function(p, row) return cs.lpdf.exponential(row.y, cs.math.exp(p.mu)) end } })
assert(not good and tostring(why):find("row 300 of the data has probability 0 at the start", 1, true), why)

-- A column selects entries of vectors, rows of matrices and entries of lists of
-- constants. The list of rows gives the same data as columns.
local people, items, scores, rows_of_data = {}, {}, {}, {}
for i = 1, 60 do
  people[i], items[i], scores[i] = i % 7 + 1, i % 4, i % 3
  rows_of_data[i] = { person = people[i], item = items[i], score = scores[i] }
end
local known = M.vector { 0.5, -0.25, 1, 2, 0, 0.125, 3 }
local parts = { { a = cs.real(7) }, { b = cs.real(4, 2) }, { s = cs.positive() } }
local function item_density(p, score, person, item)
  return cs.lpdf.normal(score, p.a[person] * p.b[item][1] + known[person] - p.b[item][2], p.s)
    + M.exp(p.a[8 - person])
end
local function prior_of_parts(p) return cs.lpdf.normal(p.a, 0, 1) + M.sum(p.a[{ 1, 3 }]) end
local function over_rows(p, row) return item_density(p, row.score, row.person, row.item + 1) end
local item_loop = cs.target { params = parts, log_density = function(p)
  local u = prior_of_parts(p)
  for i = 1, 60 do u = u + item_density(p, scores[i], people[i], items[i] + 1) end
  return u
end }
local place = {}
for i = 1, 16 do place[i] = math.sin(i) end
for _, d in ipairs { rows_of_data, { person = people, item = items, score = scores } } do
  same(cs.target { params = parts, data = d, prior = prior_of_parts, term = over_rows }, item_loop, { place })
end

-- A list is an index too, and arithmetic of lists and parameters is that of vectors.
local by_list = cs.target { params = { { z = cs.real(2) }, { m = cs.real(2, 2) }, { k = cs.real() } }, log_density = function(p)
  return cs.lpdf.normal({ 1, 2, 5 } * p.k, p.z[{ 1, 2, 2 }], 1) + M.sum(p.m[{ 2, 2, 1 }])
end }
assert(math.abs(by_list:log_density { 1, 2, 10, 20, 30, 40, 2 } - (-1.5 * math.log(2 * math.pi) - 0.5 * (1 + 4 + 64) + 170)) < 1e-12)

-- An index outside is reported with its row, value and the line of the script.
local function index_fails(values, f, text)
  local ok, message = pcall(cs.target, { params = { z = cs.real(2) }, data = { g = values, y = { 1, 2, 3 } }, term = f })
  assert(not ok and tostring(message):find("terms.lua:%d+: " .. text), message)
end
local function at(of) return function(p, row) return row.y * p.z[of(row.g)] end end
local function itself(g) return g end
index_fails({ 1, 2, 3 }, at(itself), "row.g is 3 in row 3 of the data, but this vector has 2 entries, counted from 1: correct the data, or declare a parameter of 3 entries")
index_fails({ 1, 0, 2 }, at(itself), "row.g is 0 in row 2 of the data, but .*: add 1 to a column that counts from 0: row.g %+ 1")
index_fails({ 1, 1.5, 2 }, at(itself), "row.g is 1.5 in row 2 of the data: an index must be a whole number")
index_fails({ 0, 1, 2 }, at(function(g) return g + 1 end), "an index is 3 in row 3 of the data")
local long = {}
for i = 1, 300 do long[i] = i == 200 and 2 or 0 end
local fits, outside = pcall(cs.target, { params = { z = cs.real(2) }, data = { g = long },
  term = function(p, row) return p.z[row.g + 1] end })
assert(not fits and tostring(outside):find("an index is 3 in row 200 of the data", 1, true), outside)
index_fails({ 1, 2, 1 }, function(p, row) return row.y * p.z[p.z[1]] end, "an index depends on the state")
index_fails({ 1, 2, 1 }, function(p, row) return row.y * p.z[1] * ({ 4, 5 })[row.g] end, "a nil cannot be used.*cs.math.vector%(list%)%[k%]")
index_fails({ 1, 2, 1 }, function(p, row) return row.y * M.sum(p.z[{ 1, 2, 3 }]) end, "entry 3 of a list of indices is 3: indices are whole numbers from 1 to 2")
index_fails({ 1, 2, 1 }, function(p, row) return row.y * M.sum(p.z * ({ 1, 2 } * 3)) end, "attempt to perform arithmetic on a table value.*cs.math.vector%(x%)")
for _, case in ipairs {
  { { { y = 1, g = 1 }, { y = 2 } }, "data: row 2 of column 'g' is missing" },
  { { { y = 1 }, { y = 2, g = 1 } }, "data: row 2 has 'g', but row 1 does not" },
  { { { y = 1 }, 7 }, "data: row 2 is a number" },
  { { { 1, 2 } }, "data: a value of row 1 has no name" },
} do
  local ok, message = pcall(cs.target, { params = { z = cs.real() }, data = case[1], term = function(p, row) return row.y * p.z end })
  assert(not ok and tostring(message):find(case[2], 1, true), message)
end
