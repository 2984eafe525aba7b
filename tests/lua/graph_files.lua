-- Graph files of other programs: the exact values of small targets, by the sum over all states, and
-- the names of formats that are not read.
local cs = require "chainscope"

local file = os.tmpname()
local function write(text)
  local f <close> = assert(io.open(file, "wb"))
  f:write(text)
  return file
end

-- Returns the sum over all states of weight(state) f(state, log density), over the sum of the weights.
local function mean(target, n, f)
  local sum, total = 0, 0
  for k = 0, 2 ^ n - 1 do
    local x = {}
    for i = 1, n do x[i] = k >> (i - 1) & 1 end
    local logp = target:log_density(x)
    sum, total = sum + math.exp(logp) * f(x, logp), total + math.exp(logp)
  end
  return sum / total, math.log(total)
end
local function is(value, want, digits) assert(math.abs(value - want) < 0.5 * 10 ^ -digits, value .. " for " .. want) end
local function logp(_, value) return value end

-- A cycle of four whose edges are listed from both ends has four edges, not eight.
local both = "p edge 4 8\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 3 4\ne 4 3\ne 4 1\ne 1 4\n"
local once = "p edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n"
for _, text in ipairs { both, once } do
  is((mean(cs.target.max_cut { file = write(text) }, 4, logp)), 3.0727, 4)
end

-- The weight of a vertex is a field: P(x.1 up) = 1 / (1 + exp(-4)).
local field = cs.target.ising { file = write "3 3\n1 1 2\n1 2 0.5\n2 3 0.5\n", beta = 1 }
is((mean(field, 3, function(x) return x[1] end)), 0.98201, 5)

-- MatrixMarket, symmetric, and the same graph as a list of edges.
local matrix = cs.target.max_cut { file = write "%%MatrixMarket matrix coordinate real symmetric\n4 4 4\n2 1 1.0\n3 1 -1\n3 2 2\n4 3 1\n" }
local a = mean(matrix, 4, logp)
local b = mean(cs.target.max_cut { file = write "4 4\n1 2 1\n1 3 -1\n2 3 2\n3 4 1\n" }, 4, logp)
is(a, b, 12)

-- COO has no line of sizes: with one, its costs are 0, -1, -1 and 0.
local qubo = "0 0 -1.0\n0 1 2.0\n1 1 -1.0\n"
local sized = cs.target.quadratic { file = write("p qubo 0 2 2 1\n0 0 -1\n1 1 -1\n0 1 2\n"), beta = 1 }
for k, cost in ipairs { 0, -1, -1, 0 } do
  is(sized:log_density { (k - 1) & 1, (k - 1) >> 1 } - sized:log_density { 0, 0 }, -cost, 12)
end

for text, want in next, {
  ["MARKOV\n3\n2 2 2\n2\n2 0 1\n2 1 2\n4\n1.0 0.5 0.5 1.0\n4\n2 1 1 2\n"] = ":1: this is a UAI file of a Markov network",
  ["# vartype=BINARY\n" .. qubo] = ":2: this is a COO file, without a line of sizes",
  ["c a formula\np cnf 3 2\n1 -3 0\n2 3 -1 0\n"] = ":2: this is a formula in DIMACS CNF",
  ["2\n4 3\n1 1 5\n1 2 -3\n3 4 2\n"] = "OR-library",
} do
  write(text)
  local good, why = pcall(cs.target.ising, { file = file })
  assert(not good and tostring(why):find(want, 1, true), want .. " <> " .. tostring(why))
end
os.remove(file)
