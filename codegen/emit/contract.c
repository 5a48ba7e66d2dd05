/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/contract.h"

const emit_contract_row emit_contract[IR_FUNCTIONS] = {
    [IR_HAMILTONIAN] = {"hamiltonian", "H", 0, ENTRY_NONE, ENTRY_NONE},
    [IR_HAMILTONIAN_GRAD] = {"hamiltonian_grad", "grad H = (H_q, H_p)", 0, ENTRY_Z, ENTRY_NONE},
    [IR_HAMILTONIAN_HESS] = {"hamiltonian_hess", "Hess H, lower triangle", 0, ENTRY_Z, ENTRY_Z},
    [IR_CONSTRAINT] = {"constraint", "g", 0, ENTRY_CONSTRAINT, ENTRY_NONE},
    [IR_CONSTRAINT_SCALE] = {"constraint_scale", "Size of the terms of g", 0, ENTRY_CONSTRAINT,
                             ENTRY_NONE},
    [IR_CONSTRAINT_JAC] = {"constraint_jac", "Dg", 0, ENTRY_CONSTRAINT, ENTRY_Z},
    [IR_CONSTRAINT_HESS] = {"constraint_hess", "Hess(lambda . g), lower triangle", 1, ENTRY_Z,
                            ENTRY_Z},
    [IR_HIDDEN] = {"hidden", "rho = {g, H}", 0, ENTRY_CONSTRAINT, ENTRY_NONE},
    [IR_HIDDEN_SCALE] = {"hidden_scale", "Size of the terms of rho", 0, ENTRY_CONSTRAINT,
                         ENTRY_NONE},
    [IR_HIDDEN_JAC] = {"hidden_jac", "Drho", 0, ENTRY_CONSTRAINT, ENTRY_Z},
    [IR_COISOTROPY] = {"coisotropy", "C_ij = {g_i, g_j}", 0, ENTRY_CONSTRAINT, ENTRY_CONSTRAINT},
    [IR_NONDEGENERACY] = {"nondegeneracy", "N_ij = {{g_i, H}, g_j}", 0, ENTRY_CONSTRAINT,
                          ENTRY_CONSTRAINT},
    [IR_FIBRE_FLOW] = {"fibre_flow", "Gamma_lambda(z) = exp(sum_i lambda_i X_{g_i})(z)", 1, ENTRY_Z,
                       ENTRY_NONE},
    [IR_FIBRE_FLOW_LAMBDA] = {"fibre_flow_lambda", "dGamma/dlambda", 1, ENTRY_Z, ENTRY_CONSTRAINT},
    [IR_FIBRE_FLOW_Z] = {"fibre_flow_z", "dGamma/dz", 1, ENTRY_Z, ENTRY_Z},
    [IR_OBSERVE] = {"observe", "Observables", 1, ENTRY_OBSERVABLE, ENTRY_NONE},
    [IR_INVARIANT] = {"invariant", "Invariants", 0, ENTRY_INVARIANT, ENTRY_NONE},
};
