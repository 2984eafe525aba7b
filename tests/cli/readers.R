# Draws as read by R packages: rstan, coda and posterior, if they are installed.
# usage: Rscript readers.R FOLDER ...; prints one line per fault, and "R" at the
# end.
has <- function(p) suppressWarnings(suppressMessages(requireNamespace(p, quietly = TRUE)))
say <- function(...) cat(..., "\n")
for (d in commandArgs(TRUE)) {
files <- list.files(d, "_[0-9]+[.]csv$")
for (arm in unique(sub("_[0-9]+[.]csv$", "", files))) {
  f <- file.path(d, files[sub("_[0-9]+[.]csv$", "", files) == arm])
  # Chains of simulated tempering have different numbers of draws.
  groups <- if (arm == "simulated_tempering") as.list(f) else list(f)
  for (g in groups) {
    raw <- lapply(g, function(p) {
      # Rows of a saved warm-up come first.
      told <- function(key) as.numeric(sub(".*= *", "", grep(paste0("^# *", key, " = "), readLines(p, 30), value = TRUE)))
      all <- read.csv(p, comment.char = "#")
      tail(all, nrow(all) - told("save_warmup") * told("num_warmup") / told("thin"))
    })
    look <- function(what, rows, chains) {
      if (rows != nrow(raw[[1]]) || chains != length(g))
        say(arm, what, "has", rows, "draws of", chains, "chains, not", nrow(raw[[1]]), "of", length(g))
    }
    tryCatch({
      if (has("rstan")) {
        # For a kernel without log p the column is NaN, and rstan reports this.
        none <- all(vapply(raw, function(r) all(is.nan(r$lp__)), TRUE))
        fit <- withCallingHandlers(rstan::read_stan_csv(g), warning = function(w)
          if (none && grepl("undefined values: *lp__[.]", conditionMessage(w)))
            invokeRestart("muffleWarning"))
        a <- as.array(fit)
        look("rstan", dim(a)[1], dim(a)[2])
        if (has("posterior")) {
          p <- posterior::as_draws_array(a)
          look("posterior", posterior::niterations(p), posterior::nchains(p))
        }
      }
      if (has("coda")) {
        m <- coda::mcmc.list(lapply(raw, coda::mcmc))
        look("coda", coda::niter(m), coda::nchain(m))
      }
    }, error = function(e) say(arm, "is refused:", conditionMessage(e)),
       warning = function(w) say(arm, "is doubted:", conditionMessage(w)))
  }
}
}
cat("R\n")
