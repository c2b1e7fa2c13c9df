// SPDX-License-Identifier: Apache-2.0
// Remarks on Reversal. We know of no theorem of the paper that is wrong; two of its tables disagree in one number.
#include "ui/properties/errata.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

std::vector<Erratum> errataOfReversal() {
  constexpr Paper kPaper = Paper::Reversal;
  using enum ErratumKind;
  return {
      {"rev-1", kPaper, Added, N_("Tables 3 and 4"), N_("Minima of the RoPE trace, and Cantelli bounds."),
       N_("All of them were recomputed and agree: $0.336550$, $0.384406$ and $0.410410$ in Table 3, and the 30 entries "
          "of Table 4."),
       N_("Tables are labelled by $D$; Table 4 is headed by $D/2$.")},
      {"rev-2", kPaper, Added, N_("Table 5"), N_("Monte Carlo means $0.275$, $0.363$, $0.395$."),
       N_("The mean can be computed exactly: $0.275827$, $0.364167$, $0.396601$. The printed values of $D=64$ and "
          "$128$ agree within the error of the simulation. That of $D=256$ is too low by 4.4 standard errors of "
          "50,000 draws, or 3.05 if its rounding is allowed for, which we cannot explain."),
       N_("The exact values are shown beside the published ones.")},
      {"rev-3", kPaper, Added, N_("Dinkelbach's method"), N_("An iteration finds the least correlation."),
       N_("$\\rho_s^*=1$ where $b_s<0$, else $0$, is optimal for every value of the ratio: one evaluation is exact."),
       N_("No iteration is run.")},
      {"rev-4", kPaper, Added, N_("B.3, the surrogate bound"),
       N_("The surrogate is a lower bound whenever it is positive."),
       N_("The condition, which the paper states, matters: at $D=64$ and distances $(0,29)$ the surrogate is negative "
          "for 6.1 % of the weights and exceeds the exact value there, by about $0.01$ at most in our draws. There is "
          "no such bound over all weights: with nearly all weight on one plane it exceeds the exact value by $0.88$ "
          "and more. The claim about the mean holds."),
       N_("The bound is not asserted for single draws.")},
      {"rev-5", kPaper, Added, N_("Positivity of the trace, Riemann limit"),
       N_("The trace is positive in the range of the paper, distances up to 50, and tends to an integral."),
       N_("Beyond that range it becomes negative, first at distance $482$, $985$ and $1327$ for $D=64$, $128$, $256$. "
          "At distance 50 the sums are $0.5586$, $0.4772$ and $0.4562$, the integral is $0.4368$: the $O(1/D)$ "
          "statement is asymptotic."),
       N_("The range of positivity is drawn.")},
      {"rev-6", kPaper, Conditional, N_("ALiBi"), N_("The bias is signed: $+b\\Delta_1$ and $-b\\Delta_2$."),
       N_("Standard ALiBi is $-m|i-j|$ on both sides. The correlation is 1 either way; the difference of the scores "
          "changes."),
       N_("Both can be chosen.")},
      {"rev-7", kPaper, Conditional, N_("Proposition C.1"), N_("Weights $I_W$ of the parameter groups."),
       N_("The formulas hold for the idealised model. With real two-token attention the values change a lot: $0.205$ "
          "to $0.511$ for $U$, $1.16$ to $3.46$ for $V$, $0.0018$ to $0.0148$ for $K$ in one draw."),
       N_("They are labelled as idealised.")},
      {"rev-8", kPaper, Conditional, N_("C.2, C.3"),
       N_("Forward and reverse probability both tend to 1. The main text speaks of two tokens, the appendix of a "
          "single token of evidence."),
       N_("Under the conditions of the propositions, simulations agree. $1-p$ of the forward query falls as $1/t$. "
          "What follows is our derivation, with $\\rho=q^\\top R(\\Delta_1+\\Delta_2)q/|q|^2$. Under RoPE $1-p$ of "
          "the reverse query falls as $1/t$ only for $\\rho\\ge 1/2$, otherwise more slowly; under ALiBi with fixed "
          "scores it falls as $t^{-\\alpha_{rev}/\\alpha_{fwd}}$. The condition of RoPE, $\\rho>0$, is sufficient, "
          "not necessary: the reverse probability tends to 1 for $\\rho>-1/2$. It cannot be dropped altogether: at "
          "$\\rho=-1/2$ the limit lies strictly between $1/V$ and 1, and for $\\rho<-1/2$ it is $1/V$. In an example "
          "with $\\rho<-1/2$ the reverse probability falls from $0.543$ to $0.311$ while the forward one tends to 1."),
       N_("Time is logarithmic, and the condition is shown.")},
      {"rev-9", kPaper, Added, N_("Proposition 4.1, Theorem 4.6, C.1"), N_("Strict inequalities."),
       N_("The identities hold. In addition the cosine of the two errors is at least one half. In floating point the "
          "strict inequalities fail once $p(A)$ rounds to 1; $1-p(A)$ is then the sum of the other probabilities."),
       N_("Small probabilities are summed, not subtracted from 1.")},
      {"rev-11", kPaper, Misprint, N_("Tables 1 and 2"),
       N_("The forward accuracy of the one-layer MDM with RoPE at $L=20$ is $97.36$ in Table 1 and $96.8$ in Table 2."),
       N_("Both tables print $55.7$ for the reverse accuracy of this model, and at $L=10$ they agree in both numbers. "
          "Which of the two forward numbers is right cannot be told from the paper."),
       N_("Table 1 is shown with $97.36$.")},
  };
}

}  // namespace sepx::ui
