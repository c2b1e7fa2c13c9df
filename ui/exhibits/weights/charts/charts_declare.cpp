// SPDX-License-Identifier: Apache-2.0
// Declarations, numbers and caption of the charts page.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/exhibits/weights/charts/charts_page.h"
#include "ui/exhibits/weights/shared/weights_numbers.h"
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

/// While the page shows checkpoints beside the open one.
Condition whenFurther() {
  return onPage("charts", [](const Document& document) {
    const Json& now = document.at("weights.charts.show");
    return now == "several" || now == "models";
  });
}

/// Stack by stack and layer by layer of several models.
Table overlayTable(const std::vector<OverlayModel>& models) {
  struct Row {
    const OverlayModel& model;
    const LayerPoint &s, &d;
  };
  std::vector<Row> rows;
  for (const OverlayModel& model : models)
    for (std::size_t i = 0; i < model.series[0].points.size(); ++i)
      rows.push_back({model, model.series[0].points[i], model.series[1].points[i]});
  return numberTable("several_models", rows, NumberColumn{"model", [](const Row& row) { return row.model.name; }},
                     NumberColumn{"layer", [](const Row& row) { return row.s.layer; }},
                     NumberColumn{"depth", [](const Row& row) { return depthOf(row.model.series[0], row.s, true); }},
                     NumberColumn{"symmetry", [](const Row& row) { return row.s.value; }},
                     NumberColumn{"directionality", [](const Row& row) { return row.d.value; }});
}

Table layerTable(const std::vector<LayerScores>& board) {
  using attention::Quartiles;
  const auto score = [](ChartScore which) {
    return [which](const LayerScores& of) { return of.moments ? valueOf(of.scores, which) : std::nan(""); };
  };
  const auto heads = [](ChartScore which, double Quartiles::*member) {
    return [which, member](const LayerScores& of) {
      std::vector<double> values;
      for (const attention::Scores& head : of.headScores)
        values.push_back(valueOf(head, which));
      return attention::quartiles(values).*member;
    };
  };
  const auto random = [](ChartScore which, double attention::Band::*member) {
    return [which, member](const LayerScores& of) {
      return of.band.samples > 0 ? bandOf(of.band, which).*member : std::nan("");
    };
  };
  constexpr ChartScore s = ChartScore::Symmetry, d = ChartScore::Directionality;
  constexpr auto low = &attention::Band::low, high = &attention::Band::high;
  return numberTable(
      "layers", board, NumberColumn{"stack", [](const LayerScores& of) { return checkpoint::word(of.stack); }},
      NumberColumn{"layer", &LayerScores::layer}, NumberColumn{"symmetry", score(s)},
      NumberColumn{"directionality", score(d)}, NumberColumn{"heads_symmetry_median", heads(s, &Quartiles::median)},
      NumberColumn{"heads_symmetry_q1", heads(s, &Quartiles::q1)},
      NumberColumn{"heads_symmetry_q3", heads(s, &Quartiles::q3)},
      NumberColumn{"heads_directionality_median", heads(d, &Quartiles::median)},
      NumberColumn{"heads_directionality_q1", heads(d, &Quartiles::q1)},
      NumberColumn{"heads_directionality_q3", heads(d, &Quartiles::q3)},
      NumberColumn{"random_symmetry_low", random(s, low)}, NumberColumn{"random_symmetry_high", random(s, high)},
      NumberColumn{"random_directionality_low", random(d, low)},
      NumberColumn{"random_directionality_high", random(d, high)});
}

Table modelTable(const std::vector<ModelDot>& dots, ChartScore which) {
  const auto value = [](double attention::Quartiles::*member) {
    return [member](const ModelDot& dot) { return dot.value.*member; };
  };
  return numberTable(
      which == ChartScore::Symmetry ? "models_symmetry" : "models_directionality", dots,
      NumberColumn{"model", &ModelDot::name},
      NumberColumn{"class", [](const ModelDot& dot) { return classWords(dot.kind); }},
      NumberColumn{"source", [](const ModelDot& dot) { return dot.own ? "measured" : "published"; }},
      NumberColumn{"parameters", &ModelDot::parameters}, NumberColumn{"median", value(&attention::Quartiles::median)},
      NumberColumn{"q1", value(&attention::Quartiles::q1)}, NumberColumn{"q3", value(&attention::Quartiles::q3)},
      NumberColumn{"not_comparable", &ModelDot::unsafe});
}

}  // namespace

void ChartsPage::declare(PropertyRegistry& registry, const WeightsShared&) {
  const auto all = gettersOf(*this);
  const auto depth = [](ChartsPage& page, const Value& word) { page.relative_ = toString(word) != "layer"; };
  // clang-format off
  declareParameters(registry, {.prefix = "weights.charts.", .applies = onPage("charts")}, {
      {.key = "show", .into = &ChartsPage::shown_, .label = N_("Charts"),
       .options = {{"layers", N_("by layer")}, {"several", N_("several models by depth")},
                   {"models", N_("against parameters")}},
       .help = N_("Scores of this checkpoint layer by layer, of several checkpoints by depth on one chart, or medians "
                  "among published models against the number of parameters."),
       .equation = "Attention-Structure, Figures 2, S1, S2"},
      {.key = "heads", .into = &ChartsPage::heads_, .label = N_("Heads"), .fallback = true,
       .help = N_("The scores of single heads with their median and quartiles beside that of the layer."),
       .applies = whenShown("layers")},
      {.key = "depth", .into = Into::by<ChartsPage>(depth), .label = N_("Depth"),
       .options = {{"relative", N_("share of the model's depth")}, {"layer", N_("layer's number")}},
       .help = N_("Where a layer stands among several models: from 0 for the first to 1 for the last, or by its "
                  "number."),
       .applies = whenShown("several")},
      {.key = "published", .into = &ChartsPage::published_, .label = N_("Published values"), .fallback = true,
       .help = N_("The values of the paper's tables beside what is measured here."),
       .equation = "Attention-Structure, Tables 4 and 5", .errata = {"att-4"}}});
  for (std::size_t i = 1; i < kOthers; ++i)
    declareParameters(registry, {.applies = whenFurther()}, {
        {.key = otherKey(i), .label = N_("Further model"), .fallback = "",
         .help = N_("A further checkpoint whose scores stand on the chart: a weight file, the index of shards, or a "
                    "folder. Widths and depths may differ."),
         .inPicture = true, .file = true}});
  declareReadOuts(registry, {.applies = whenFurther()}, {
      {.key = "weights.charts.problem", .label = N_("What is wrong"),
       .help = N_("Which further checkpoint cannot be opened, and why; empty: all are open."),
       .get = all(&ChartsPage::failures)}});
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
    numbers.tables.push_back(headTable("heads", *shared.board));
    return numbers;
  }
  if (shown_ == ChartsShown::Several) return {{overlayTable(overlaid_)}, {}};
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
  if (shown_ == ChartsShown::Several) {
    std::string names;
    for (const OverlayModel& model : overlaid_)
      names += (names.empty() ? "" : ", ") + model.name;
    return fmt::format("{} {} ({}): {}.", tr("Symmetry s and directionality d of W_qk by"),
                       relative_ ? tr("relative depth") : tr("layer"), options, names);
  }
  const std::string title = shared.model ? shared.title() : std::string();
  return fmt::format("{}: {} ({}). {}", title, tr("symmetry s and directionality d of W_qk by layer"), options,
                     tr("Bars: quartiles and median across heads. Stripe: across layers. Shaded: the central 95 % of "
                        "random matrices of this shape and rank."));
}

}  // namespace sepx::ui
