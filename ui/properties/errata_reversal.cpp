// SPDX-License-Identifier: Apache-2.0
// What is wrong, or to be read with care, in Reversal (seed 003).
#include "ui/properties/errata.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

std::vector<Erratum> errataOfReversal() {
  constexpr Paper kPaper = Paper::Reversal;
  return {
      {"rev-1", kPaper, N_("Tables 3 and 4"), N_("Columns of Table 4 are headed by $m$ without the dimension."),
       N_("Both tables are reproduced: $0.336550$, $0.384406$ and $0.410410$; $m=D/2$ is $64$ and $128$, so the "
          "columns "
          "belong to $D=128$ and $256$."),
       N_("Tables are labelled by $D$.")},
      {"rev-2", kPaper, N_("Table 5"), N_("Monte Carlo means $0.275$, $0.363$, $0.395$."),
       N_("The mean can be computed exactly: $0.275827$, $0.364167$, $0.396601$. $D=64$ and $128$ agree within the "
          "error of the simulation; $D=256$ is three to four standard errors low, which is not explained."),
       N_("The exact values stand beside the published ones.")},
      {"rev-3", kPaper, N_("Dinkelbach's method"), N_("An iteration finds the least correlation."),
       N_("$\\rho_s^*=1$ where $b_s<0$, else $0$, is the best for every value of the ratio: one evaluation is exact."),
       N_("No iteration is run.")},
      {"rev-4", kPaper, N_("The surrogate bound"), N_("The surrogate is a lower bound."),
       N_("Only where it is positive: at $D=64$ and distances $(0,29)$ it is negative for 6.1 % of the weights and "
          "exceeds the exact value there, by at most $0.010$. The averaged claim survives."),
       N_("The bound is never asserted draw by draw.")},
      {"rev-5", kPaper, N_("Positivity of the trace, Riemann limit"),
       N_("The trace is positive, and close to its integral."),
       N_("It first turns negative at distance $482$, $985$ and $1327$ for $D=64$, $128$, $256$; at distance 50 the "
          "sums "
          "are $0.5586$, $0.4772$ and $0.4562$ against $0.4368$. The $O(1/D)$ statement is asymptotic only."),
       N_("The range of positivity is drawn.")},
      {"rev-6", kPaper, N_("ALiBi"), N_("The bias is signed: $+b\\Delta_1$ and $-b\\Delta_2$."),
       N_("Standard ALiBi is $-m|i-j|$ on both sides. The correlation is 1 either way; the difference of the scores "
          "changes."),
       N_("Both are options.")},
      {"rev-7", kPaper, N_("Proposition C.1"), N_("Weights $I_W$ of the parameter groups."),
       N_("The formulas hold for the idealised model alone. With real two-token attention they change a lot: "
          "$0.205$ to $0.511$ for $U$, $1.16$ to $3.46$ for $V$, $0.0018$ to $0.0148$ for $K$ in one draw."),
       N_("They are labelled as idealised.")},
      {"rev-8", kPaper, N_("C.2, C.3"), N_("Main text and appendix differ: two tokens, or a single token of evidence."),
       N_("Both probabilities tend to 1 like $1-1/t$. Where the condition on RoPE is violated the reverse probability "
          "falls from $0.543$ to $0.311$ while the forward one tends to 1: the condition is necessary."),
       N_("Time runs logarithmically, and the condition is shown.")},
      {"rev-9", kPaper, N_("Proposition 4.1, Theorem 4.6, C.1"), N_("Strict inequalities."),
       N_("The identities hold. More is true: the cosine of the two errors is at least one half. In floating point the "
          "strict inequalities fail once $p(A)$ rounds to 1; $1-p(A)$ is then the sum of the other probabilities."),
       N_("Small probabilities are summed, never subtracted from 1.")},
      {"rev-10", kPaper, N_("Plain-text formulas, C.1"), N_("Plain-text halves of formulas lose signs and fractions."),
       N_("The LaTeX halves are right. If $B$ occurs several times, $S_B$ in C.1 is ambiguous: derivatives are taken "
          "by "
          "position."),
       N_("Scores are kept by position.")},
  };
}

}  // namespace sepx::ui
