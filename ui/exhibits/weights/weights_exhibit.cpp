// SPDX-License-Identifier: Apache-2.0
// Implements the Weights exhibit around its pages. It owns what the pages share, which is the open model and the
// selected layer and head. It changes the document only through the Editor. Frame thread only.
#include "ui/exhibits/weights/weights_exhibit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/exhibits/weights/shared/charts_data.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/exhibits/weights/shared/weights_shared.h"
#include "ui/exhibits/weights/weights_pages.h"
#include "ui/page/requests.h"
#include "ui/views/paged_exhibit.h"

namespace sepx::ui {

namespace {

constexpr const char* kWalkGroup = "weights.walk";

void drawChoice(const PageFrame& frame, PagePanel& panel) {
  const WeightsShared& shared = frame.shared;
  panel.group(tr("Model"), "weights.", {"model", "family"});
  if (!shared.layer) return;
  if (shared.model->map.stacks().size() > 1) panel.row("weights.stack");
  panel.rows("weights.", {"layer", "head"});
}

void drawScores(const PageFrame& frame, PagePanel& panel) {
  if (!frame.shared.layer) return;
  panel.group(tr("Scores"), "weights.",
              {"symmetry", "directionality.excess", "directionality.sum", "outliers.rows", "outliers.columns"});
  if (frame.shared.moments && frame.shared.moments->nonfinite > 0) panel.row("weights.nonfinite");
  panel.rows("weights.score.", {"gamma", "variant", "ddof"});
  if (frame.shared.layer->kvHeads < frame.shared.layer->heads) panel.row("weights.gqa");
  if (frame.shared.layer->norm) panel.row("weights.norm.folded");
}

class WeightsExhibit final : public PagedExhibit<WeightsPage> {
 public:
  WeightsExhibit() : PagedExhibit("weights"), store_(state_) { setPages(makeWeightsPages()); }

  std::string name() const override { return tr("Weights"); }
  std::string title() const override { return weightsTitle(store_.shared()); }
  std::string about() const override {
    return tr("The attention of any checkpoint: which rows and columns of W_qk stand out, and how symmetric it is.");
  }
  Document exampleState() const override { return Document{}.with("weights.layer", 1); }
  Document contrastState(const Document& mine) const override;
  std::vector<std::pair<std::string, std::string>> gestures() const override;
  Numbers numbers() const override;
  std::string caption() const override;
  std::vector<SourceFile> sources() const override { return store_.sources(); }
  std::vector<std::string> pictureCommands() const override {
    return {"weights.next-layer",    "weights.previous-layer", "weights.next-head",
            "weights.previous-head", "weights.all-heads",      "weights.open-compare"};
  }
  std::string viewSection() const override { return "weights.view"; }
  std::optional<CheckpointKeys> checkpoints(const Document& document) const override;
  ModelTree modelTree() const override;

 private:
  const WeightsShared& shared() const override { return store_.shared(); }
  void declareShared(PropertyRegistry& registry, Property page) override {
    declareWeights(registry, store_.shared(), std::move(page));
  }
  void readShared(const Document& document, const PropertyRegistry& registry) override {
    read_ = readWeightsState(document, registry);
  }
  void refreshShared() override;
  void updateShared(ExhibitContext& context) override;
  void updateAfterPage(ExhibitContext& context) override;
  bool sharedComplete() const override { return store_.complete(); }
  std::vector<PropertyGroup> sharedGroups() const override;
  void drawPanel(const Frame& frame, ExhibitContext& context, bool inspectorShown) override {
    if (inspectorShown) return;
    PagePanel panel(context, "##weights.panel");
    drawChoice(frame, panel);
    if (page().traits().aboutMatrix) drawScores(frame, panel);
    pagePanel(frame, context, panel);
  }
  std::vector<Command> sharedCommands(const Document& document) override;
  Strip layOutStrip(const std::vector<StripButton>& tabs, double width, double height,
                    const Theme& theme) const override {
    return layoutStrip(store_.shared(), tabs, page().traits().aboutMatrix, width, height, theme);
  }
  void applyModelDefaults(ExhibitContext& context);
  bool walkable(int layers, int heads) const;
  void walk(ExhibitContext& context, int layers, int heads) const;

  WeightsState state_;  ///< as shown: the layer exists in the open model
  WeightsState read_;   ///< as in the document
  WeightsStore store_;
  std::uint64_t defaultsOf_ = 0;  ///< revision of the model that the document was adapted to
};

void WeightsExhibit::refreshShared() {
  state_ = read_;
  store_.choose(state_);
}

void WeightsExhibit::updateShared(ExhibitContext& context) {
  const auto further = page().traits().furtherFiles;
  store_.update(state_, further ? further(state_) : std::vector<std::string>(), context);
  applyModelDefaults(context);
}

void WeightsExhibit::updateAfterPage(ExhibitContext& context) {
  store_.updateMoments(facts().pictured, context);
  refresh(context);
}

/// Adapts the document to a model that has just been opened. If the selected stack does not exist, the first stack of
/// the model is selected. If no family fits, the page Mapping replaces a page about the matrix. This is part of opening
/// the model and therefore no undo step of its own.
void WeightsExhibit::applyModelDefaults(ExhibitContext& context) {
  const WeightsShared& shared = store_.shared();
  if (!shared.model || defaultsOf_ == shared.modelRevision) return;
  defaultsOf_ = shared.modelRevision;
  const checkpoint::AttentionMap& map = shared.model->map;
  Document next = context.editor.document();
  if (map.layers.empty() && map.family.empty() && page().traits().aboutMatrix && !context.figure)
    next = next.with("weights.page", "mapping");
  if (!map.layers.empty() && map.layersOf(read_.stack) == 0)
    next = next.with("weights.stack", std::string(checkpoint::toString(map.layers.front().stack)));
  if (!next.sharesAll(context.editor.document())) context.editor.replace(std::move(next));
}

bool WeightsExhibit::walkable(int layers, int heads) const {
  const checkpoint::AttentionLayer* const layer = store_.shared().layer;
  if (!layer) return false;
  const int to = layer->layer + layers, head = state_.head + heads;
  return to >= 0 && to < store_.shared().model->map.layersOf(layer->stack) && head >= -1 && head < layer->heads;
}

/// Commands that walk through layers and heads.
struct Step {
  const char *command, *label, *key;
  int layers, heads;
};
constexpr Step kSteps[] = {{"weights.next-layer", N_("Next layer"), "Down", 1, 0},
                           {"weights.previous-layer", N_("Previous layer"), "Up", -1, 0},
                           {"weights.next-head", N_("Next head"), "Right", 0, 1},
                           {"weights.previous-head", N_("Previous head"), "Left", 0, -1}};

std::vector<ExhibitCommand> WeightsExhibit::sharedCommands(const Document&) {
  const char* const menu = tr("Exhibit");
  std::vector<Command> all;
  for (const Step& step : kSteps)
    all.push_back({step.command, tr(step.label), step.key, menu, walkable(step.layers, step.heads),
                   [this, &step](ExhibitContext& context) { walk(context, step.layers, step.heads); }});
  all.push_back({"weights.all-heads", tr("All heads together"), "H", menu, store_.shared().layer && state_.head >= 0,
                 [](ExhibitContext& context) { setAsStep(context.editor, "weights.head", -1.0); }});
  return all;
}

std::vector<std::pair<std::string, std::string>> WeightsExhibit::gestures() const {
  return {{tr("arrow keys"), tr("step through layers and heads")},
          {tr("wheel"), tr("zoom about the pointer, down to entries; scroll a wall or list")},
          {tr("drag the matrix"), tr("pan")},
          {tr("double-click"), tr("show the whole matrix")},
          {tr("drag a threshold line"), tr("change gamma, with Shift in steps of 0.1")},
          {tr("drag an end of the colours"), tr("lock the colour scale there")},
          {tr("click a head or a layer"), tr("show it on the matrix page")}};
}

void WeightsExhibit::walk(ExhibitContext& context, int layers, int heads) const {
  if (!walkable(layers, heads)) return;
  Document next =
      context.editor.document().with("weights.layer", state_.layer + layers).with("weights.head", state_.head + heads);
  context.editor.commit(std::move(next), layers != 0 ? tr("choose a layer") : tr("choose a head"), kWalkGroup);
}

std::vector<PropertyGroup> WeightsExhibit::sharedGroups() const {
  return {{"", N_("Parameters")},         {"score", N_("Scores")}, {"show", N_("What is shown")},
          {"limits", N_("Colour scale")}, {"scale", "", "limits"},  // the limits shown, beside those that the user set
          {"view", "", {}, true},         {"hover", "", {}, true}};
}

/// While the page Compare waits for a second checkpoint, a checkpoint that is opened becomes the second one. Otherwise
/// it replaces the open one.
std::optional<CheckpointKeys> WeightsExhibit::checkpoints(const Document& document) const {
  const Json& second = document.at("weights.compare.checkpoint");
  const bool asks = document.at("weights.page") == "compare" && !document.at("weights.checkpoint").is_null() &&
                    (!second.is_string() || second.get_ref<const std::string&>().empty());
  CheckpointKeys keys{"weights.checkpoint", asks ? "weights.compare.checkpoint" : "", openCheckpointKeys()};
  keys.further.emplace_back("weights.compare.checkpoint");
  for (std::size_t i = 1; i < kOthers; ++i)
    keys.further.push_back(otherKey(i));
  keys.several = {{"weights.page", "charts"}, {"weights.charts.show", "several"}};
  return keys;
}

ModelTree WeightsExhibit::modelTree() const {
  const WeightsShared& shared = store_.shared();
  ModelTree tree;
  if (!shared.model) return tree;
  tree.title = shared.title();
  tree.measure = tr("symmetry s");
  tree.about = tr("Symmetry s by layer, from -1 to 1");
  for (const LayerScores& layer : *shared.board) {
    ModelTree::Row& row = tree.rows.emplace_back();
    const std::string stack(checkpoint::toString(layer.stack));
    row.name =
        fmt::format("{}{} {}", layer.stack == checkpoint::Stack::Self ? "" : stack + ", ", tr("layer"), layer.layer);
    if (std::isfinite(layer.scores.symmetry)) row.value = layer.scores.symmetry;
    row.chosen = shared.layer && layer.stack == shared.layer->stack && layer.layer == shared.layer->layer;
    row.shows = {{"weights.stack", stack}, {"weights.layer", static_cast<double>(layer.layer)}};
  }
  return tree;
}

Numbers WeightsExhibit::numbers() const {
  Numbers numbers = PagedExhibit::numbers();
  addScoreTables(numbers, store_.shared());
  return numbers;
}

std::string WeightsExhibit::caption() const {
  std::string text = weightsCaption(store_.shared(), page().traits().aboutMatrix);
  const std::string own = PagedExhibit::caption();
  if (!own.empty()) text += (text.empty() ? "" : " ") + own;
  return text;
}

/// The next layer with the same choice of the head, or the previous layer if there is no next one.
Document WeightsExhibit::contrastState(const Document& mine) const {
  if (walkable(1, 0)) return mine.with("weights.layer", state_.layer + 1);
  return walkable(-1, 0) ? mine.with("weights.layer", state_.layer - 1) : mine;
}

}  // namespace

std::unique_ptr<Exhibit> makeWeightsExhibit() {
  return std::make_unique<WeightsExhibit>();
}

}  // namespace sepx::ui
