/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/tableau_file.h -- a base method given in a JSON file:
 *
 *   {"name": "qz", "A": [[0.25, 0], [0.5, 0.25]], "b": [0.5, 0.5]}
 *
 * The optional members "A_hat" and "b_hat" give separate coefficients for the momenta
 * (sidewinder/tableau.h).  A coefficient can be a fraction in quotes, such as "5/12".  The optional
 * member "c" must contain the sums of the rows of A.
 */
#ifndef SW_IO_TABLEAU_FILE_H
#define SW_IO_TABLEAU_FILE_H

#include "common/user_text.h"
#include "step/tableau.h"

/* Reads and examines a tableau. *own must not be moved afterwards.  Errors, with a message that
 * names the file, and the line and column if the text is not JSON: SW_ERR_ARGUMENT if the contents
 * are wrong, SW_ERR_IO.  SW_ERR_MEMORY, with message "". */
sw_status sw_tableau_read(const char *path, sw_own_tableau *own, sw_tableau_report *report,
                          char message[SW_TEXT_MESSAGE]);

/* A one-line summary, such as "2 stages, order 2, symplectic, symmetric; 2 d unknowns a step, 1 d
 * where H is separable". */
#define SW_TABLEAU_TEXT 200
void sw_tableau_text(const sw_tableau *tableau, const sw_tableau_report *report,
                     char text[SW_TABLEAU_TEXT]);

#endif
