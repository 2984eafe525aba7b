-- The results of the edlp paper on binary networks for four data sets, as claims: tables
-- 2 and 3, and the paper's statements about these tables.
local printed = {}

local samplers = { "gibbs", "gwg", "dula", "dmala", "edula", "edmala" }

-- For each data set, two lists in the order of `samplers`: the test error, and the
-- quantity that the paper calls the training log-likelihood. Each value has its spread.
local sets = {
  COMPAS = { file = "compas",
    error = { "0.4752 ±0.0058", "0.4756 ±0.0056", "0.4789 ±0.0039", "0.4773 ±0.0036", "0.4778 ±0.0037", "0.4768 ±0.0033" },
    fit = { "-0.3473 ±0.0337", "-0.3304 ±0.0302", "-0.3385 ±0.0101", "-0.3149 ±0.0145", "-0.3385 ±0.0110", "-0.3145 ±0.0149" } },
  News = { file = "news",
    error = { "0.1008 ±0.0011", "0.0996 ±0.0027", "0.0923 ±0.0037", "0.0916 ±0.0040", "0.0918 ±0.0036", "0.0915 ±0.0036" },
    fit = { "-0.2156 ±0.0003", "-0.2138 ±0.0010", "-0.2101 ±0.0012", "-0.2097 ±0.0011", "-0.2097 ±0.0012", "-0.2098 ±0.0012" } },
  Adult = { file = "adult",
    error = { "0.4784 ±0.0151", "0.4432 ±0.0255", "0.3895 ±0.0102", "0.3872 ±0.0107", "0.3889 ±0.0097", "0.3861 ±0.0110" },
    fit = { "-0.4310 ±0.0166", "-0.3869 ±0.0325", "-0.3044 ±0.0149", "-0.2988 ±0.0158", "-0.3032 ±0.0141", "-0.2987 ±0.0162" } },
  Blog = { file = "blog",
    error = { "0.4442 ±0.0107", "0.3728 ±0.0093", "0.3236 ±0.0114", "0.3213 ±0.0117", "0.3218 ±0.0119", "0.3211 ±0.0145" },
    fit = { "-0.4009 ±0.0072", "-0.3414 ±0.0028", "-0.2732 ±0.0128", "-0.2705 ±0.0129", "-0.2699 ±0.0128", "-0.2699 ±0.0163" } },
}

-- Table 3 has the log density of this program divided by 100.
local tables = {
  held_out    = { of = "error", where = "table 2", scale = 1, each = 20 },
  log_density = { of = "fit", where = "table 3", scale = 100, each = nil },
}

-- Statements about two samplers: the relation between the two, and the quoted sentence.
-- `short`: checked in the quick setting too.
local all = "Across all datasets, the EDLP samplers consistently outperform other samplers"
local twins = "EDMALA and EDULA consistently outperform their non-entropic variants across all datasets"
local pairs_of = {
  { "edmala", "gwg", "log_density", "above", all, "appendix E.4", short = true },
  { "edula", "gibbs", "log_density", "above", all, "appendix E.4", short = true },
  { "edula", "gwg", "log_density", "above", all, "appendix E.4" },
  { "edmala", "dmala", "log_density", "above", all, "appendix E.4" },
  { "edula", "dula", "log_density", "above", all, "appendix E.4" },
  { "edmala", "dmala", "held_out", "better", twins, "section 6.4" },
  { "edula", "dula", "held_out", "better", twins, "section 6.4" },
}

local place = {}
for i, name in ipairs(samplers) do place[name] = i end

local function number_of(set, stat, arm) return sets[set][tables[stat].of][place[arm]] end

-- Returns the paper's values for two samplers as a string, such as "table 2:
-- 0.4768 beside 0.4773".
local function beside(set, stat, arm, other)
  local function short(name) return number_of(set, stat, name):match "^%S+" end
  return ("%s: %s beside %s"):format(tables[stat].where, short(arm), short(other))
end

-- Returns the claims of a data set. `said` lists the claims that do not hold or need a
-- note, keyed by "held_out edula" or "held_out edula dula": { holds =, note = }.
function printed.claims(set, said)
  local list = {}
  local function add(claim, key)
    local other = said[key] or {}
    claim.data = ("bnn/%s-train.csv.gz"):format(sets[set].file)
    claim.holds, claim.note, claim.each = other.holds, other.note, tables[claim.stat].each
    list[#list + 1] = claim
  end
  for _, row in ipairs(pairs_of) do
    local arm, than, stat, relation, quote, where = table.unpack(row)
    add({ arm = arm, than = than, stat = stat, relation = relation, quote = quote, where = where,
          paper = beside(set, stat, arm, than), only = not row.short and "full" or nil },
        ("%s %s %s"):format(stat, arm, than))
  end
  for _, stat in ipairs { "held_out", "log_density" } do
    local t = tables[stat]
    for _, arm in ipairs(samplers) do
      local text = number_of(set, stat, arm)
      local near, within = text:match "^(%S+) ±(%S+)$"
      add({ arm = arm, stat = stat, near = t.scale * near, within = t.scale * within, only = "full",
            quote = ("%s ... %s"):format(set, text), where = t.where,
            paper = t.scale ~= 1 and "times 100; ± is the spread over the iterations" or
              "± is the spread over the iterations" }, stat .. " " .. arm)
    end
  end
  return list
end

return printed
