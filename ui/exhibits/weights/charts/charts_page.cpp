// SPDX-License-Identifier: Apache-2.0
// The charts page: requests, layout, legend, panel, commands, declarations, numbers and caption.
#include "ui/exhibits/weights/charts/charts_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/number.h"
#include "engine/studies/score_study.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kWide = 1.5;        // width / height from which the charts are side by side
constexpr double kLeastCharts = 12;  // height, multiples of the type size
constexpr std::array kScores{ChartScore::Symmetry, ChartScore::Directionality};

}  // namespace

std::unique_ptr<WeightsPage> makeChartsPage() {
  return std::make_unique<ChartsPage>();
}

void OtherScores::update(const std::string& path, const WeightsState& state, ExhibitContext& context) {
  if (opening_.refresh(context.jobs)) ++revision_;
  Request wanted{path, context.rules};
  if (path.empty() ? opening_.requested() != nullptr : !opening_.isFor(wanted)) {
    opening_.clear();
    board_.clear();
    ++revision_;
  }
  if (!path.empty())
    opening_.request(context.jobs, std::move(wanted), tr("opening a further checkpoint"),
                     [](const Request& request, auto& output) {
                       return checkpoint::openModel(request.path, request.rules, output.whileReading());
                     });
  if (board_.refresh(context) ||
      (model() && board_.update(model(), state, tr("scores of a further checkpoint"), context)))
    ++revision_;
}

void ChartsPage::loadTable(ExhibitContext& context) {
  table_.refresh(context.jobs);
  if (table_.requested() || context.assets.empty()) return;
  table_.start(context.jobs, context.assets + "/published/attention_structure.json", tr("published values"),
               [](const std::string& file, auto&) { return readFile(file).and_then(attention::parsePublished); });
}

void ChartsPage::refresh(const PageFrame& frame) {
  const WeightsShared& shared = frame.shared;
  Digest digest;
  digest.add(shared.modelRevision, shared.boardRevision, table_.revision(), table_.pending(), published_);
  for (const OtherScores& other : others_)
    digest.add(other.revision());
  if (std::exchange(made_, digest.value()) == digest.value()) return;
  results_.changed();
  same_ = table() && shared.model && published_ ? studies::publishedOf(*table(), *shared.model) : nullptr;
  for (const ChartScore which : kScores) {
    const auto i = static_cast<std::size_t>(which);
    series_[i] = seriesOf(*shared.board, which);
    dots_[i].clear();
    if (table() && published_) dots_[i] = publishedDots(*table(), which);
    const auto append = [&](const std::vector<ModelDot>& more) {
      dots_[i].insert(dots_[i].end(), more.begin(), more.end());
    };
    if (shared.model) append(ownDots(shared.title(), *shared.model, *shared.board, which, false));
    for (const OtherScores& other : others_)
      if (other.model()) append(ownDots(shared.title(*other.model()), *other.model(), other.board(), which, true));
  }
  overlaid_.clear();
  const auto overlay = [this, &shared](const checkpoint::Model& model, const std::vector<LayerScores>& board) {
    const auto s = seriesOf(board, ChartScore::Symmetry), d = seriesOf(board, ChartScore::Directionality);
    for (std::size_t i = 0; i < s.size(); ++i)
      overlaid_.push_back(
          {shared.title(model) + (s.size() > 1 ? " (" + stackWords(s[i].stack) + ")" : ""), {s[i], d[i]}});
  };
  if (shared.model) overlay(*shared.model, *shared.board);
  for (const OtherScores& other : others_)
    if (other.model()) overlay(*other.model(), other.board());
}

void ChartsPage::read(const Document& document, const PropertyRegistry& registry, const WeightsShared&) {
  registry.read(document, *this);
}

void ChartsPage::ask(const PageFrame& frame, ExhibitContext& context) {
  const PropertyRegistry& registry = context.editor.properties();
  const Document& document = context.editor.document();
  if (frame.shared.requestBoard) frame.shared.requestBoard();
  loadTable(context);
  for (std::size_t i = 0; i < kOthers; ++i) {
    std::string path = i == 0 ? frame.shared.state.comparePath : registry.text(document, otherKey(i));
    if (shown_ == ChartsShown::Layers) path.clear();
    others_[i].update(path, frame.shared.state, context);
  }
  // A file that cannot be opened has no line on the chart, so the user needs a message.
  std::string failed = failures();
  if (failed == failed_) return refresh(frame);
  failed_ = std::move(failed);
  if (!failed_.empty() && !context.figure) context.editor.say(failed_);
  refresh(frame);
}

std::vector<LegendEntry> ChartsPage::legend(const PageFrame& frame) const {
  if (shown_ == ChartsShown::Layers) {
    std::vector<LegendEntry> entries = layerLegend(series_[0], heads_, frame.theme);
    const bool missing = published_ && table() && frame.shared.model && !same_;
    if (missing && !frame.figure)
      entries.push_back({tr("published: no values of this checkpoint in the paper's tables or its authors' repository"),
                         {.width = 0}});
    return entries;
  }
  if (shown_ == ChartsShown::Several) return {};  // each chart has its own, with the medians
  return scatterLegend(dots_[0], frame.theme);
}

std::string ChartsPage::sentence(const WeightsShared& shared) const {
  if (shown_ != ChartsShown::Models) return shared.board->empty() ? modelSentence(shared) : std::string();
  if (!dots_[0].empty()) return {};
  if (table_.pending()) return tr("Reading the published values…");
  if (table_.result() && !*table_.result()) return *table_.answered() + ": " + table_.result()->error().message;
  return tr("There are no values to show: the published ones are switched off.");
}

ChartContent ChartsPage::chart(const PageFrame& frame, ChartScore which, double width) const {
  const auto i = static_cast<std::size_t>(which);
  if (shown_ == ChartsShown::Several) return {overlayChart(overlaid_, which, relative_, frame.theme), {}, {}, {}};
  if (shown_ == ChartsShown::Models) return scatterChart(dots_[i], which, frame.theme);
  const WeightsState& state = frame.shared.state;
  return layerChart({which, &series_[i], &frame.theme, width, heads_,
                     frame.figure ? std::nullopt : std::optional(state.layer), same_});
}

Views ChartsPage::views(const PageFrame& frame) const {
  if (std::string text = sentence(frame.shared); !text.empty()) return sentenceAlone(std::move(text));
  Views made;
  const double space = frame.theme.space, width = frame.area.width();
  made.arrangement.kind = Arrangement::Kind::Column;
  made.arrangement.parts.push_back(asHighAsContent("legend"));
  made.arrangement.parts.back().margin = space;
  made.views.push_back({"legend", LegendContent{legend(frame)}});
  const double height = frame.area.height() - heightOf(made.views.back(), width - 2 * space, frame.theme) - 2 * space;
  const bool wide = width > kWide * height;
  const std::string name = shown_ == ChartsShown::Layers   ? "layers."
                           : shown_ == ChartsShown::Models ? "models."
                                                           : "several.";
  Arrangement charts{.kind = wide ? Arrangement::Kind::Row : Arrangement::Kind::Column};
  charts.leastHeight = kLeastCharts * frame.theme.textSize;  // in a low pane the legend is left out
  made.arrangement.parts.back().order = 1;
  for (const ChartScore which : kScores) {
    made.views.push_back({name + symbolOf(which), chart(frame, which, wide ? width / 2 : width)});
    charts.parts.push_back(viewNamed(made.views.back().name));
  }
  made.arrangement.parts.push_back(std::move(charts));
  return made;
}

void ChartsPage::panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.rows("weights.charts.", {"show", "heads", "published"});
  if (shown_ != ChartsShown::Layers) {
    panel.row("weights.charts.depth");
    if (panel.button(tr("Add a model…"), "weights.charts-add", static_cast<bool>(context.chooseFile)))
      run(frame, context, "weights.charts-add");
    panel.row("weights.compare.checkpoint");
    for (std::size_t i = 1; i < kOthers; ++i)
      if (!context.editor.properties().text(context.editor.document(), otherKey(i)).empty()) panel.row(otherKey(i));
    if (const std::string failed = failures(); !failed.empty()) panel.sentence(failed);
  }
  if (shown_ == ChartsShown::Models) {
    panel.row("weights.charts.models");
    panel.sentence(
        tr("A second checkpoint (page Compare) is shown too. Crossed dots were computed with the keys of other heads. "
           "Measurements are not judged against hollow dots; point at one for the reason."));
  } else if (same_) {
    if (!same_->unsafe.empty())
      panel.sentence(std::string(tr("The published values of this model are not comparable: ")) + same_->unsafe);
    if (const std::string source = same_->source(); !source.empty())
      panel.sentence(tr("The published values of this model: ") + source);
  }
}

bool ChartsPage::complete() const {
  return table_.complete() &&
         std::all_of(others_.begin(), others_.end(), [](const OtherScores& other) { return other.complete(); });
}

std::string ChartsPage::failures() const {
  std::string text;
  for (const OtherScores& other : others_)
    if (const std::string failed = other.failure(); !failed.empty())
      text += (text.empty() ? "" : " ") + sentenceCase(failed);
  return text;
}

std::vector<WeightsPage::Command> ChartsPage::commands(const WeightsShared&, const Document&) {
  /// Uses the first free place, or the last one if none is free.
  const auto add = [](ExhibitContext& context) {
    std::size_t place = 1;
    while (place + 1 < kOthers && !context.editor.properties().text(context.editor.document(), otherKey(place)).empty())
      ++place;
    if (context.chooseFile) context.chooseFile(otherKey(place));
  };
  const auto remove = [](ExhibitContext& context) {
    Document next = context.editor.document();
    for (std::size_t i = 1; i < kOthers; ++i)
      next = next.with(otherKey(i), std::string());
    context.editor.seal();
    context.editor.commit(std::move(next), tr("remove models from the charts"));
    context.editor.seal();
  };
  return {{"weights.charts-add", tr("Add a model to the charts…"), "", tr("Exhibit"), true, add},
          {"weights.charts-remove", tr("Remove the models that were added"), "", tr("Exhibit"), true, remove}};
}

// Declarations, numbers and caption of the charts page.

namespace {

/// True while the page shows these charts.
Condition whenShown(const char* shown) {
  return onPage("charts", [shown](const Document& document) {
    const Json& now = document.at("weights.charts.show");
    return (now.is_string() ? now.get<std::string>() : std::string("layers")) == shown;
  });
}

/// True while the page shows checkpoints besides the open one.
Condition whenFurther() {
  return onPage("charts", [](const Document& document) {
    const Json& now = document.at("weights.charts.show");
    return now == "several" || now == "models";
  });
}

/// The scores of several models, by stack and layer.
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
      "layers", board, NumberColumn{"stack", [](const LayerScores& of) { return checkpoint::toString(of.stack); }},
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
      NumberColumn{"not_comparable", &ModelDot::unsafe}, NumberColumn{"in_neither_table", &ModelDot::source});
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
       .help = N_("The scores of single heads, with their median and quartiles, beside the score of the layer."),
       .applies = whenShown("layers")},
      {.key = "depth", .into = Into::by<ChartsPage>(depth), .label = N_("Depth"),
       .options = {{"relative", N_("relative depth")}, {"layer", N_("layer number")}},
       .help = N_("Horizontal position of a layer: its relative depth, from 0 for the first layer to 1 for the last, "
                  "or its number."),
       .applies = whenShown("several")},
      {.key = "published", .into = &ChartsPage::published_, .label = N_("Published values"), .fallback = true,
       .help = N_("The values of the paper's tables beside what is measured here, and those that its authors' "
                  "repository has as text (hollow dots)."),
       .equation = "Attention-Structure, Tables 4 and 5", .errata = {"att-4"}}});
  for (std::size_t i = 1; i < kOthers; ++i)
    declareParameters(registry, {.applies = whenFurther()}, {
        {.key = otherKey(i), .label = N_("Further model"), .fallback = "",
         .help = N_("A further checkpoint whose scores are shown in the chart: a weight file, the index of a sharded "
                    "checkpoint, or a folder. Widths and depths may differ."),
         .inPicture = true, .file = true}});
  declareReadOuts(registry, {.applies = whenFurther()}, {
      {.key = "weights.charts.problem", .label = N_("What is wrong"),
       .help = N_("Which further checkpoint cannot be opened, and why; empty: all are open."),
       .get = all(&ChartsPage::failures)}});
  declareReadOuts(registry, {.applies = whenShown("models")}, {
      {.key = "weights.charts.models", .label = N_("Models shown"),
       .help = N_("Number of dots in the symmetry chart: published values and stacks of your own checkpoints."),
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
