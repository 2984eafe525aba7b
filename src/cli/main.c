/* chainscope: the program. Finds the sub-command and hands over. */
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    gsl_set_error_handler_off();
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        printf("chainscope %s\n", CS_VERSION);
        return 0;
    }
    fprintf(stderr, "chainscope: no sub-command yet: try --version\n");
    return 2;
}
