// SPDX-License-Identifier: Apache-2.0
// The parameters that the pages of an exhibit with a race share.
#include "ui/race/race_commands.h"
#include "ui/race/race_page_kit.h"

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr double kMostSteps = 1e12;

Options experimentOptions(const RaceKind& kind) {
  Options options;
  for (const Experiment& one : kind.experiments)
    options.emplace_back(one.key, one.title);
  return options;
}

/// Refuses a layer or head that no run has. Accepts any while no run is known yet, as when a session is being read.
Result<Document> layerFollows(const RaceShared& live, const Document& with) {
  const Json& layer = with.at(live.key("layer"));
  if (live.layers == 0 || !layer.is_number() || layer.get<double>() < live.layers) return with;
  return fail(ErrorKind::Usage,
              trFormat("layer {}: the runs have layers 0 to {}", layer.get<double>(), live.layers - 1));
}
Result<Document> headFollows(const RaceShared& live, const Document& with) {
  const Json& head = with.at(live.key("head"));
  if (live.heads == 0 || !head.is_number() || head.get<double>() < live.heads) return with;
  return fail(ErrorKind::Usage,
              trFormat("head {}: the runs have heads 0 to {}, or all (−1)", head.get<double>(), live.heads - 1));
}

/// A scale that becomes fixed starts with the current limit.
Result<Document> scaleFollows(const RaceShared& live, const Document& before, const Document& with) {
  if (with.at(live.key("colors.scale")) != "fixed" || before.at(live.key("colors.scale")) == "fixed" ||
      with.has(live.key("colors.limit")) || !(live.matrixLimit > 0))
    return with;
  return with.with(live.key("colors.limit"), live.matrixLimit);
}

bool ships(const RaceShared& live, const Document& now) {
  const Json& word = now.at(live.key("experiment"));
  return !live.kind.experiment(word.is_string() ? word.get<std::string>() : std::string()).shipped.empty();
}

// clang-format off
void declareRace(PropertyRegistry& registry, const RaceShared& live, Property page) {
  page.help = N_("What is shown of the runs: experiments to start, curves over steps, or one part of their models.");
  registry.declare(std::move(page));
  declareParameters(registry, {.prefix = live.key("")}, {
      {.key = "experiment", .into = &RaceState::experiment,
       .label = N_("Experiment"), .options = experimentOptions(live.kind),
       .help = N_("The experiment that Start begins where no run is open, and that the runs belong to.")},
      {.key = "runs[].folder", .label = N_("Run folder"), .fallback = "",
       .help = N_("The folder of a run of the race."), .file = true, .elements = live.kind.mostRuns}});
  if (live.kind.shippedOnRequest) declareParameters(registry, {.prefix = live.key("")}, {
      {.key = "shipped", .label = N_("Runs that ship"), .fallback = false,
       .help = N_("Shows runs of this experiment that ship with the program, where no other run is open. Start trains "
                  "new ones."),
       .applies = [&live](const Document& now) { return ships(live, now); }}});
  declareParameters(registry, {.prefix = live.key(""), .undoable = false}, {
      {.key = "step", .into = &RaceState::step,
       .label = N_("Step"), .kind = Kind::Integer, .min = -1, .max = kMostSteps, .step = 1,
       .options = {{"-1", N_("latest")}}, .fallback = -1.0,
       .help = N_("The step that all pages show. Latest, or −1 in scripts: the pages follow the runs.")},
      {.key = "steps_per_frame", .into = &RaceState::stepsPerFrame,
       .label = N_("Steps per frame"), .kind = Kind::Integer, .min = 1, .max = 1e6,
       .fallback = 8.0,
       .help = N_("How many steps every run makes per frame while a script plays. In interactive use, training runs "
                  "as fast as it can."),
       .detail = true}});
  declareParameters(registry, {.prefix = live.key("")}, {
      {.key = "rate", .into = &RaceState::rate, .label = N_("Learning rate"), .unit = "×", .min = 1e-3, .max = 1e3,
       .scale = Scale::Logarithmic, .step = 0.1, .fallback = 1.0,
       .help = N_("A factor of the learning rate of the schedule, for all runs of the race that train in this window. "
                  "The change is recorded in each run.")}});
}

void declareMatrix(PropertyRegistry& registry, const RaceShared& live) {
  declareParameters(registry, {.prefix = live.key("")}, {
      {.key = "layer", .into = &RaceState::layer,
       .label = N_("Layer"), .kind = Kind::Integer, .max = 1e5, .fallback = 0.0,
       .help = N_("The layer whose W_qk is shown, counted from 0."),
       .follow = [&live](const Document&, const Document& with) { return layerFollows(live, with); }},
      {.key = "head", .into = &RaceState::head, .label = N_("Head"), .kind = Kind::Integer, .min = -1, .max = 1e5,
       .options = {{"-1", N_("all")}}, .fallback = -1.0,
       .help = N_("The head whose W_qk and scores are shown, counted from 0; all, or −1 in scripts: the sum "
           "over the heads."),
       .equation = "Attention-Structure, (1)-(4)", .formula = "W_{qk} = \\sum_{h=1}^{H} W_Q^h\\,(W_K^h)^\\top",
       .follow = [&live](const Document&, const Document& with) { return headFollows(live, with); }}});
}

void declareShown(PropertyRegistry& registry, const RaceShared& live) {
  const auto chart = [](RaceMetric metric) {
    return Into::by<RaceState>([metric](RaceState& state, const Value& on) {
      state.metrics[static_cast<std::size_t>(metric)] = isTrue(on);
    });
  };
  declareParameters(registry, {.prefix = live.key("show."), .applies = onPagesWith(live, &RaceTraits::curves)}, {
      {.key = "loss", .into = chart(RaceMetric::Loss), .label = N_("Loss"), .fallback = true,
       .help = N_("The training loss over steps, nats, with the entropies that bound it.")},
      {.key = "validation", .into = &RaceState::validation, .label = N_("Validation"), .fallback = true,
       .help = N_("The validation loss beside the training loss, with its standard error as bars.")},
      {.key = "symmetry", .into = chart(RaceMetric::Symmetry), .label = N_("Symmetry"), .symbol = "s", .fallback = true,
       .help = N_("The symmetry of W_qk by layer over steps."), .equation = "Attention-Structure, Definition 3.1",
       .formula = "s = \\frac{\\mathrm{Tr}(MM)}{\\|M\\|_F^2}", .errata = {"att-1"}},
      {.key = "directionality", .into = chart(RaceMetric::Directionality),
       .label = N_("Directionality"), .symbol = "d", .fallback = true,
       .help = N_("The directionality of W_qk by layer over steps. At a small width it depends on only one to four "
           "rows and is noisy."),
       .equation = "Attention-Structure, Definition 3.2", .errata = {"att-4"}},
      {.key = "row_column_cv", .into = chart(RaceMetric::RowColumnCv),
       .label = N_("CV(row) − CV(column)"), .fallback = true,
       .help = N_("The coefficient of variation of the row norms minus that of the column norms, by layer: negative "
           "where a few columns are heavy. Steadier than the directionality.")},
      {.key = "gradient_norm", .into = chart(RaceMetric::Gradient), .label = N_("Gradient norm"), .fallback = false,
       .help = N_("The norm of the whole gradient before clipping.")},
      {.key = "rate", .into = chart(RaceMetric::Rate),
       .label = N_("Learning rate"), .fallback = false, .help = N_("The learning rate of each step.")},
      {.key = "constraint", .into = chart(RaceMetric::Constraint), .label = N_("Constraint"), .fallback = false,
       .help = N_("The term that a constraint on W_qk adds to the loss.")},
      {.key = "sigma_ratio", .into = chart(RaceMetric::SigmaRatio),
       .label = N_("Singular values"), .symbol = "σ₁/σ₂", .fallback = false,
       .help = N_("The ratio of the two largest singular values of the matrices that the config watches: large where a "
           "matrix is nearly of rank one.")},
      {.key = "accuracy", .into = chart(RaceMetric::Accuracy), .label = N_("Accuracy"), .fallback = false,
       .help = N_("For images: the share of the validation images that the model classifies correctly.")},
      {.key = "bounds", .into = &RaceState::bounds, .label = N_("Entropy bounds"), .fallback = true,
       .help = N_("Entropies of the data as lines: the loss of a model that knows only the frequencies of the tokens, "
           "or also the previous token.")},
      {.key = "raw", .into = &RaceState::raw, .label = N_("Raw values"), .fallback = true,
       .help = N_("The values as recorded, pale behind the smoothed curve. Where there are more values than pixels, "
           "the range from the smallest to the largest is filled.")}});
}

void declareCurves(PropertyRegistry& registry, const RaceShared& live) {
  declareParameters(registry, {.prefix = live.key(""), .applies = onPagesWith(live, &RaceTraits::curves)}, {
      {.key = "smooth", .into = &RaceState::smooth,
       .label = N_("Smoothing"), .unit = N_("steps"), .min = 0, .max = 1e6, .step = 10, .digits = 0,
       .fallback = 20.0,
       .help = N_("At each step a straight line is fitted to the values on both sides, with weights that fall by a "
                  "factor of e over this many steps, fewer near the start. A straight line stays straight, and a loss "
                  "that falls fast at first is not delayed; the last values change as later ones are added. 0: no "
                  "smoothing.")}});
  declareParameters(registry, {.prefix = live.key(""), .applies = onPagesWith(live, &RaceTraits::steps)}, {
      {.key = "log.steps", .into = &RaceState::logX, .label = N_("Logarithmic steps"), .fallback = false,
       .help = N_("A logarithmic axis of steps.")}});
  declareParameters(registry, {.prefix = live.key(""), .applies = onPagesWith(live, &RaceTraits::curves)}, {
      {.key = "log.values", .into = &RaceState::logY, .label = N_("Logarithmic values"), .fallback = false,
       .help = N_("Logarithmic axes of loss, gradient norm and learning rate.")}});
}

void declareMatrices(PropertyRegistry& registry, const RaceShared& live) {
  declareParameters(registry, {.prefix = live.key(""), .applies = onPagesWith(live, &RaceTraits::curves)}, {
      {.key = "layers", .into = &RaceState::layers, .label = N_("Layers as"),
       .options = {{"both", N_("lines, median and quartiles")}, {"lines", N_("lines")}, {"quartiles",
           N_("median and quartiles")}},
       .help = N_("Scores by layer: one line per layer, the median over the layers with its quartiles, or both. The "
           "median is drawn beside the lines for runs with three or more layers, and on its own also for two.")}});
  declareParameters(registry, {.prefix = live.key("colors."), .applies = onPagesWith(live, &RaceTraits::matrices)}, {
      {.key = "scale", .into = &RaceState::scale, .label = N_("Colour scale"),
       .options = {{"own", N_("moving, one per run")}, {"shared", N_("moving, one for all runs")}, {"fixed",
           N_("fixed")}},
       .help = N_("The ends of the colour scale of W_qk: 99.5 % of the entries at the step shown, or a fixed number."),
       .follow = [&live](const Document& before, const Document& with) { return scaleFollows(live, before, with); }},
      {.key = "limit", .into = &RaceState::colorLimit,
       .label = N_("Colour limit"), .min = 1e-12, .max = 1e12, .scale = Scale::Logarithmic,
       .step = 0.1, .digits = 4, .fallback = 1.0,
       .help = N_("The entry at the end of a fixed colour scale; the other end is its negative."),
       .applies = [&live](const Document& document) { return document.at(live.key("colors.scale")) == "fixed"; }}});
}
// clang-format on

}  // namespace

void declareRaceShared(PropertyRegistry& registry, const RaceShared& live, Property page) {
  declareRace(registry, live, std::move(page));
  if (live.kind.matrices) declareMatrix(registry, live);
  if (live.kind.matrices) declareShown(registry, live);
  declareCurves(registry, live);
  if (live.kind.matrices) declareMatrices(registry, live);
  declareRaceCommands(registry, live);
  declareRaceReadOuts(registry, live);
}

}  // namespace sepx::ui
