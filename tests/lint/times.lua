-- Checks the list of slow tests, tests/times.txt, with one "name seconds" per line.
-- CMake gives the label `quick` to every test that is not listed.
--
-- Usage: times.lua COST_DATA LIST          checks the list
--        times.lua COST_DATA LIST write    rewrites it
--
-- COST_DATA has the times measured by ctest (Testing/Temporary/CTestCostData.txt in
-- the build folder): lines "name runs mean_seconds", up to a line "---". Machines
-- differ in speed and load, so seconds are scaled: a unit is the ratio of the
-- measured sum to the listed sum, over the listed tests that ran. An unlisted test
-- may take SHARE units. Tests of LISTED seconds or more are listed.

local LISTED <const> = 1.25 -- seconds; slower tests are listed
local SHARE <const> = 10 -- seconds; limit of an unlisted test in a single run, which may be slow

local function read_costs(path)
    local cost = {}
    for line in io.lines(path) do
        if line == "---" then
            break
        end
        local name, runs, seconds = line:match("^(%S+) (%d+) (%S+)$")
        if name and tonumber(runs) > 0 then
            cost[name] = tonumber(seconds)
        end
    end
    return cost
end

local function read_list(path)
    local listed = {}
    for line in io.lines(path) do
        local name, seconds = line:match("^(%S+) ([%d.]+)$")
        if name then
            listed[name] = tonumber(seconds)
        end
    end
    return listed
end

-- Returns the measured seconds per listed second, or 1 if no listed test ran.
local function unit_of(cost, listed)
    local measured, expected = 0, 0
    for name, seconds in pairs(listed) do
        if cost[name] then
            measured, expected = measured + cost[name], expected + seconds
        end
    end
    return expected > 0 and measured / expected or 1
end

-- Writes the list. New costs are scaled to the speed of the machine on which
-- the list was measured, so that a slower or loaded machine does not make them
-- larger. Tests that were not measured keep their cost.
local function write(cost, listed, path)
    local lines, unit = {}, unit_of(cost, listed)
    for name, seconds in pairs(cost) do
        seconds = seconds / unit
        listed[name] = seconds >= LISTED and seconds or nil
    end
    for name, seconds in pairs(listed) do
        lines[#lines + 1] = ("%s %.1f\n"):format(name, seconds)
    end
    table.sort(lines)
    local out = assert(io.open(path, "w"))
    out:write(table.concat(lines))
    out:close()
end

local function check(cost, listed)
    local unit, bad = unit_of(cost, listed), 0
    for name, seconds in pairs(cost) do
        if not listed[name] and seconds / unit > SHARE then
            print(("%s took %.1f s (%.1f s at the speed of the list) and is not in tests/times.txt"):format(
                name, seconds, seconds / unit))
            bad = bad + 1
        end
    end
    if bad > 0 then
        print("make it faster, or list it: cmake --build build --target test_times")
    end
    return bad == 0
end

local cost, listed = read_costs(arg[1]), read_list(arg[2])
if arg[3] == "write" then
    write(cost, listed, arg[2])
else
    os.exit(check(cost, listed))
end
