-- The rows of two kinds of tables in the auxiliary paper: effective draws per second, and
-- Kolmogorov-Smirnov distances. A row contains the smallest, the median and the largest
-- value over the coordinates. Tables 1 and 2 have rows for the best of three acceptance
-- rates; the other tables have rows for the rates 0.25, 0.4 and 0.55.
local printed = {}

local order = { "mh", "mala", "hmc", "barker", "poisson_mh", "poisson_barker", "poisson_mala" }

local tables = {
  [1] = { mh = "MH (0.05, 0.08, 0.47)", mala = "MALA (0.10, 0.19, 2.77)", barker = "Barker (0.12, 0.22, 1.53)",
          poisson_mh = "PoissonMH (0.40, 0.66, 4.67)", poisson_barker = "Poisson–Barker (0.91, 1.65, 12.16)",
          poisson_mala = "Poisson–MALA (0.84, 1.65, 23.84)" },
  [2] = { mh = "MH (2.0, 2.1, 2.1)", mala = "MALA (5.0, 5.1, 5.2)", barker = "Barker (2.9, 3.0, 3.0)",
          hmc = "HMC-10 (0.9, 0.9, 1.0)", poisson_mh = "PoissonMH (99.0, 100.2, 101.1)",
          poisson_barker = "Poisson–Barker (265.3, 268.3, 270.3)", poisson_mala = "Poisson–MALA (489.3, 491.8, 496.5)" },
  [3] = { mh = "MH (0.03, 0.07, 0.18) (0.03, 0.07, 0.18) (0.03, 0.08, 0.18)",
          mala = "MALA (0.04, 0.06, 0.15) (0.03, 0.06, 0.13) (0.03, 0.05, 0.11)",
          barker = "Barker (0.03, 0.05, 0.10) (0.02, 0.04, 0.10) (0.02, 0.04, 0.09)",
          poisson_mh = "PoissonMH (0.01, 0.02, 0.06) (0.01, 0.02, 0.06) (0.01, 0.03, 0.08)",
          poisson_barker = "Poisson–Barker (0.01, 0.02, 0.05) (0.01, 0.02, 0.05) (0.01, 0.02, 0.04)",
          poisson_mala = "Poisson–MALA (0.01, 0.03, 0.05) (0.01, 0.02, 0.04) (0.01, 0.02, 0.04)" },
  [4] = { mh = "MH (0.05, 0.08, 0.47) (0.04, 0.06, 0.44) (0.03, 0.05, 0.34)",
          mala = "MALA (0.09, 0.15, 0.81) (0.10, 0.19, 1.85) (0.10, 0.19, 2.77)",
          barker = "Barker (0.11, 0.19, 0.83) (0.12, 0.22, 1.24) (0.11, 0.21, 1.53)",
          poisson_mh = "PoissonMH (0.40, 0.66, 4.67) (0.34, 0.55, 4.51) (0.27, 0.40, 3.35)",
          poisson_barker = "Poisson–Barker (0.86, 1.47, 6.40) (0.91, 1.65, 9.75) (0.84, 1.59, 12.16)",
          poisson_mala = "Poisson–MALA (0.77, 1.39, 6.89) (0.79, 1.54, 15.14) (0.84, 1.65, 23.84)" },
  [5] = { mh = "MH (2.0, 2.1, 2.1) (1.8, 1.8, 2.0) (1.2, 1.3, 1.3)",
          mala = "MALA (2.2, 2.3, 2.4) (4.3, 4.3, 4.4) (5.0, 5.1, 5.2)",
          barker = "Barker (2.0, 2.0, 2.1) (2.8, 2.8, 2.9) (2.9, 3.0, 3.0)",
          hmc = "HMC-10 (0.7, 0.8, 0.8) (0.9, 0.9, 1.0) (0.8, 0.9, 0.9)",
          poisson_mh = "PoissonMH (99.0, 100.2, 101.1) (84.9, 87.0, 88.0) (56.5, 57.9, 59.0)",
          poisson_barker = "Poisson–Barker (182.1, 185.5, 188.2) (254.8, 258.3, 259.6) (265.3, 268.3, 270.3)",
          poisson_mala = "Poisson–MALA (219.8, 222.0, 228.5) (395.9, 399.9, 403.3) (489.3, 491.8, 496.5)" },
  [6] = { mh = "MH (0.61, 0.64, 0.70) (0.55, 0.61, 0.68) (0.41, 0.46, 0.51)",
          mala = "MALA (0.83, 0.87, 0.93) (1.26, 1.35, 1.42) (1.48, 1.56, 1.65)",
          hmc = "HMC5 (0.21, 0.22, 0.24) (0.22, 0.24, 0.26) (0.21, 0.23, 0.26)",
          barker = "Barker (0.53, 0.59, 0.61) (0.68, 0.73, 0.80) (0.75, 0.79, 0.81)",
          poisson_mh = "PoissonMH (24.67, 25.74, 26.86) (21.38, 22.16, 22.97) (14.17, 15.31, 16.22)",
          poisson_barker = "Poisson–Barker (39.32, 40.57, 41.88) (56.82, 58.72, 60.88) (58.40, 60.33, 61.33)",
          poisson_mala = "Poisson–MALA (52.68, 54.31, 57.42) (89.36, 92.04, 94.31) (109.03, 111.01, 114.40)" },
  [7] = { mh = "MH (0.08, 0.10, 0.13) (0.07, 0.08, 0.12) (0.06, 0.07, 0.08)",
          mala = "MALA (0.39, 0.48, 0.56) (0.63, 0.72, 0.81) (0.73, 0.83, 0.91)",
          barker = "Barker (0.17, 0.21, 0.25) (0.23, 0.26, 0.29) (0.23, 0.28, 0.31)",
          hmc = "HMC-5 (0.03, 0.04, 0.05) (0.03, 0.03, 0.04) (0.02, 0.03, 0.04)",
          poisson_mh = "PoissonMH (1.91, 2.04, 2.21) (1.57, 1.66, 1.83) (1.24, 1.34, 1.44)",
          poisson_barker = "Poisson–Barker (4.18, 4.54, 4.78) (5.47, 5.85, 6.29) (6.07, 6.51, 6.84)",
          poisson_mala = "Poisson–MALA (6.76, 7.45, 8.11) (11.00, 11.81, 12.40) (13.92, 14.91, 15.58)" },
}
local place = { min = 1, median = 2, max = 3 }
local rank_of = {}
for i, name in ipairs(order) do rank_of[name] = i end

-- Returns the triples of numbers in a row of the table, as strings and as
-- numbers.
local function triples(table_, name)
  local list = {}
  for text in tables[table_][name]:gmatch "%b()" do
    local one = { text = text }
    for number in text:gmatch "[%d.]+" do one[#one + 1] = tonumber(number) end
    list[#list + 1] = one
  end
  return list
end

-- Returns the triple at an acceptance of 0.25, 0.4 or 0.55 (at = 1, 2, 3). Without
-- `at`, it returns the only triple in a table that has just the best acceptance. In
-- other tables it returns the triple with the largest median.
local function triple(table_, name, at)
  local list = triples(table_, name)
  if at or #list == 1 then return list[at or 1], at or 1 end
  local best = 1
  for i, one in ipairs(list) do if one[2] > list[best][2] then best = i end end
  return list[best], best
end

-- Returns a row of the table as a string that ends with this triple, such as
-- "PoissonMH (99.0, 100.2, 101.1)".
local function words(table_, name, at)
  local _, i = triple(table_, name, at)
  local row, stop = tables[table_][name], 0
  for _ = 1, i do stop = row:find(")", stop + 1, true) end
  return row:sub(1, stop)
end

-- Returns the paper's number for a kernel: the least, the median or the largest of the
-- coordinates.
function printed.number(table_, name, rank, at) return triple(table_, name, at)[place[rank]] end

-- Returns the string of one row, or of two rows in the table's order.
function printed.quote(table_, a, b, at)
  if not b then return words(table_, a, at) end
  if rank_of[a] > rank_of[b] then a, b = b, a end
  return words(table_, a, at) .. " ... " .. words(table_, b, at)
end

return printed
