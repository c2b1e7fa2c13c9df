// SPDX-License-Identifier: Apache-2.0
// Remarks on Local-to-Global. Every item was checked by an independent numerical computation or by algebra.
#include "ui/properties/errata.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

std::vector<Erratum> errataOfLocalToGlobal() {
  constexpr Paper kPaper = Paper::LocalToGlobal;
  using enum ErratumKind;
  return {
      {"l2g-1", kPaper, Wrong, N_("Theorem 3, Lemma 15"),
       N_("From every initial point $(e,w,a)$ the gradient flow converges."),
       N_("For $p+q>1$ and $w_0\\ge 0$ there is a surface of initial points whose path is unbounded: $a_0 = "
          "k\\,\\mathrm{Ai}'(-ks)/\\mathrm{Ai}(-ks)$ with $s=e_0^2-4a_0^2$ and $k=4^{-1/3}$. On it $e\\to 0$ and "
          "$a\\to-\\infty$. The surface has measure zero. The printed proof shows only that the energy is constant, "
          "not that paths are bounded."),
       N_("With attention, points of this surface count as a separatrix. Every integration has a time limit; a path "
          "that has not come to rest by then is called undecided."),
       true},
      {"l2g-2", kPaper, Added, N_("A.2, Theorems 2 and 8"),
       N_("The paper determines the basins of the plane and leaves those of $(e,w,a)$ open."),
       N_("There is a second invariant, so far unpublished: $s=e^2-4a^2$ obeys $da/ds=a^2+s/4$. For $p+q>1$ and $w\\ge "
          "0$ a point reaches a global minimum if and only if $s\\ge 3.71151$ or "
          "$a_0<k\\,\\mathrm{Ai}'(-ks)/\\mathrm{Ai}(-ks)$. With $a_0=0$ every point with $|e_0|>1.27170$ does, "
          "although the theorem of the plane says local minimum."),
       N_("Basins with the attention scalar are computed from the invariant or by integration, never from the plane."),
       true},
      {"l2g-3", kPaper, Added, N_("Theorem 10"), N_("The set $\\Theta_{\\mathrm{station}}$ is not classified."),
       N_("Its points are strict saddles, with eigenvalues $\\pm 0.650$ and $0$ at $p=0.2$, $q=0.3$, $e=0.9$. Their "
          "loss is $H(\\pi)$, which the ordering of losses leaves out."),
       N_("With attention they are shown as saddles."), true},
      {"l2g-4", kPaper, Wrong, N_("Lemma 13, Theorem 9 (46), (44)-(45), (91), (101)"),
       N_("The constant of the logits is $e^2w|w|(1+ae^2)$."),
       N_("It is $e^2w|w|\\,|1+ae^2|$. At $p=0.35$, $q=0.6$, $e=1.1$, $w=-0.45$, $a=-1.2$ the bias is $-0.474446$ with "
          "the absolute value and $-0.695949$ without."),
       N_("The difference does not matter where the bias is the best one, but it does for a free bias. The program "
          "keeps the absolute value.")},
      {"l2g-5", kPaper, Wrong, N_("(84) and the two displays after it"),
       N_("The derivatives of the logits for a free bias."),
       N_("With respect to $e$: $w|w|\\,\\sgn(1+ae^2)$ in place of $w\\,\\sgn(w(1+ae^2))$. With respect to $w$: the "
          "constant gives $2e^2|w|\\,|1+ae^2|$. With respect to $a$: "
          "$e^4(X-\\frac12)(1+2w|w|)+e^4w|w|\\,\\sgn(1+ae^2)$."),
       N_("Gradients with a free bias come from the corrected formulas and agree with finite differences.")},
      {"l2g-6", kPaper, Misprint, N_("Lemmas 3 and 7 against Lemma 13"),
       N_("Lemma 13 gives the names $f_1$ and $f_2$ of Lemma 3 to other functions."),
       N_("They are exactly the negatives. Lemma 13 has a leading minus, so the gradients agree. M.3 uses the sign of "
          "Lemma 3 again."),
       N_("Only the sign of Lemma 3 is used: $f_2=\\sigma(c)-p$."), true},
      {"l2g-7", kPaper, Wrong, N_("(94), (97)"), N_("The second derivatives of the loss with attention."),
       N_("$\\partial f_1/\\partial w$ has $(1+ae^2)|w|$ without the factor one half. $\\partial f_2/\\partial w$ "
          "lacks $\\sigma(z_2)\\sigma(-z_2)$. $\\sgn(1+2w|w|)$ must be $\\sgn(1+ae^2)$. The intermediate $2e^4|w|$ of "
          "(97) is wrong; its final value $0$ is right."),
       N_("Hessians with attention come from the chain rule on $\\Lambda(S)$ and agree with finite differences.")},
      {"l2g-8", kPaper, Wrong, N_("G.1, the flow near the saddle"),
       N_("$de_t/dt$ and $dw_t/dt$ are displayed with right-hand sides of the wrong sign."),
       N_("At $e=0.2$, $w=-0.9$, $p=0.5$, $q=0.8$ the flow is $(+0.017265,\\,-0.010025)$; the printed formula gives "
          "the negative of both."),
       N_("The conclusion drawn there is right, and so are the basins. Arrows and paths use the true sign."), true},
      {"l2g-9", kPaper, Wrong, N_("Proof of Lemma 10"),
       N_("On a large ball the velocity points inwards, so that paths stay bounded."),
       N_("It does not everywhere: $d|\\theta|^2/dt=-4\\Lambda'(S)\\,e^2(1+4w|w|)$, and at $e=5$, $w=-0.6$ the radial "
          "part points outwards. Paths of the plane are bounded all the same, because $\\Lambda$ is coercive and the "
          "energy is constant. The last step has $x/(4(x+D)^{3/2})$, not $x/(2(x+D)^{3/2})$."),
       N_("Every point of the plane has a limit, but a path may first move away from the origin."), true},
      {"l2g-10", kPaper, Misprint, N_("(6), (9)"), N_("The logit is printed as $e^2(1+2w|w|x_n)$."),
       N_("It is $e^2(1+2w|w|)\\,x_n$, as in (3). Elsewhere $\\exp(e^2)=\\exp(-e^2)$ is printed for $\\exp((-e)^2)$."),
       N_("The loss uses (3)."), true},
      {"l2g-11", kPaper, Misprint, N_("Remark 1, Lemma 12 (ii), I.1, Theorems 6 and 9, (48), (50), (106)-(108)"),
       N_("Several ranges, signs and indices."),
       N_("A bad local minimum has a strictly greater loss than the global minima. The range of Lemma 12 (ii) is "
          "$(-\\infty,E_{\\mathrm{sad}}]$. The saddle of I.1 is at $w=-1/\\sqrt2$. $\\Gamma_{\\mathrm{sad}}$ needs "
          "$\\le$. In the proof of Theorem 1 (iii) $\\Theta_{\\max}$ is a set of local maxima. (106) has a spurious 2, "
          "and (107)-(108) mix $1/(2|w|)$ with $1/(4|w|)$; the energy that results is right."),
       N_("The kinds of limits, the saddle and the gap follow the corrected statements."), true},
      {"l2g-12", kPaper, Wrong, N_("Appendix D"), N_("A negative $e$ is said to give the same expression."),
       N_("For $e<0$ the ReLU adds the constant $-2w|w|e^2$. Only the loss with the best bias is even in $e$."),
       N_("The plane is symmetric in $e$ because its bias is the best one. A forward pass with a free bias uses "
          "$w|w|\\,e|e|\\,|1+ae^2|$."),
       true},
      {"l2g-13", kPaper, Wrong, N_("D, H and (41)"),
       N_("$\\alpha$ has norm 1 in D and H, but (41) uses $|\\alpha|^2=d$."),
       N_("With norm 1, $a=\\frac14\\langle v,\\alpha\\rangle q^2d^{1/2}$, not with $d^{5/2}$. (41) also drops $1/n$ "
          "and once writes $x_n$ for $x_i$."),
       N_("A trained network is projected to $a$ with the corrected power.")},
      {"l2g-14", kPaper, Conditional, N_("Theorems 2 and 8, initialisation"),
       N_("For $\\sigma^2\\ll 1/\\sqrt2$ the limit is a local minimum with high probability. Theorem 8 says that the "
          "limit will be a global minimum."),
       N_("A variance is compared with a length; the natural condition is $\\sigma\\ll 1/\\sqrt2$, and both statements "
          "hold with a probability. For $p+q>1$ the probability of a local minimum is $0.99700$ at $\\sigma=0.2$, "
          "$0.8110$ at $0.5$, $0.6195$ at $1$, and tends to one half. For $p+q<1$ it is $0.03145$ at $0.5$ and tends "
          "to one quarter."),
       N_("The exact probability is shown beside the measured share of the cloud."), true},
      {"l2g-15", kPaper, Conditional, N_("A.3.2"),
       N_("The initial point $e=0.5$, $w_1=1$, $w_2=-1$ corresponds to the set $\\mathcal{I}_\\star$ of Figure 1d, "
          "where $p+q>1$."),
       N_("That is true in either reading. As canonical scalars $(e,w)=(0.5,-1)$ it is even in the region that is "
          "good for every chain. Read as matrix entries with $d=8$ it is $(1.414,-8)$, which is not: for $p+q<1$ the "
          "path from it ends in a local minimum."),
       N_("Points of the plane are canonical scalars."), true},
      {"l2g-16", kPaper, Conditional, N_("Section 3, A.3"),
       N_("One additional step of the bias is usually sufficient."),
       N_("The theory needs the best bias at every time. With a free bias and no additional step ($m=1$) the energy is "
          "not constant: at $p=0.5$, $q=0.8$ from $(0.6,-0.9)$ the free flow takes it from $-0.555$ to $-1.024$, and "
          "the path ends at $(0.718,-1.358)$ in place of $(0.848,-1.210)$, at a distance of $0.20$. With the "
          "additional step of the paper ($m=2$) descent at rate $0.1$ ends at a distance of $0.11$, with $m=5$ of "
          "$0.05$: it depends on what is sufficient."),
       N_("The flow of the plane uses the exact best bias $b_\\star$ of Lemma 5. The page Free bias measures 1, 2 and "
          "5 bias steps an iteration; 2 are those of the paper."),
       true},
      {"l2g-17", kPaper, Conditional, N_("Theorems 1 and 8"), N_("$p+q=1$ is excluded and not described."),
       N_("Then $S_\\star=0$: the last symbol tells nothing about the next, and the minimisers are the points with "
          "$e=0$ or $w=-1/\\sqrt2$. The flow still moves, to $S=0$: from $(0.6,-0.9)$ at $p=q=0.5$ to "
          "$(0.540,-0.707)$. Every initial point has a limit."),
       N_("This case has the status degenerate, and no basins are drawn."), true},
      {"l2g-18", kPaper, Wrong, N_("(110)"), N_("$de/dt$ lacks the factor 2 of its own first line."),
       N_("Near $e=0$ the rate is $2\\pi_0\\pi_1(p+q-1)(1+2w|w|)$. At $p=0.5$, $q=0.8$, $w=0$ it gives "
          "$de/dt=-0.14201\\,e$; the printed formula gives $-0.07101\\,e$."),
       N_("Times and rates are those of the true flow."), true},
      {"l2g-19", kPaper, Added, N_("Figures 1 and 2, discussion of $p$ and $q$"),
       N_("Basins are drawn for particular $p$ and $q$. The sets that the theorems define contain only the sign of "
          "$p+q-1$."),
       N_("Energy contours, and orbits as curves, do not depend on $p$ and $q$ at all; basins depend on that sign "
          "alone. $p$ and $q$ set the direction along an orbit, the time, $S_\\star$ and the losses. Two chains on one "
          "side of $p+q=1$ share the orbits as curves; at a point with $S$ between the two $S_\\star$ they move in "
          "opposite directions."),
       N_("Moving $p$ or $q$ leaves the basins as they are until $p+q$ crosses 1."), true},
      {"l2g-20", kPaper, Misprint, N_("Figure 5, Theorem 11, before (110), J.2, J.3"),
       N_("The caption of Figure 5 calls local minima repellers for $p+q<1$. Theorem 11 draws a point of "
          "$\\mathbb{R}^3$ from $\\mathcal{N}(0,\\sigma^2I_2)$. $z_1=z_2=\\sigma(b)$ is printed before (110). The last "
          "display of J.2 has $2X(1+2w|w|-1)$, and J.3 cites Lemma 7."),
       N_("For $p+q<1$ the points with $e=0$ near the origin are local maxima. The cloud of Theorem 11 has $I_3$. "
          "Small parameters give $z_1=z_2=0$, so that $\\sigma(z_1+b)=\\sigma(b)$. The bracket of J.2 is "
          "$2X(1+2w|w|)-1$, and J.3 rests on Lemma 3."),
       N_("Nothing that follows depends on it.")},
      {"l2g-21", kPaper, Conditional, N_("A.3.1 against Tables 1 and 2"),
       N_("A.3.1 trains by SGD for 800 iterations from $\\sigma=0.001$. Tables 1 and 2 give AdamW and 8000 "
          "iterations."),
       N_("Figure 3 follows A.3.1, which prints no learning rate. The released arrays fit neither: their entries begin "
          "with a standard deviation of $0.02$ and grow by about $0.001$ a step, as under AdamW."),
       N_("Figures 3 and 6 are trained in both ways, and figure 3 also with the two settings crossed. Every number states its setting.")},
  };
}

}  // namespace sepx::ui
