#include "screen/input/key_acts.h"

/* Sends the displayed arm, chain and coordinate to the session. */
static void look(const cs_key_press *p)
{
    const cs_selection *at = &p->ui->look;
    cs_say(p, "look %s %zu %zu", cs_shot_arm(p->shot, at->arm), at->chain + 1,
           at->coordinate + 1);
}

void cs_key_true_logp(const cs_key_press *p)
{
    size_t n;
    const cs_decision *step =
        CS_SHOT_ROWS(p->shot, cs_decision, &n, CS_KEY_STEP);
    cs_say(p, step && n == 1 && step->estimates != 0 ? "ratios" : "logp");
}

void cs_choose_arm(const cs_key_press *p, size_t arm)
{
    cs_ui *ui = p->ui;
    ui->look.arm = arm;
    ui->look.chain = 0;
    ui->param = 0;
    look(p);
}

void cs_key_arm(const cs_key_press *p)
{
    cs_choose_arm(
        p, cs_turn(p->ui->look.arm, cs_shot_arms(p->shot), p->key == 'a'));
}

void cs_key_chain(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    ui->look.chain = cs_turn(
        ui->look.chain, cs_shot_chains(p->shot, ui->look.arm), p->key == 'c');
    look(p);
}

void cs_key_coordinate(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    double dim = cs_shot_number(p->shot, 1, "run/dim");
    size_t n = dim >= 1 && dim < 1e9 ? (size_t)dim : 1;
    ui->look.coordinate = cs_turn(ui->look.coordinate, n, p->key == 'n');
    look(p);
}
