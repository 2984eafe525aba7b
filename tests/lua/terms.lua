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

-- If a density uses a column of the data as the index of an entry in a wrong
-- way, the error shows a form that works.
good, why = pcall(cs.target, { params = { z = cs.real(2) }, data = { y = { 1, 2 }, group = { 1, 2 } },
  term = function(p, row) return cs.lpdf.normal(row.y, p.z[row.group], 1) end })
assert(not good and tostring(why):find("cs.math.gather(z, group)", 1, true), why)
local by_group = cs.target { params = { z = cs.real(2) },
  log_density = function(p) return cs.lpdf.normal({ 1, 2, 5 }, cs.math.gather(p.z, { 1, 2, 2 }), 1) end }
assert(math.abs(by_group:log_density { 1, 2 } - (-1.5 * math.log(2 * math.pi) - 4.5)) < 1e-12)
