// SPDX-License-Identifier: Apache-2.0
// What is wrong in Attention-Structure (seeds 000 and 001, and the appendix 002); numbers as in seed 000.
#include "ui/properties/errata.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

std::vector<Erratum> errataOfAttentionStructure() {
  constexpr Paper kPaper = Paper::AttentionStructure;
  return {
      {"att-1", kPaper, N_("Definition 3.1"),
       N_("The symmetry score carries a factor 2, so that the identity gives 2."),
       N_("The rest of the paper, its tables and its code use $s=(|M_s|^2-|M_n|^2)/|M|^2=\\mathrm{Tr}(MM)/|M|^2$, from "
          "$-1$ to $1$."),
       N_("Scores are $s$; the scale of the code is $(1+s)/2$."), true},
      {"att-2", kPaper, N_("(S119), (S121)-(S123)"), N_("$\\mathrm{Tr}(MM)\\le\\frac12|M|^2$."),
       N_("The identity refutes it; right is $|\\mathrm{Tr}(MM)|\\le|M|^2$. (S122) fits the literal definition and "
          "contradicts (S123)."),
       N_("The range of $s$ is taken from the correct bound."), true},
      {"att-3", kPaper, N_("(S125), random matrices"), N_("The mean score of a random matrix is $8/n$."),
       N_("It is $1/n$; (S125) leaves out a factor one quarter. Measured: $0.12443$ at $n=8$, $0.00806$ at $n=128$. "
          "The "
          "standard deviation is $\\sqrt2/n$, so about 24 % of random matrices have a negative score."),
       N_("Every score carries the band of structureless matrices of its size and rank, around $1/n$; inside it the "
          "score is drawn pale."),
       true},
      {"att-4", kPaper, N_("Definition 3.2, (S130)-(S132), tables"),
       N_("Directionality has two signs: (row - col) in the definition, its negative in the proof and the code; the "
          "tables turn the code's values round."),
       N_("The tables follow Definition 3.2: negative means that columns dominate. The code counts the excess over the "
          "threshold, with $\\gamma=2$ and the sample deviation; the definition sums whole norms. The two differ: "
          "$0.429$ against $0.785$ for one large row. (S130) fails when one side is 0."),
       N_("Both variants are options; the tables' convention is the default."), true},
      {"att-5", kPaper, N_("Proposition A.16 (3)"), N_("Directionality of a random matrix concentrates at 0."),
       N_("The mean is 0, but concentration is slow: the deviation is $0.70$, $0.34$, $0.16$ at $n=32$, $128$, $512$, "
          "and "
          "at $n=32$ nearly half of all random matrices have $|d|=1$."),
       N_("The band of $d$ is sampled for the size and rank at hand, and $d$ is drawn pale inside it."), true},
      {"att-6", kPaper, N_("Proposition 2.1, (S20), (S25)-(S36)"),
       N_("The printed $\\beta_{ij}$ is minus the gradient, is summed over $j$, and its path through the own token is "
          "used in every layer."),
       N_("$G=\\sum\\beta_{ij}x_ix_j^\\top$ is exact for linear and softmax attention when $\\beta_{ij}$ is the total "
          "derivative of the loss by the raw score. The printed path is exact in the last layer only: 58 to 71 % off "
          "in "
          "layer 1 of 2 for linear attention, 22 to 31 % for softmax. With softmax every row of $\\beta$ sums to 0."),
       N_("$\\beta$ is computed as the total derivative.")},
      {"att-7", kPaper, N_("(S38)"), N_("The update of $W_{qk}$ is proportional to $\\sum\\beta K$."),
       N_("Only if $W_qW_q^\\top$ and $W_kW_k^\\top$ are multiples of the identity. The exact update is "
          "$-\\eta(W_qW_q^\\top G+GW_kW_k^\\top)+\\eta^2GW_kW_q^\\top G$; its cosine with the printed one falls from "
          "$0.81$ to $0.34$ as heads get narrower."),
       N_("Updates are decomposed with the exact formula.")},
      {"att-8", kPaper, N_("Proposition A.7 to Theorem 2.3"),
       N_("The spread of the columns' norms exceeds that of the rows'."),
       N_("(S56) is right, but it makes the row norms spread more: simulating that very model gives $d=+0.55$ at "
          "$n=64$. "
          "The claimed sign needs a context that is not isotropic."),
       N_("Theorem 2.3 is not shown as following from Proposition A.7.")},
      {"att-9", kPaper, N_("Lemma A.11, (S86)"), N_("The bound holds above the stated threshold."),
       N_("It is false there: with $\\mu=10$, deviations $4.97$ and $1$ and $z=12.24$ it gives $0$ where the other "
          "side "
          "has $0.165$. The threshold must be at least $\\mu+\\sqrt{\\sigma_a\\sigma_b}$, and (S86) needs $z<\\mu$."),
       N_("Nothing in the program rests on it.")},
      {"att-10", kPaper, N_("(S60), (S67), (S73), (S74), (S79)"), N_("Sums and factors."),
       N_("(S67) runs up to $l=N$; (S73) and (S74) have a factor $N$ too many, their ratio is right; (S60) reads "
          "$[y]_m^2\\,|\\sum\\beta x|^2$; (S79) is not defined at $\\mu=1$."),
       N_("Counts use the corrected sums and agree with enumeration.")},
      {"att-11", kPaper, N_("(S111)"), N_("The share of symmetric terms for masked tokens."),
       N_("The formula gives $17.6$, $25$ and $42.9$ % at $15$, $20$ and $30$ % masked; it is a ratio of symmetric to "
          "other terms. Of all pairs the share is $(pN-1)/(N-1)$. With context from unmasked tokens alone such pairs "
          "do not occur at all."),
       N_("Ratio and share are named separately.")},
      {"att-12", kPaper, N_("(S106), (12), (15), (S45), Remark A.4"), N_("Slips of sums, indices and words."),
       N_("One pair of (S106) is $(\\beta_{ij}+\\beta_{ji})S_{ij}$; (12) asks $t_j=t^*$ with index $m$; a column is "
          "$w_{\\cdot,k}$; nilpotent must be idempotent; the variance of a squared norm is "
          "$n(2\\sigma^4+4\\mu^2\\sigma^2)$."),
       N_("The corrected forms are used.")},
      {"att-13", kPaper, N_("Training appendix, loss constraints"),
       N_("A loss that is said to drive the score to 0 for skew matrices."),
       N_("$|M|^2/|M_n|^2=2/(1-s)$ drives $s$ to $-1$; the 0 of the text is the score on the code's scale. The "
          "symmetric "
          "loss $2/(1+s)$ drives $s$ to 1. Squares of matrices are squared Frobenius norms. Both losses are singular "
          "at the opposite end."),
       N_("Constraints are guarded at their singular end.")},
      {"att-14", kPaper, N_("Training appendix, skew initialisation"),
       N_("$W_k=W_qS^\\top$ with one skew $S$ of full size."),
       N_("With several heads that leaves single heads without skewness, $-0.28$, $-0.65$, $-0.19$; one skew block a "
          "head "
          "gives $-1$ each. $S=A-A^\\top$ also enlarges $W_k$ by $\\sqrt{2d_h}\\,\\sigma_A$, 11 times at $d=64$; take "
          "$\\sigma_A=1/\\sqrt{2d_h}$. For odd $d_h$ it is singular."),
       N_("Initialisation works a head at a time and keeps the scale.")},
      {"att-15", kPaper, N_("Numbering"), N_("Newer and older version count differently."),
       N_("Proposition 2.1 was 2.2, (S111) was (S119), A.6 and A.7 were S1.5 and S1.6; the training appendix is B.1."),
       N_("Equations are cited by the newer numbers.")},
  };
}

}  // namespace sepx::ui
