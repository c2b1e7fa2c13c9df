// SPDX-License-Identifier: Apache-2.0
// Remarks on Attention-Structure, numbered as in its newer version. "Earlier version" is the first one, including its
// training appendix.
#include "ui/properties/errata.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

std::vector<Erratum> errataOfAttentionStructure() {
  constexpr Paper kPaper = Paper::AttentionStructure;
  using enum ErratumKind;
  return {
      {"att-1", kPaper, Wrong, N_("Definition 3.1"),
       N_("The symmetry score carries a factor 2, so that the identity gives 2."),
       N_("The tables, the code and the rest of the paper except (S122) use "
          "$s=(|M_s|^2-|M_n|^2)/|M|^2=\\mathrm{Tr}(MM)/|M|^2$, from $-1$ to $1$."),
       N_("Scores are $s$. The scale of the code is $(1+s)/2$."), true},
      {"att-2", kPaper, Wrong, N_("(S119), (S121)-(S123)"), N_("$\\mathrm{Tr}(MM)\\le\\frac12|M|^2$."),
       N_("The identity matrix is a counterexample. The correct bound is $|\\mathrm{Tr}(MM)|\\le|M|^2$. (S122) fits "
          "the literal definition and contradicts (S123)."),
       N_("The range of $s$ is taken from the correct bound."), true},
      {"att-3", kPaper, Wrong, N_("(S125), random matrices"), N_("The mean score of a random matrix is $8/n$."),
       N_("It is $1/n$, or $2/n$ with the factor 2 of Definition 3.1; (S125) leaves out a factor one quarter. "
          "Measured: $0.12443$ at $n=8$, $0.00806$ at $n=128$. The standard deviation is $\\sqrt2/n$, so about 24 % of "
          "random matrices have a negative score."),
       N_("Every score is shown with the 95 % interval of random matrices of the same size and rank, around $1/n$. A "
          "score inside it is drawn pale."),
       true},
      {"att-4", kPaper, Wrong, N_("Definition 3.2, (S130)-(S132), tables"),
       N_("Directionality has two signs: (row - col) in the definition, the opposite in the proof and the code. The "
          "tables reverse the sign of the code's values."),
       N_("The tables have the sign of Definition 3.2: negative means that columns dominate. The code sums the excess "
          "over the threshold, with $\\gamma=2$ and the sample standard deviation; the definition sums whole norms. "
          "The two differ: $0.429$ against $0.785$ for one large row. The strict inequality (S130) fails when one side "
          "is 0, and whenever the sum of the rows is at least twice that of the columns."),
       N_("Both variants can be chosen. The default is that of the tables."), true},
      {"att-5", kPaper, Conditional, N_("Proposition A.16 (3)"),
       N_("The directionality of a random matrix concentrates at 0."),
       N_("The mean is exactly 0, but concentration is slow: the standard deviation is $0.70$, $0.34$, $0.16$ at "
          "$n=32$, $128$, $512$ (whole norms), and at $n=32$ nearly half of all random matrices have $|d|=1$."),
       N_("The 95 % interval of $d$ is sampled for the size and rank of the matrix. A $d$ inside it is drawn pale."),
       true},
      {"att-6", kPaper, Wrong, N_("Proposition 2.1, (S20), (S25)-(S36)"),
       N_("The printed $\\beta_{ij}$ is minus the gradient, is summed over $j$, and its path through the token itself "
          "is used in every layer."),
       N_("$G=\\sum\\beta_{ij}x_ix_j^\\top$ is exact for linear and softmax attention when $\\beta_{ij}$ is the total "
          "derivative of the loss with respect to the raw score. The printed path is exact in the last layer only. In "
          "layer 1 of 2 its error was 58 to 71 % for linear attention and 22 to 31 % for softmax in one example; over "
          "random examples it went from 1 to 92 % in both. With softmax every row of $\\beta$ sums to 0."),
       N_("$\\beta$ is computed as the total derivative.")},
      {"att-7", kPaper, Wrong, N_("(S38)"), N_("The update of $W_{qk}$ is proportional to $\\sum\\beta K$."),
       N_("This holds only if $W_qW_q^\\top$ and $W_kW_k^\\top$ are multiples of the identity. The exact update is "
          "$-\\eta(W_qW_q^\\top G+GW_kW_k^\\top)+\\eta^2GW_kW_q^\\top G$. For independent Gaussian $W_q$ and $W_k$ "
          "its cosine with the printed one is about $\\sqrt{2c/(1+2c)}$ with $c=d_h/d$: $0.816$ at $c=1$, $0.577$ at "
          "$\\frac14$, $0.333$ at $\\frac1{16}$."),
       N_("Updates are decomposed with the exact formula.")},
      {"att-8", kPaper, Wrong, N_("Proposition A.7 to Theorem 2.3"),
       N_("The norms of the columns spread more than those of the rows."),
       N_("(S56) is right, but it makes the row norms spread more: a simulation of that model with "
          "$\\Sigma_{mm}\\propto1/m$ and $\\Gamma=I$ at $n=64$, 5000 updates of 16 predicted tokens, gives $d=+0.44$. "
          "The claimed sign needs an anisotropic context."),
       N_("Theorem 2.3 is not presented as a consequence of Proposition A.7."), true},
      {"att-9", kPaper, Wrong, N_("Lemma A.11, (S86)"), N_("The bound holds above the stated threshold."),
       N_("It is false there, and no other threshold repairs it: for every $z>\\mu$ there is a law with the larger "
          "variance and no mass above $z$. It is used for norms, and the same holds of laws on $[0,\\infty)$ for "
          "every $z\\ge\\mu+\\sigma^2/\\mu$ with the larger variance $\\sigma^2$. One example is $\\mu=10$, standard "
          "deviations $4.97$ and $1$, $z=12.5$: the first law has the values $0.12$ and $12.5$, and the probabilities "
          "of more than $z$ are $0$ and $0.138$. The lemma needs two laws of one shape that differ in scale only."),
       N_("Nothing in the program depends on it."), true},
      {"att-10", kPaper, Misprint, N_("(S60), (S67), (S73), (S74), (S79)"), N_("Limits of sums and factors."),
       N_("The sum of (S67) ends at $l=N$. (S73) and (S74) have a factor $N$ too many; their ratio is right. (S60) "
          "reads $[y]_m^2\\,|\\sum\\beta x|^2$. (S79) is not defined at $\\mu=1$."),
       N_("Counts use the corrected sums and agree with enumeration.")},
      {"att-11", kPaper, Wrong, N_("(S111)"),
       N_("About 25 % of the updates are symmetric on average, for 15 to 30 % masked tokens."),
       N_("The formula is a ratio of symmetric to other terms, not a share. It gives $17.6$, $25$ and $42.9$ % at "
          "$15$, $20$ and $30$ %, on average $29.4$ %. The share of all terms $i\\ne j$ is $(pN-1)/(N-1)$, that of all "
          "unordered pairs $(pN-1)/(2N-pN-1)$. With a context of unmasked tokens alone, as in (S9), such pairs do not "
          "occur at all."),
       N_("Ratio and share have separate names.")},
      {"att-12", kPaper, Misprint, N_("(S106), (12), (15), (S45), Remark A.4"), N_("Sums, indices and words."),
       N_("One pair of (S106) is $(\\beta_{ij}+\\beta_{ji})S_{ij}$. The condition of (12) is $t_j=t^*$ with index $m$. "
          "A column is $w_{\\cdot,k}$. Nilpotent must be idempotent. The variance of a squared norm is "
          "$n(2\\sigma^4+4\\mu^2\\sigma^2)$ for Gaussian entries."),
       N_("The corrected forms are used.")},
      {"att-13", kPaper, Wrong, N_("Earlier version only: training appendix, loss constraints"),
       N_("A loss is said to drive the score to 0 for skew matrices."),
       N_("$|M|^2/|M_n|^2=2/(1-s)$ drives $s$ to $-1$; the 0 of the text is the score on the scale of the code. The "
          "symmetric loss $2/(1+s)$ drives $s$ to 1. Squares of matrices are squared Frobenius norms. Each loss is "
          "singular at the opposite end. The later version has no such loss."),
       N_("Constraints are guarded at their singular end.")},
      {"att-14", kPaper, Wrong, N_("Earlier version only: training appendix, skew initialisation"),
       N_("$W_k=W_qS^\\top$ with one skew $S$ of full size."),
       N_("With several heads the individual heads are then not skew: $-0.28$, $-0.65$, $-0.19$ in one example. One "
          "skew block for each head gives $-1$ in every head. $S=A-A^\\top$ also enlarges $W_k$ by "
          "$\\sqrt{2d_h}\\,\\sigma_A$, 11 times at $d=64$; take $\\sigma_A=1/\\sqrt{2d_h}$. For odd $d_h$ the matrix "
          "$S$ is singular."),
       N_("Initialisation works head by head and keeps the scale.")},
      {"att-15", kPaper, Added, N_("Numbering"), N_("The newer and the older version number differently."),
       N_("Proposition 2.1 was 2.2, (S111) was (S119), A.6 and A.7 were S1.5 and S1.6; the training appendix is B.1."),
       N_("Equations are cited by the newer numbers.")},
      {"att-16", kPaper, Misprint, N_("Corollary A.12, A.9, A.5.5, Definition A.1, Proposition A.16, Figure S2"),
       N_("Corollary A.12 is stated for an autoregressive objective. $\\mu_c$ and $\\mu_p$ are introduced by the same "
          "words. Definition A.1 gives the positions $V\\times d$ entries. Proposition A.16 speaks of a symmetry score "
          "$d$. The caption of Figure S2 names vision and audio models."),
       N_("Corollary A.12 and its proof are about the bidirectional objective. $\\mu_c$ counts the tokens for which "
          "$t^*$ is context, $\\mu_p$ those that predict it. The positions have $N\\times d$ entries. $d$ is the "
          "directionality score. Figure S2 is about models with an encoder and a decoder."),
       N_("Nothing that follows depends on it.")},
      {"att-17", kPaper, Misprint, N_("Theorem 2.3 (18) against (S95)"),
       N_("(18) compares squared norms above a $\\gamma$ that is proportional to a product of variances."),
       N_("Its proof ends at (S95), which compares norms above a root of that product minus the mean; Lemma A.11, "
          "which it cites, has standard deviations in place of the variances."),
       N_("The page Norms draws the norms and shows both thresholds.")},
      {"att-18", kPaper, Wrong, N_("Corollary A.8, (S91), (S94)"),
       N_("Where a token is predicted, rows grow more; where it is context more often than predicted, columns grow "
          "more. (S91) has sums of $\\beta$."),
       N_("(S91) holds with sums of $\\beta^2$. With the context that Proposition A.7 assumes, sampled updates show "
          "the opposite: $d=-0.44$ where $t^*$ is predicted, $d=+0.27$ where it comes early ($n=64$). (S94) cannot "
          "hold for all $k$ and $m$: the mean squared norms of all rows and of all columns have the same sum."),
       N_("The page Norms and the study of Corollary A.8 measure which side dominates.")},
  };
}

}  // namespace sepx::ui
