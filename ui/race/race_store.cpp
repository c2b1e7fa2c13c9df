// SPDX-License-Identifier: Apache-2.0
// See race_store.h.
#include "ui/race/race_store.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/properties/tr.h"
#include "ui/race/race.h"

namespace sepx::ui {

namespace {

/// Keys below `KEY.show.` that an experiment can switch on.
constexpr const char* kShown[] = {"symmetry", "directionality", "row_column_cv", "gradient_norm",
                                  "rate",     "constraint",     "sigma_ratio",   "accuracy"};

/// Shows the charts that the experiment names and hides the others. The loss is left as it is.
Document withMetrics(const RaceKind& kind, Document document, const Experiment& experiment) {
  for (const char* const word : kShown) {
    const bool on = std::any_of(experiment.metrics.begin(), experiment.metrics.end(),
                                [word](const char* one) { return std::string_view(one) == word; });
    document = document.with(kind.key("show.") + word, on);
  }
  return document;
}

/// Stores W_Q and W_K as often as the scores, for the slider, if the config does not set it and they are small.
train::RunConfig withStoredMatrices(train::RunConfig config) {
  constexpr std::int64_t kMostNumbers = std::int64_t{1} << 24;  // 64 MB per run
  const nn::ModelConfig& model = config.model;
  const std::int64_t every = config.schedule.scoresEvery;
  if (config.schedule.storeEvery != 0 || every <= 0) return config;
  const std::int64_t numbers = std::int64_t{model.layers} * model.d_model * (model.d_q() + model.kv() * model.d_h());
  if (numbers * (config.schedule.steps / every + 1) <= kMostNumbers) config.schedule.storeEvery = every;
  return config;
}

}  // namespace

bool RaceShared::trains() const {
  return std::any_of(runs.begin(), runs.end(),
                     [](const RacingRun& one) { return one.run && one.run->here() && one.run->trains(); });
}

RaceStore::RaceStore(const RaceKind& kind, const RaceState& state)
    : kind_(kind), state_(state), shared_{.kind = kind, .state = state} {
  shared_.experiment = &kind_.experiments.front();
  shared_.requestQk = [this] { qkWanted_ = true; };
  shared_.requestModel = [this] { modelWanted_ = true; };
  shared_.start = [this](ExhibitContext& context, const Experiment& experiment) {
    startExperiment(context, experiment);
  };
  shared_.addRun = [this](ExhibitContext& context, const RunStart& start, AddTo to) { addRun(context, start, to); };
  shared_.startConfigs = [this](ExhibitContext& context, const std::vector<train::RunConfig>& configs) {
    startConfigs(context, configs, kind_.own, false);
  };
}

void RaceStore::openRuns(ExhibitContext& context) {
  shared_.shipped = state_.folders.empty();
  const std::vector<std::string> wanted =
      !shared_.shipped || !kind_.shipped || context.assets.empty()
          ? state_.folders
          : kind_.shipped(*shared_.experiment, context.editor.document(), context.assets);
  if (opened_ == wanted && (shared_.runs.empty() || shared_.runs.front().run || !context.runs)) return;
  opened_ = wanted;
  shared_.runs.clear();
  for (const std::string& folder : opened_) {
    RacingRun& racing = shared_.runs.emplace_back();
    racing.folder = folder;
    if (context.runs && !folder.empty()) racing.run = context.runs->open(folder);
  }
  while (qkStores_.size() < shared_.runs.size())
    qkStores_.push_back(std::make_unique<QkStore>(shared_.key("form") + std::to_string(qkStores_.size())));
  for (std::size_t i = shared_.runs.size(); i < qkStores_.size(); ++i)
    qkStores_[i]->clear();
  watched_.assign(shared_.runs.size(), {});
  rates_.assign(shared_.runs.size(), 1.0);
  ++shared_.revision;
  ++shared_.matricesRevision;
}

/// Adds the folder name to the labels of runs that have the same name.
void RaceStore::addFoldersToEqualNames() {
  const auto same = [this](const RacingRun& one) {
    return std::count_if(shared_.runs.begin(), shared_.runs.end(), [&one](const RacingRun& other) {
             return other.run && other.label.empty() && other.run->name() == one.run->name();
           }) > 1;
  };
  std::vector<std::string> labels;
  for (const RacingRun& racing : shared_.runs) {
    const bool alike = racing.run && racing.label.empty() && same(racing);
    const std::string place = racing.folder.substr(racing.folder.find_last_of('/') + 1);
    labels.push_back(alike && place != racing.run->name() ? racing.run->name() + " (" + place + ")" : racing.label);
  }
  for (std::size_t i = 0; i < labels.size(); ++i)
    shared_.runs[i].label = std::move(labels[i]);
}

/// Updates the labels of the runs, the ends and the position of the slider, and the numbers of layers and heads.
void RaceStore::measure(ExhibitContext&) {
  const std::vector<const char*>& names = shared_.experiment->names;
  for (std::size_t i = 0; i < shared_.runs.size(); ++i)
    shared_.runs[i].label = names.size() == shared_.runs.size() ? tr(names[i]) : "";
  addFoldersToEqualNames();
  std::uint64_t seen = 0;
  shared_.end = shared_.newest = 0;
  shared_.layers = shared_.heads = 0;
  for (const RacingRun& racing : shared_.runs) {
    if (!racing.run) continue;
    seen += racing.run->revision();
    shared_.newest = std::max(shared_.newest, racing.run->step());
    shared_.end = std::max({shared_.end, racing.run->steps(), racing.run->step()});
    if (!racing.run->config()) continue;
    shared_.layers = std::max(shared_.layers, racing.run->config()->model.layers);
    shared_.heads = std::max(shared_.heads, racing.run->config()->model.heads);
  }
  if (seen != std::exchange(seen_, seen)) ++shared_.revision;
  shared_.live = state_.step < 0;
  shared_.step = shared_.live ? shared_.newest : std::clamp<std::int64_t>(state_.step, 0, shared_.newest);
}

void RaceStore::update(ExhibitContext& context) {
  shared_.experiment = &kind_.experiment(state_.experiment);
  shared_.assets = context.assets;
  shared_.problem =
      context.runs ? std::string() : tr("This window has no training service: nothing can be trained here.");
  openRuns(context);
  if (context.runs) context.runs->setStepsPerFrame(state_.stepsPerFrame);
  measure(context);
  for (const RacingRun& racing : shared_.runs) {
    sendRate(context, racing);
    if (context.runs && racing.run) context.runs->see(*racing.run);
  }
  qkWanted_ = modelWanted_ = false;
}

void RaceStore::watch(ExhibitContext& context, std::size_t i) {
  const Run* const run = shared_.runs[i].run.get();
  if (!run || !run->here() || !run->config()) return;
  const Watched wanted{state_.layer, modelWanted_, modelWanted_ ? run->live().parameters : 0};
  if (wanted == watched_[i]) return;
  std::vector<std::string> names = watchedNames(run->config()->model, wanted.layer, wanted.whole, wanted.parameters);
  if (context.runs->send(*run, {.kind = train::CommandKind::Watch, .number = 0, .names = std::move(names)}))
    watched_[i] = wanted;
}

void RaceStore::sendRate(ExhibitContext& context, const RacingRun& racing) {
  const auto i = static_cast<std::size_t>(&racing - shared_.runs.data());
  if (!racing.run || !racing.run->here() || rates_[i] == state_.rate) return;
  if (send(context, racing, train::CommandKind::SetRate, state_.rate)) rates_[i] = state_.rate;
}

void RaceStore::updateMatrices(ExhibitContext& context) {
  bool news = false;
  double limit = 0;
  for (std::size_t i = 0; i < shared_.runs.size(); ++i) {
    RacingRun& racing = shared_.runs[i];
    QkStore& store = *qkStores_[i];
    if (qkWanted_ || modelWanted_) watch(context, i);
    if (!racing.run || !qkWanted_) continue;
    news = store.update(*racing.run, state_, shared_.step, shared_.live, context) || news;
    racing.matrix = store.matrix();
    racing.matrixFailure = store.failure();
    if (racing.matrix) limit = std::max(limit, racing.matrix->limit);
  }
  shared_.matrixLimit = state_.scale == RaceScale::Fixed ? state_.colorLimit : limit;
  if (news) ++shared_.matricesRevision;
}

bool RaceStore::complete() const {
  for (std::size_t i = 0; i < shared_.runs.size(); ++i) {
    const RacingRun& racing = shared_.runs[i];
    if (racing.run && !racing.run->loaded() && racing.run->failure().empty()) return false;
    // The run is about to train, or to pause at its first step, so the commands that apply are not known yet.
    if (racing.run && racing.run->here() && racing.run->state() == train::RunState::Preparing) return false;
    if (qkWanted_ && !qkStores_[i]->complete()) return false;  // a page without matrices does not collect the results
  }
  return true;
}

bool RaceStore::send(ExhibitContext& context, const RacingRun& racing, train::CommandKind kind, double number) {
  if (!context.runs || !racing.run) return false;
  const Result<void> sent = context.runs->send(*racing.run, {.kind = kind, .number = number, .names = {}});
  if (!sent) context.editor.say(sent.error().message);
  return sent.has_value();
}

void RaceStore::startExperiment(ExhibitContext& context, const Experiment& experiment) {
  shared_.startFailure.clear();
  const Result<std::vector<train::RunConfig>> configs =
      kind_.configs ? kind_.configs(experiment, context.editor.document(), context.assets)
                    : namedConfigs(experiment, context.assets);
  if (!configs) {
    shared_.startFailure = configs.error().message;
    context.editor.say(shared_.startFailure);
    return;
  }
  if (configs->empty())
    setAsStep(context.editor, shared_.key("page"), std::string("own"));
  else
    startConfigs(context, *configs, experiment.key, false);
}

Result<RunPointer> RaceStore::begin(ExhibitContext& context, const RunStart& start, bool paused) const {
  if (start.parent.empty()) return context.runs->start(withStoredMatrices(start.config), paused);
  return context.runs->branch(*context.runs->open(start.parent), start.step, withStoredMatrices(start.config), paused);
}

void RaceStore::startConfigs(ExhibitContext& context, const std::vector<train::RunConfig>& configs,
                             std::string experiment, bool paused) {
  std::vector<RunStart> starts;
  for (const train::RunConfig& config : configs)
    starts.push_back({config, {}, 0});
  startRuns(context, starts, std::move(experiment), paused);
}

Document RaceStore::onPage(Document document) const {
  const bool watched = shared_.traits && shared_.traits(document).watches;
  return watched ? document : document.with(shared_.key("page"), kind_.page);
}

void RaceStore::startRuns(ExhibitContext& context, const std::vector<RunStart>& starts, std::string experiment,
                          bool paused) {
  if (!context.runs) {
    context.editor.say(shared_.problem);
    return;
  }
  shared_.startFailure.clear();
  std::vector<std::string> folders;
  for (const RunStart& start : starts) {
    const Result<RunPointer> run = begin(context, start, paused);
    if (!run) {
      shared_.startFailure = run.error().message;
      context.editor.say(shared_.startFailure);
      return;
    }
    folders.push_back((*run)->folder());
  }
  const bool another = experiment != state_.experiment || state_.folders.empty();
  Document next =
      onPage(withRuns(kind_, context.editor.document(), folders)).with(shared_.key("experiment"), experiment);
  if (another && kind_.matrices) next = withMetrics(kind_, std::move(next), kind_.experiment(experiment));
  context.editor.seal();
  context.editor.commit(std::move(next), paused ? tr("rewind the runs") : tr("start an experiment"));
  context.editor.seal();
}

void RaceStore::addRun(ExhibitContext& context, const RunStart& start, AddTo to) {
  if (!context.runs) return context.editor.say(shared_.problem);
  shared_.startFailure.clear();
  const Result<RunPointer> run = begin(context, start, false);
  if (!run) return context.editor.say(run.error().message);
  std::vector<std::string> folders;
  if (to == AddTo::Race || state_.experiment == kind_.own) folders = state_.folders;
  folders.push_back((*run)->folder());
  while (folders.size() > kind_.mostRuns)
    folders.erase(folders.front() == start.parent ? folders.begin() + 1 : folders.begin());
  Document next = withRuns(kind_, context.editor.document(), folders);
  if (*kind_.own) next = next.with(shared_.key("experiment"), kind_.own);
  if (to == AddTo::Race) next = next.with(shared_.key("page"), kind_.page);
  context.editor.seal();
  context.editor.commit(std::move(next), !start.parent.empty()  ? tr("start a branch")
                                         : to == AddTo::OwnRuns ? tr("start a real transformer")
                                                                : tr("start a run beside the others"));
  context.editor.seal();
}

void RaceStore::start(ExhibitContext& context) {
  if (shared_.shipped) return startExperiment(context, *shared_.experiment);
  bool any = false;
  for (const RacingRun& racing : shared_.runs) {
    if (!racing.run) continue;
    const train::RunState state = racing.run->state();
    const bool ended = state == train::RunState::Finished || state == train::RunState::Failed;
    if (racing.run->here() && state == train::RunState::Paused) {
      any = send(context, racing, train::CommandKind::Continue) || any;
    } else if (!ended && !racing.run->elsewhere() && racing.run->config() &&
               !(racing.run->here() && racing.run->trains())) {
      const Result<void> resumed = context.runs->resume(*racing.run);  // the run was stopped, or its program ended
      if (!resumed) context.editor.say(resumed.error().message);
      any = true;
    }
  }
  if (any || shared_.trains()) {
    if (!shared_.live) context.editor.replace(context.editor.document().with(shared_.key("step"), -1));
    return;
  }
  std::vector<RunStart> again;
  for (const RacingRun& racing : shared_.runs)
    if (racing.run && racing.run->config()) again.push_back(startOf(*racing.run));
  if (again.empty() || again.size() != shared_.runs.size()) return startExperiment(context, *shared_.experiment);
  startRuns(context, again, state_.experiment, false);
}

void RaceStore::showTraining(ExhibitContext& context) {
  std::vector<std::string> folders;
  if (context.runs)
    for (const RunPointer& run : context.runs->all())
      if (run->here() && run->trains()) folders.push_back(run->folder());
  if (folders.empty()) return context.editor.say(tr("No run is training in this window."));
  if (folders.size() > kind_.mostRuns)
    folders.erase(folders.begin(), folders.end() - static_cast<std::ptrdiff_t>(kind_.mostRuns));
  Document next = context.editor.document();
  const bool shown = std::all_of(folders.begin(), folders.end(), [this](const std::string& one) {
    return std::find(state_.folders.begin(), state_.folders.end(), one) != state_.folders.end();
  });
  if (!shown) next = withRuns(kind_, next, folders);
  if (!shown && *kind_.own) next = next.with(shared_.key("experiment"), kind_.own);
  context.editor.seal();
  context.editor.commit(next.with(shared_.key("page"), kind_.page), tr("show the active runs"));
  context.editor.seal();
}

void RaceStore::pause(ExhibitContext& context) {
  for (const RacingRun& racing : shared_.runs)
    if (racing.run && racing.run->here() && racing.run->trains()) send(context, racing, train::CommandKind::Pause);
}

void RaceStore::step(ExhibitContext& context) {
  for (const RacingRun& racing : shared_.runs) {
    if (!racing.run || !racing.run->here()) continue;
    if (racing.run->trains() || racing.run->state() == train::RunState::Paused)
      send(context, racing, train::CommandKind::Step, 1);
  }
}

bool RaceStore::canRewind() const {
  return !shared_.shipped && !shared_.runs.empty() &&
         std::all_of(shared_.runs.begin(), shared_.runs.end(),
                     [](const RacingRun& one) { return one.run && one.run->config(); });
}

void RaceStore::rewind(ExhibitContext& context) {
  if (!canRewind()) return;
  std::vector<RunStart> again;
  for (const RacingRun& racing : shared_.runs) {
    again.push_back(startOf(*racing.run));
    if (racing.run->here() && (racing.run->trains() || racing.run->state() == train::RunState::Paused))
      send(context, racing, train::CommandKind::Stop);
  }
  startRuns(context, again, state_.experiment, true);
}

}  // namespace sepx::ui
