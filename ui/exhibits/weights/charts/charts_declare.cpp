// SPDX-License-Identifier: Apache-2.0
// Declarations, numbers and caption of the charts page.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/exhibits/weights/charts/charts_page.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

/// While the page shows this.
Condition whenShown(const char* shown) {
  return onPage("charts", [shown](const Document& document) {
    const Json& now = document.at("weights.charts.show");
    return (now.is_string() ? now.get<std::string>() : std::string("layers")) == shown;
  });
}

Table layerTable(const std::vector<LayerScores>& board) {
  std::vector<std::string> stack;
  std::vector<double> layer, s, d, sMedian, s1, s3, dMedian, d1, d3, sLow, sHigh, dLow, dHigh;
  const double nothing = std::nan("");
  for (const LayerScores& entry : board) {
    std::vector<double> heads, headsD;
    for (const attention::Scores& head : entry.headScores) {
      heads.push_back(head.symmetry);
      headsD.push_back(head.directionality);
    }
    const attention::Quartiles q = attention::quartiles(heads), r = attention::quartiles(headsD);
    const bool banded = entry.band.samples > 0;
    stack.emplace_back(checkpoint::word(entry.stack));
    layer.push_back(entry.layer);
    s.push_back(entry.moments ? entry.scores.symmetry : nothing);
    d.push_back(entry.moments ? entry.scores.directionality : nothing);
    sMedian.push_back(q.median);
    s1.push_back(q.q1);
    s3.push_back(q.q3);
    dMedian.push_back(r.median);
    d1.push_back(r.q1);
    d3.push_back(r.q3);
    sLow.push_back(banded ? entry.band.symmetry.low : nothing);
    sHigh.push_back(banded ? entry.band.symmetry.high : nothing);
    dLow.push_back(banded ? entry.band.directionality.low : nothing);
    dHigh.push_back(banded ? entry.band.directionality.high : nothing);
  }
  return {"layers",
          {{"stack", "", stack},
           {"layer", "", layer},
           {"symmetry", "", s},
           {"directionality", "", d},
           {"heads_symmetry_median", "", sMedian},
           {"heads_symmetry_q1", "", s1},
           {"heads_symmetry_q3", "", s3},
           {"heads_directionality_median", "", dMedian},
           {"heads_directionality_q1", "", d1},
           {"heads_directionality_q3", "", d3},
           {"random_symmetry_low", "", sLow},
           {"random_symmetry_high", "", sHigh},
           {"random_directionality_low", "", dLow},
           {"random_directionality_high", "", dHigh}}};
}

Table headTable(const std::vector<LayerScores>& board) {
  std::vector<std::string> stack;
  std::vector<double> layer, head, s, d;
  for (const LayerScores& entry : board) {
    for (std::size_t h = 0; h < entry.headScores.size(); ++h) {
      stack.emplace_back(checkpoint::word(entry.stack));
      layer.push_back(entry.layer);
      head.push_back(static_cast<double>(h));
      s.push_back(entry.headScores[h].symmetry);
      d.push_back(entry.headScores[h].directionality);
    }
  }
  return {
      "heads",
      {{"stack", "", stack}, {"layer", "", layer}, {"head", "", head}, {"symmetry", "", s}, {"directionality", "", d}}};
}

Table modelTable(const std::vector<ModelDot>& dots, ChartScore which) {
  std::vector<std::string> name, kind, source, unsafe;
  std::vector<double> parameters, median, q1, q3;
  for (const ModelDot& dot : dots) {
    name.push_back(dot.name);
    kind.push_back(classWords(dot.kind));
    source.emplace_back(dot.own ? "measured" : "published");
    unsafe.push_back(dot.unsafe);
    parameters.push_back(dot.parameters);
    median.push_back(dot.value.median);
    q1.push_back(dot.value.q1);
    q3.push_back(dot.value.q3);
  }
  return {which == ChartScore::Symmetry ? "models_symmetry" : "models_directionality",
          {{"model", "", name},
           {"class", "", kind},
           {"source", "", source},
           {"parameters", "", parameters},
           {"median", "", median},
           {"q1", "", q1},
           {"q3", "", q3},
           {"not_comparable", "", unsafe}}};
}

}  // namespace

void declareCharts(PropertyRegistry& registry, const WeightsShared&, const ChartsPage& page) {
  const auto all = gettersOf(page);
  // clang-format off
  declareParameters(registry, {.prefix = "weights.charts.", .applies = onPage("charts")}, {
      {.key = "show", .label = N_("Charts"),
       .options = {{"layers", N_("by layer")}, {"models", N_("against parameters")}},
       .help = N_("Scores of this checkpoint layer by layer, or its medians among published models against the number of "
                  "parameters."),
       .equation = "Attention-Structure, Figures 2, S1, S2"},
      {.key = "heads", .label = N_("Heads"), .fallback = true,
       .help = N_("The scores of single heads with their median and quartiles beside that of the layer."),
       .applies = whenShown("layers")},
      {.key = "published", .label = N_("Published values"), .fallback = true,
       .help = N_("The values of the paper's tables beside what is measured here."),
       .equation = "Attention-Structure, Tables 4 and 5", .errata = {"att-4"}}});
  declareReadOuts(registry, {.applies = whenShown("models")}, {
      {.key = "weights.charts.models", .label = N_("Models shown"),
       .help = N_("How many dots the plot of symmetry has: printed values and stacks of your own checkpoints."),
       .digits = 0, .get = all([](const ChartsPage& of) { return of.dots(ChartScore::Symmetry).size(); })}});
  // clang-format on
}

Numbers ChartsPage::numbers(const WeightsShared& shared) const {
  Numbers numbers;
  if (shown_ == ChartsShown::Layers) {
    numbers.tables.push_back(layerTable(*shared.board));
    numbers.tables.push_back(headTable(*shared.board));
    return numbers;
  }
  for (const ChartScore which : {ChartScore::Symmetry, ChartScore::Directionality})
    numbers.tables.push_back(modelTable(dots(which), which));
  return numbers;
}

std::string ChartsPage::caption(const WeightsShared& shared) const {
  const std::string options = scoreOptionWords(shared.state.score);
  if (shown_ == ChartsShown::Models)
    return fmt::format("{} ({}).",
                       tr("Median symmetry s and directionality d of W_qk across layers with quartiles, against the "
                          "number of parameters; crossed: queries paired with wrong keys"),
                       options);
  const std::string title = shared.model ? shared.model->checkpoint->title() : std::string();
  return fmt::format("{}: {} ({}). {}", title, tr("symmetry s and directionality d of W_qk by layer"), options,
                     tr("Bars: quartiles and median across heads. Stripe: across layers. Shaded: the central 95 % of "
                        "random matrices of this shape and rank."));
}

}  // namespace sepx::ui
