-- chainscope: the Lua module with which scenarios are written. The program passes the C core to
-- this file as an argument; in an ordinary Lua interpreter the core is loaded as chainscope.core.
-- All files of the module share one table, which contains the names that scripts see (cs), the
-- rows that describe their tables, and the core.
local core = ...
if type(core) ~= "table" then core = require "chainscope.core" end

local m = { core = core, cs = {}, rows = {}, words = { core = core } }
for _, name in ipairs { "check", "words", "scenario", "sets", "open", "arm_handles", "run", "memory" } do
  core.part(name)(m)
end

-- Files that most scripts do not need. A file is loaded when one of its fields is first read.
-- This shortens the start of the program.
local parts = {
  density = { cs = { "lpdf", "lcdf", "lccdf" } },
  arms = { m = { "changed_arms", "changed_target" } },
  params = {
    cs = { "real", "positive", "interval", "ordered", "positive_ordered", "ordered_interval", "simplex", "sum_to_zero", "unit_vector",
           "cholesky_corr", "correlation", "cholesky_cov", "covariance",
           "bit", "label", "integer", "count" },
    m = { "declare", "target_of_params", "point", "value_of", "parameter_names", "parameter_at", "parameter_list", "parameters_of", "with_generated" },
  },
  random = { m = { "random_numbers" } },
  conditional = { m = { "conditional_kernel", "check_conditional", "is_conditional", "copy_conditional", "place_conditional" } },
  composed = { m = { "compose", "take_member", "note_member", "place_kernel", "make_composed", "make_around", "member_tuner", "member_info" } },
  auto = { m = { "auto_kernel", "choose_kernels" } },
  outside = { m = { "outside_target" } },
  figures = { m = { "figure", "figures", "check_figure", "find_coordinate", "resolve", "seen", "of_claim", "coordinate_of", "argument_name", "lacks_superchains", "is_constant", "is_broken" } },
  watched = { m = { "watch_claimed" } },
  functions = { m = { "check_function", "is_function", "function_name", "derive", "traced_function" } },
  errors = { m = { "mean_of", "sights", "look", "error_of", "error_of_seeds", "bootstrap" } },
  claims = {
    rows = { "claim" },
    m = { "judge", "reason_of", "check_claims", "claims_of", "follow_claims", "claims_in_words", "claims_in_lines", "measured_claims", "keep_claims", "measure_figure", "measure_claim", "figure_in_words" },
  },
  course = { rows = { "course_step", "course_choice", "course_truth", "course_point" }, m = { "course_of", "course_figures", "mark_of", "is_decision" } },
  stages = { rows = { "stage" }, m = { "staged", "check_stages", "stage_grounds", "stage_of" } },
  answers = { m = { "answers" } },
  lesson = { m = { "lesson", "panel_word" } },
  setting = { rows = { "printed" }, m = { "check_printed", "note_setting", "setting_in_words" } },
  relations = { m = { "check_relation", "relation_of", "relation_in_words", "usual_factor" } },
  bias = { m = { "bias" } },
  recall = { words = { "recall" } },
  stop = { rows = { "stop" }, m = { "check_stop", "stop_when", "next_look" } },
  panels = { rows = { "panel" }, m = { "check_panel", "plane_of", "watch_shown", "record_raced" } },
  own_panels = {
    cs = { "panel" }, rows = { "own_panel" }, m = { "own_panels", "panel_figures" },
    words = { "panels", "show_panel", "sample_panels", "sample_panel", "panel_key" },
  },
  loo = { cs = { "compare" }, m = { "loo", "sensitivity" } },
  kfold = { cs = { "kfold" }, rows = { "kfold", "folds" }, m = { "check_folds", "folded", "fold_lines" } },
  predictive = {
    rows = { "predictive" }, words = { "show_predictive" },
    m = { "predictive_checks", "recorded_checks", "recorded_loo", "predictive_lines", "predictive", "predictive_text" },
  },
  results = { m = { "results", "read_figures", "write_figures" } },
  sweep = { cs = { "sweep" }, rows = { "sweep", "swept_figure" }, m = { "run_to_end" } },
  calibration = { rows = { "sbc" }, m = { "calibrated", "calibration_of", "check_sbc", "ranks" } },
  source = { m = { "blame_entry" } },
  network = { cs = { "network" } },
  plain = { cs = { "plain" } },
  faulty = { cs = { "faulty" }, rows = { "faulty" }, m = { "faulty_names" }, words = { "faulty_names" } },
  exercise = { rows = { "exercise", "exercise_judge", "exercise_claim", "exercise_answer", "exercise_hidden" }, m = { "check_exercise" }, words = { "exercise" } },
  game = { rows = { "game" }, m = { "game", "game_made", "game_scenario", "game_drawn" } },
  learn = { cs = { "optimiser" }, rows = { "learn", "images", "judge" },
            m = { "learn_of", "learn_fully", "learned" } },
  text = { cs = { "self_bleu", "unique_ngrams" } },
  theory = { cs = { "theory" }, m = { "theories" }, rows = { "theory" } },
  help = { cs = { "help", "describe", "reference" },
           m = { "methods", "fields", "vocabulary", "tables", "objects" } },
  saved = { cs = { "load" } },
  ode = { cs = { "ode" } },
  show = { words = { "show" } },
  annotate = { words = { "annotations", "names", "vocabulary", "help_names" } },
}
local tables = { m = m, cs = m.cs, rows = m.rows, words = m.words }
local makers = { m = {}, cs = {}, rows = {}, words = {} } -- fields that are not loaded yet, each with its file

-- Loads a file of the module. If loading was interrupted, the file is loaded
-- again at the next use.
local function read(part)
  core.part(part)(m)
  for name, fields in next, parts[part] do
    for _, field in ipairs(fields) do makers[name][field] = nil end
  end
end

local function late(name)
  return function(t, field)
    local part = makers[name][field]
    if not part then return nil end
    read(part)
    return rawget(t, field)
  end
end

-- Loads all files; called before names are listed.
function m.read_all()
  for _, of in next, makers do
    while next(of) do read(select(2, next(of))) end
  end
end

for part, of in next, parts do
  for name, fields in next, of do
    for _, field in ipairs(fields) do makers[name][field] = part end
  end
end
for name, t in next, tables do setmetatable(t, { __index = late(name) }) end

m.cs.version, core.words = core.version, m.words
return m.sealed("chainscope", m.cs, nil, late "cs"), m.words
