# Functions shared by the tests of parts and of MPI ranks; sourced with `.`. Changes to a
# temporary folder.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1
# below N: prints a random number below N.
below() { echo $(($(od -An -N3 -tu4 /dev/urandom) % $1)); }

# Allow more ranks than processors, and root (as in the container of CI).
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_plm_rsh_agent= OMPI_MCA_hwloc_base_binding_policy=none
# ranks N ARG ...: runs the program on N ranks.
ranks() {
    of=$1
    shift
    timeout ${PATIENCE:-300} mpirun -n "$of" "$program" "$@"
}

# alike MADE: prints how the folder MADE and its output said_MADE differ from `whole` and
# said_whole; prints nothing if they are equal.
alike() {
    diff said_whole said_$1 >differ || {
        echo "the printed summary differs:"
        head -n 6 differ
    }
    for saved in whole/checkpoint $1/checkpoint; do
        [ -e $saved ] || echo "$saved is missing"
    done
    # Checkpoints contain times, and draws files have lines with times.
    diff -ra -x checkpoint -I '^#.* seconds (' whole $1 >differ || cut -c 1-200 differ | head -n 12
}
# same NAME MADE: reports a fault if the folder MADE and its output differ from
# `whole`.
same() {
    how=$(alike $2)
    [ -z "$how" ] || fault "$1: $how"
}

# Arms with replica exchange, learned temperatures, an ensemble and a tuner.
# Some arms are divided into parts, and others are not.
cat >plain.lua <<'EOF'
local cs = require "chainscope"
local walk = function() return cs.kernel.random_walk { step = 2 } end
return cs.scenario { title = "t", chains = 5, seed = 3, budget = { steps = 600 },
  target = cs.target.mixture { means = { { -4, 0 }, { 4, 1 } } },
  arms = { walk = walk(),
           tempered = cs.kernel.parallel_tempering { kernel = cs.kernel.mala { step = 2 }, rungs = 3 },
           simulated = cs.kernel.simulated_tempering { kernel = walk(), learn = 300 },
           fixed = cs.kernel.simulated_tempering { kernel = walk(), learn = 0 },
           ensemble = { kernel = cs.kernel.stretch {}, chains = 6 },
           tuned = { kernel = walk(), tuner = cs.tuner.acceptance { parameter = "step", acceptance = 0.4, steps = 100 } },
           mala = { kernel = cs.kernel.mala { step = cs.schedule.cosine { max = 2, min = 1, period = 20 } }, chains = 9 } },
  claims = { { arm = "walk", stat = "acceptance", at_least = 0.1 } },
}
EOF
# Some chains fail, also during the warm-up. The target is defined in Lua.
cat >stops.lua <<'EOF'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 6, budget = { steps = 700 }, warmup = 60, strict = true,
  target = cs.target { space = cs.real(2), traced = false, log_density = function(x)
    if x[1] > 5 then return 0 / 0 end
    return -0.5 * (x[1]^2 + x[2]^2)
  end },
  arms = { plain = cs.kernel.random_walk { step = 2 }, small = cs.kernel.random_walk { step = 0.5 } },
}
EOF
# The budget limits work instead of steps.
cat >work.lua <<'EOF'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 4, budget = { gradients = 3000 },
  target = cs.target.gaussian { dim = 2 },
  arms = { a = cs.kernel.hmc { step = 0.5 }, b = cs.kernel.mala { step = 0.5 },
           t = cs.kernel.parallel_tempering { kernel = cs.kernel.mala { step = 1 }, rungs = 2 } },
}
EOF
# A setup function that accesses all chains prevents a division into parts.
cat >setup.lua <<'EOF'
local cs = require "chainscope"
print("hello")
return cs.scenario { title = "t", chains = 3, budget = { steps = 300 },
  target = cs.target.gaussian { dim = 2 }, arms = { a = cs.kernel.random_walk { step = 1 } },
  setup = function(run) run:at(250, function(r) r:arm("a"):set("step", 2) end) end,
}
EOF
