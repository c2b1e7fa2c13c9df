// SPDX-License-Identifier: Apache-2.0
// The Weights exhibit put together: reads the document once a revision, keeps the shared results in step, shows the
// page that `weights.page` names below the strip. It changes the document only through the Editor. Frame thread only.
#include "ui/exhibits/weights/weights_exhibit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/exhibits/weights/shared/weights_declare.h"
#include "ui/exhibits/weights/shared/weights_numbers.h"
#include "ui/exhibits/weights/shared/weights_panel.h"
#include "ui/exhibits/weights/shared/weights_shared.h"
#include "ui/exhibits/weights/shared/weights_strip.h"
#include "ui/properties/tr.h"
#include "ui/properties/widgets.h"

namespace sepx::ui {

Camera WeightsPage::camera(const PageFrame& frame) const {
  return {flipped(frame.area), frame.area};
}

namespace {

constexpr double kCompactWidth = 44, kCompactHeight = 26;  // of the page, in sizes of the text
constexpr const char* kWalkGroup = "weights.walk";

std::vector<std::unique_ptr<WeightsPage>> makePages() {
  std::vector<std::unique_ptr<WeightsPage>> pages;
  pages.push_back(makeMatrixPage());
  pages.push_back(makeWallPage());
  pages.push_back(makeChartsPage());
  pages.push_back(makeComparePage());
  pages.push_back(makeFormPage());
  pages.push_back(makeMappingPage());
  return pages;
}

class WeightsExhibit final : public Exhibit {
 public:
  WeightsExhibit() : store_(state_), pages_(makePages()) {}

  std::string key() const override { return "weights"; }
  std::string name() const override { return tr("Weights"); }
  std::string title() const override { return weightsTitle(store_.shared()); }
  std::string about() const override {
    return tr("The attention of any checkpoint: which rows and columns of W_qk stand out, and how symmetric it is.");
  }
  Document specimen() const override { return Document{}.with("weights.layer", 1); }
  void declare(PropertyRegistry& registry) override;

  Cursor input(ExhibitContext& context, const CanvasInput& input) override;
  void update(ExhibitContext& context) override;
  const render::Scene& scene(const ExhibitContext& context) override;
  void panel(ExhibitContext& context, bool inspectorShown) override;

  bool animating() const override { return page().animating(); }
  bool complete() const override { return store_.complete() && page().complete(); }
  std::string status() const override { return page().status(store_.shared()); }
  void releaseGpu() override;

  std::vector<Command> commands(const Document& document) const override;
  std::vector<std::pair<std::string, std::string>> gestures() const override;
  Result<void> run(ExhibitContext& context, std::string_view command) override;
  Result<void> addPoint(ExhibitContext&, const std::vector<double>&) override {
    return fail(ErrorKind::Usage, tr("The Weights exhibit has no points to add."));
  }

  std::optional<ColorLimits> ownLimits() const override { return page().ownLimits(); }
  Numbers numbers() const override;
  std::string caption() const override;
  std::vector<SourceFile> sources() const override { return store_.sources(); }
  Document counterpart(const Document& mine) const override;

 private:
  WeightsPage* find(WeightsPageKind kind) const;
  WeightsPage& page() const;
  std::vector<WeightsPageKind> kinds() const;
  void refresh(const ExhibitContext& context);
  void greet(ExhibitContext& context);
  PageFrame frame(const ExhibitContext& context) const;
  Cursor pressed(ExhibitContext& context, const StripButton& button);
  void walk(ExhibitContext& context, int layers, int heads);
  bool walkable(int layers, int heads) const;

  WeightsState state_;  ///< as shown: a layer that there is
  WeightsState read_;   ///< as the document says
  std::optional<std::uint64_t> revision_;
  WeightsStore store_;
  std::vector<std::unique_ptr<WeightsPage>> pages_;
  std::uint64_t greeted_ = 0;  ///< the model that the document was made to go with
  WeightsStrip strip_;
  PageLayers layers_;
  render::Scene scene_;
  std::optional<render::Point> pointer_;  ///< page
  bool gesture_ = false;                  ///< a button that went down over the page is still down
  Cursor cursor_ = Cursor::Arrow;
  double width_ = 1, height_ = 1;
};

void WeightsExhibit::declare(PropertyRegistry& registry) {
  declareWeights(registry, store_.shared());
  for (const auto& page : pages_)
    page->declare(registry, store_.shared());
}

WeightsPage* WeightsExhibit::find(WeightsPageKind kind) const {
  for (const auto& page : pages_)
    if (page->kind() == kind) return page.get();
  return nullptr;
}

WeightsPage& WeightsExhibit::page() const {
  WeightsPage* const wanted = find(state_.page);
  return wanted ? *wanted : *pages_.front();
}

std::vector<WeightsPageKind> WeightsExhibit::kinds() const {
  std::vector<WeightsPageKind> kinds;
  for (const auto& page : pages_)
    kinds.push_back(page->kind());
  return kinds;
}

void WeightsExhibit::refresh(const ExhibitContext& context) {
  if (revision_ != context.editor.revision()) {
    revision_ = context.editor.revision();
    read_ = readWeightsState(context.editor.document(), context.editor.properties());
  }
  state_ = read_;
  store_.choose(state_);
  width_ = std::max(1.0, context.area.width());
  height_ = std::max(1.0, context.area.height());
  strip_ = context.figure ? WeightsStrip{} : layoutStrip(store_.shared(), kinds(), width_, height_, context.theme);
}

PageFrame WeightsExhibit::frame(const ExhibitContext& context) const {
  const render::Rect area{{0, strip_.height}, {width_, std::max(height_, strip_.height + 1)}};
  const double unit = context.theme.textSize;
  PageFrame frame(store_.shared(), context.theme, area);
  if (pointer_ && !context.figure && (area.contains(*pointer_) || gesture_)) frame.pointer = pointer_;
  frame.figure = context.figure;
  frame.compact = area.width() < kCompactWidth * unit || area.height() < kCompactHeight * unit;
  return frame;
}

Cursor WeightsExhibit::pressed(ExhibitContext& context, const StripButton& button) {
  if (button.value.empty()) {
    if (const Result<void> done = run(context, button.key); !done) context.editor.say(done.error().sentence);
  } else {
    context.editor.seal();
    const Result<void> done = context.editor.set(button.key, button.value);
    if (!done) context.editor.say(done.error().sentence);
    context.editor.seal();
  }
  return Cursor::Hand;
}

Cursor WeightsExhibit::input(ExhibitContext& context, const CanvasInput& input) {
  refresh(context);
  Cursor cursor = cursor_;
  const auto local = [&context](double x, double y) {
    return render::Point{x - context.area.min.x, y - context.area.min.y};
  };
  for (InputEvent event : input.events) {
    bool toPage = true;
    if (auto* move = std::get_if<PointerMoved>(&event)) {
      pointer_ = local(move->x, move->y);
      move->x = pointer_->x;
      move->y = pointer_->y;
    } else if (auto* press = std::get_if<PointerPressed>(&event)) {
      pointer_ = local(press->x, press->y);
      press->x = pointer_->x;
      press->y = pointer_->y;
      const bool onStrip = pointer_->y < strip_.height && !gesture_;
      if (onStrip && press->down && press->button == Button::Left) {
        if (const StripButton* const button = strip_.at(*pointer_)) cursor = pressed(context, StripButton(*button));
      }
      toPage = !onStrip;
      if (toPage) gesture_ = press->down;
    } else if (std::holds_alternative<PointerLeft>(event)) {
      if (!gesture_) pointer_.reset();
    } else if (std::holds_alternative<Scrolled>(event)) {
      toPage = !pointer_ || pointer_->y >= strip_.height;
    } else if (const auto* focus = std::get_if<FocusChanged>(&event)) {
      if (!focus->focused) gesture_ = false;
    }
    if (toPage) cursor = page().input(frame(context), context, event);
    refresh(context);
  }
  if (pointer_ && pointer_->y < strip_.height && !gesture_)
    cursor = strip_.at(*pointer_) ? Cursor::Hand : Cursor::Arrow;
  return cursor_ = cursor;
}

void WeightsExhibit::update(ExhibitContext& context) {
  refresh(context);
  store_.update(state_, context);
  greet(context);
  refresh(context);
  page().update(frame(context), context);
  store_.updateMoments(page().hasPicture(store_.shared()), context);
  refresh(context);
}

/// What a model that has just been opened asks of the document: a stack that it has; a checkpoint that no family fits
/// is mapped before anything else can be shown. Part of opening it, so no step of its own.
void WeightsExhibit::greet(ExhibitContext& context) {
  const WeightsShared& shared = store_.shared();
  if (!shared.model || greeted_ == shared.modelRevision) return;
  greeted_ = shared.modelRevision;
  const checkpoint::AttentionMap& map = shared.model->map;
  Document next = context.editor.document();
  if (map.layers.empty() && map.family.empty() && read_.page == WeightsPageKind::Matrix && !context.figure)
    next = next.with("weights.page", "mapping");
  if (!map.layers.empty() && map.layersOf(read_.stack) == 0)
    next = next.with("weights.stack", std::string(checkpoint::word(map.layers.front().stack)));
  if (!next.sharesAll(context.editor.document())) context.editor.replace(std::move(next));
}

const render::Scene& WeightsExhibit::scene(const ExhibitContext& context) {
  const PageFrame now = frame(context);
  const Camera camera = page().camera(now);
  scene_.width = width_;
  scene_.height = height_;
  scene_.plot = camera.plot;
  scene_.window = camera.window;
  scene_.background = context.theme.plotBackground;
  scene_.layers.clear();
  page().scene(now, scene_.layers);
  if (context.figure) return scene_;
  const WeightsShared& shared = store_.shared();
  const std::optional<render::Point> over =
      pointer_ && pointer_->y < strip_.height ? pointer_ : std::optional<render::Point>();
  const StripButton* const under = over ? strip_.at(*over) : nullptr;
  LayerKey key = frameKey(now);
  for (const double value :
       {width_, shared.scores.symmetry, shared.excess, shared.sum, shared.state.score.gamma, shared.band.symmetry.low,
        shared.band.directionality.low, static_cast<double>(shared.band.samples), static_cast<double>(state_.layer),
        static_cast<double>(state_.head)})
    key.push_back(bits(value));
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(state_.page), static_cast<std::uint64_t>(state_.part),
        static_cast<std::uint64_t>(state_.stack), static_cast<std::uint64_t>(state_.score.variant),
        static_cast<std::uint64_t>(state_.foldNorm), static_cast<std::uint64_t>(state_.pairing), shared.modelRevision,
        static_cast<std::uint64_t>(under ? under - strip_.buttons.data() + 1 : 0)})
    key.push_back(part);
  layers_.add(
      scene_.layers, "strip", std::move(key),
      [&] {
        std::vector<render::Item> items;
        addStrip(items, strip_, width_, context.theme, over);
        return items;
      },
      false, false);
  return scene_;
}

void WeightsExhibit::panel(ExhibitContext& context, bool inspectorShown) {
  if (!context.controls) return;
  const PageFrame now = frame(context);
  reportStrip(strip_, context);
  if (!inspectorShown) drawWeightsPanel(now, page(), context);
}

void WeightsExhibit::releaseGpu() {
  for (const auto& page : pages_)
    page->releaseGpu();
}

bool WeightsExhibit::walkable(int layers, int heads) const {
  const checkpoint::AttentionLayer* const layer = store_.shared().layer;
  if (!layer) return false;
  const int to = layer->layer + layers, head = state_.head + heads;
  return to >= 0 && to < store_.shared().model->map.layersOf(layer->stack) && head >= -1 && head < layer->heads;
}

void WeightsExhibit::walk(ExhibitContext& context, int layers, int heads) {
  if (!walkable(layers, heads)) return;
  Document next =
      context.editor.document().with("weights.layer", state_.layer + layers).with("weights.head", state_.head + heads);
  context.editor.commit(std::move(next), layers != 0 ? tr("choose a layer") : tr("choose a head"), kWalkGroup);
}

std::vector<Exhibit::Command> WeightsExhibit::commands(const Document& document) const {
  const char* const menu = tr("Exhibit");
  std::vector<Command> all{
      {"weights.next-layer", tr("Next layer"), "Down", menu, walkable(1, 0)},
      {"weights.previous-layer", tr("Previous layer"), "Up", menu, walkable(-1, 0)},
      {"weights.next-head", tr("Next head"), "Right", menu, walkable(0, 1)},
      {"weights.previous-head", tr("Previous head"), "Left", menu, walkable(0, -1)},
      {"weights.all-heads", tr("All heads together"), "H", menu, store_.shared().layer && state_.head >= 0},
  };
  constexpr std::pair<WeightsPageKind, const char*> kKeys[] = {
      {WeightsPageKind::Matrix, "M"},  {WeightsPageKind::Wall, "W"}, {WeightsPageKind::Charts, "C"},
      {WeightsPageKind::Compare, "D"}, {WeightsPageKind::Form, "F"}, {WeightsPageKind::Mapping, ""}};
  for (const auto& [kind, shortcut] : kKeys) {
    if (!find(kind)) continue;
    all.push_back({std::string("weights.page-") + pageWord(kind), std::string(tr("Page:")) + " " + pageName(kind),
                   shortcut, menu, true});
  }
  for (const Command& command : page().commands(document))
    all.push_back(command);
  return all;
}

std::vector<std::pair<std::string, std::string>> WeightsExhibit::gestures() const {
  return {{tr("arrow keys"), tr("walk through layers and heads")},
          {tr("wheel"), tr("zoom about the pointer, down to entries; scroll a wall or list")},
          {tr("drag the matrix"), tr("pan")},
          {tr("double-click"), tr("the whole matrix again")},
          {tr("drag a threshold line"), tr("change gamma; Shift takes tenths")},
          {tr("drag an end of the colours"), tr("lock the colour scale there")},
          {tr("click a head or a layer"), tr("show it on the matrix page")}};
}

Result<void> WeightsExhibit::run(ExhibitContext& context, std::string_view command) {
  refresh(context);
  constexpr std::string_view kPage = "weights.page-";
  if (command == "weights.next-layer") {
    walk(context, 1, 0);
  } else if (command == "weights.previous-layer") {
    walk(context, -1, 0);
  } else if (command == "weights.next-head") {
    walk(context, 0, 1);
  } else if (command == "weights.previous-head") {
    walk(context, 0, -1);
  } else if (command == "weights.all-heads") {
    context.editor.seal();
    if (const Result<void> done = context.editor.set("weights.head", -1.0); !done) return done;
    context.editor.seal();
  } else if (command.starts_with(kPage)) {
    context.editor.seal();
    const Result<void> done = context.editor.set("weights.page", std::string(command.substr(kPage.size())));
    if (!done) return done;
    context.editor.seal();
  } else if (!page().run(frame(context), context, command)) {
    return fail(ErrorKind::Usage,
                std::string(tr("The Weights exhibit has no command")) + " \"" + std::string(command) + "\".");
  }
  refresh(context);
  return {};
}

Numbers WeightsExhibit::numbers() const {
  Numbers numbers = page().numbers(store_.shared());
  addScoreTables(numbers, store_.shared());
  return numbers;
}

std::string WeightsExhibit::caption() const {
  std::string text = weightsCaption(store_.shared(), state_.page);
  const std::string own = page().caption(store_.shared());
  if (!own.empty()) text += (text.empty() ? "" : " ") + own;
  return text;
}

/// Beside all heads of a layer the next layer, beside one head the next one.
Document WeightsExhibit::counterpart(const Document& mine) const {
  if (walkable(1, 0)) return mine.with("weights.layer", state_.layer + 1);
  return walkable(-1, 0) ? mine.with("weights.layer", state_.layer - 1) : mine;
}

}  // namespace

std::unique_ptr<Exhibit> makeWeightsExhibit() {
  return std::make_unique<WeightsExhibit>();
}

}  // namespace sepx::ui
