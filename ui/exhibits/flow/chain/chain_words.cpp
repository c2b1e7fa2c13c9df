// SPDX-License-Identifier: Apache-2.0
// The page of (p,q) in words and tables: caption, numbers to take away, status. Pure.
#include <cmath>

#include <fmt/format.h>

#include "ui/exhibits/flow/chain/chain_page.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

std::string modelWords(markov::Model model) {
  return markov::hasAttention(model) ? "(e, w, a)" : "(e, w)";
}

Table placeTable(const ChainReading& here, double sigma) {
  const auto known = [](const std::optional<double>& value) {
    return std::vector<double>{value.value_or(std::nan(""))};
  };
  return {"place",
          {{"p", "", std::vector<double>{here.chain.p}},
           {"q", "", std::vector<double>{here.chain.q}},
           {"sigma", "", std::vector<double>{sigma}},
           {"gap", "nats", std::vector<double>{here.gap}},
           {"probability", "", known(here.probability)},
           {"excess", "nats", known(here.excess)},
           {"S_star", "", std::vector<double>{here.S_star}},
           {"nearest_e", "", std::vector<double>{here.nearest.e}},
           {"nearest_w", "", std::vector<double>{here.nearest.w}},
           {"distance", "", std::vector<double>{here.distance}},
           {"time", "", known(here.time)}}};
}

Table alongTable(const ChainAlong& along) {
  std::vector<double> p, q, gap, probability, excess, time;
  for (const ChainReading& at : along.at) {
    p.push_back(at.chain.p);
    q.push_back(at.chain.q);
    gap.push_back(at.gap);
    probability.push_back(at.probability.value_or(std::nan("")));
    excess.push_back(at.excess.value_or(std::nan("")));
    time.push_back(at.time.value_or(std::nan("")));
  }
  return {"path",
          {{"t", "", along.t},
           {"p", "", p},
           {"q", "", q},
           {"gap", "nats", gap},
           {"probability", "", probability},
           {"excess", "nats", excess},
           {"time", "", time}}};
}

Table curveTable(const ChainCurves& curves) {
  std::vector<std::string> model, side;
  std::vector<double> sigma, probability;
  for (const ChainCurve& curve : curves.curves)
    for (std::size_t i = 0; i < curve.sigma.size(); ++i) {
      model.emplace_back(markov::modelName(curve.model));
      side.emplace_back(curve.above ? "p+q>1" : "p+q<1");
      sigma.push_back(curve.sigma[i]);
      probability.push_back(curve.probability[i]);
    }
  return {"curves", {{"model", "", model}, {"side", "", side}, {"sigma", "", sigma}, {"probability", "", probability}}};
}

Table countTable(const ChainCurves& curves) {
  std::vector<std::string> model, side;
  std::vector<double> sigma, hits, samples, low, high;
  for (const ChainCount& count : curves.counts) {
    model.emplace_back(markov::modelName(count.model));
    side.emplace_back(count.above ? "p+q>1" : "p+q<1");
    sigma.push_back(count.sigma);
    hits.push_back(static_cast<double>(count.share.hits));
    samples.push_back(static_cast<double>(count.share.samples));
    low.push_back(count.share.low);
    high.push_back(count.share.high);
  }
  return {"counts",
          {{"model", "", model},
           {"side", "", side},
           {"sigma", "", sigma},
           {"hits", "", hits},
           {"samples", "", samples},
           {"low", "", low},
           {"high", "", high}}};
}

}  // namespace

Numbers ChainPage::numbers(const FlowShared&) const {
  Numbers numbers;
  numbers.tables.push_back(placeTable(results_.reading(state_.chain), state_.sigma));
  if (state_.showPath && !results_.along().at.empty()) numbers.tables.push_back(alongTable(results_.along()));
  if (!results_.curves().curves.empty()) numbers.tables.push_back(curveTable(results_.curves()));
  if (!results_.curves().counts.empty()) numbers.tables.push_back(countTable(results_.curves()));
  const ChainPicture& picture = results_.picture();
  if (picture.values) {
    const auto size = static_cast<std::size_t>(picture.request.size);
    const bool power = picture.request.quantity == ChainQuantity::Time;
    numbers.grids.push_back({std::string(power ? "log10_" : "") + quantityWord(picture.request.quantity),
                             {size, size},
                             std::vector<double>(picture.values->begin(), picture.values->end())});
  }
  return numbers;
}

std::string ChainPage::caption(const FlowShared&) const {
  const std::string sigma = "σ = " + chainNumber(state_.sigma, 3);
  std::string text = fmt::format("{}: {}", tr("The square of the Markov chains (p, q)"), quantityName(state_.show));
  if (state_.show == ChainQuantity::Excess)
    text += fmt::format(", P(I_min)·(H(π) − H(x′|x)) {} N(0, σ²I), {}, {}", tr("for initialisations"), sigma,
                        modelWords(state_.model));
  if (state_.show == ChainQuantity::Time)
    text += fmt::format(" {}, {}, {}", tr("(median of nine Gaussian starts)"), sigma, modelWords(state_.model));
  text += fmt::format("; {} p = {}, q = {}.", tr("the dot is at"), shownProbability(state_.chain.p, 3),
                      shownProbability(state_.chain.q, 3));
  if (!curveShown_) return text;  // a small figure is the square alone
  text +=
      std::string(" ") + tr("Lines: P(local minimum) by quadrature of the exact basins, on either side of p + q = 1.");
  if (state_.counts)
    text += fmt::format(" {} {} {}", tr("Marks: counts of"), state_.samples,
                        tr("integrated starts with their 95 % intervals."));
  return text;
}

std::string ChainPage::status(const FlowShared&) const {
  if (state_.chain.degenerate()) return tr("p + q = 1: degenerate, nothing to learn from the last symbol");
  const ChainReading here = results_.reading(state_.chain);
  std::string text =
      fmt::format("p = {}, q = {}", shownProbability(state_.chain.p, 3), shownProbability(state_.chain.q, 3));
  if (here.probability)
    text += fmt::format(" · P(I_min) = {} · {} {} nats", shownProbability(*here.probability, 3), tr("excess"),
                        chainNumber(*here.excess, 3));
  return text;
}

}  // namespace sepx::ui
