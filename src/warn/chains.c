/* Warnings about stopped chains and the design of the run. */
#include "base/count.h"
#include "warn/kinds.h"

bool cs_warn_stopped(const cs_warn_facts *f, cs_page *p)
{
    const cs_warn_counts *c = &f->counts;
    if (!c->stopped)
        return false;
    cs_page_put(
        p, "%zu of %zu chains stopped; their later steps are not recorded\n%s",
        c->stopped, f->chains, c->stops ? c->stops : "");
    return true;
}

bool cs_warn_broken_off(const cs_warn_facts *f, cs_page *p)
{
    if (!f->ended || f->finished || f->steps == 0 || f->steps >= f->budget)
        return false;
    cs_page_put(p, "%s of the %s steps of the budget were made\n",
                cs_count((double)f->steps).text,
                cs_count((double)f->budget).text);
    return true;
}

bool cs_warn_warming(const cs_warn_facts *f, cs_page *p)
{
    if (!f->warming || f->steps == 0 || !(f->ended || f->finished))
        return false;
    cs_page_put(p,
                "no draws: the run ended at step %llu, during its warm-up; run "
                "longer\n",
                (unsigned long long)f->steps);
    return true;
}

/* A run that has read all chains to the damage has stopped none of them. */
bool cs_warn_damaged(const cs_warn_facts *f, cs_page *p)
{
    if (!f->files.damaged || f->counts.stopped)
        return false;
    cs_page_put(p,
                "damaged: the files of %zu of %zu chains; nothing after the "
                "damage is used\n",
                f->files.damaged, f->chains);
    return true;
}

bool cs_warn_cut(const cs_warn_facts *f, cs_page *p)
{
    if (f->files.damaged || f->files.longest >= f->files.planned)
        return false;
    cs_page_put(p,
                "the files have %s of %s draws per chain: they were cut, or "
                "are still being written\n",
                cs_count((double)f->files.longest).text,
                cs_count((double)f->files.planned).text);
    return true;
}

bool cs_warn_left_out(const cs_warn_facts *f, cs_page *p)
{
    if (!f->files.left_out)
        return false;
    cs_page_put(p,
                "left out: %zu of %zu chains, with far fewer draws than the "
                "longest (%s)\n",
                f->files.left_out, f->chains + f->files.left_out,
                cs_count((double)f->files.longest).text);
    return true;
}

/* Reports chains of different lengths. Differences up to 10 % are ignored
 * unless the files are complete: while another process writes the files, they
 * differ by a few rows. */
bool cs_warn_unequal(const cs_warn_facts *f, cs_page *p)
{
    double most = (f->files.complete ? 1 : 1.1) * (double)f->steps;
    if (f->steps == 0 || !((double)f->files.longest > most))
        return false;
    cs_page_put(p,
                "the chains have from %s to %s draws: the results use the "
                "first %s of each chain\n",
                cs_count((double)f->steps).text,
                cs_count((double)f->files.longest).text,
                cs_count((double)f->steps).text);
    return true;
}

bool cs_warn_one_chain(const cs_warn_facts *f, cs_page *p)
{
    if (f->chains != f->group)
        return false;
    cs_page_put(p, "only one chain: R-hat compares its halves and may miss "
                   "what several chains would reveal; run four chains\n");
    return true;
}

bool cs_warn_one_place(const cs_warn_facts *f, cs_page *p)
{
    if (!f->one_place || f->chains <= f->group)
        return false;
    cs_page_put(p, "all chains start at one place: R-hat cannot detect modes "
                   "that no chain has reached\n");
    return true;
}

/* Reports an ensemble, because R-hat and ESS assume that chains do not
 * influence each other. */
bool cs_warn_ensemble(const cs_warn_facts *f, cs_page *p)
{
    const cs_kernel_type *type = f->kernel->type;
    if (!(type->flags & CS_KERNEL_ENSEMBLE))
        return false;
    cs_page_put(p,
                "the chains of %s use each other's states: R-hat and ESS "
                "assume independent chains and may be too favourable; compare "
                "runs with other seeds\n",
                type->name);
    return true;
}

bool cs_warn_few_walkers(const cs_warn_facts *f, cs_page *p)
{
    const cs_kernel_type *type = f->kernel->type;
    if (!(type->flags & CS_KERNEL_ENSEMBLE) ||
        (f->chains > 2 * f->dim && f->chains % 2 == 0))
        return false;
    cs_page_put(p,
                "%s has %zu chains in %zu coordinates: use an even number of "
                "chains, greater than %zu\n",
                type->name, f->chains, f->dim, 2 * f->dim);
    return true;
}
