// SPDX-License-Identifier: Apache-2.0
// A flow diagram of the model: boxes in the order in which the stream reaches them, with the shapes of their tensors.
// The block of the shown layer is unfolded, the others are folded. The stream runs down on the left; a branch leaves it
// and is added to it. A click leads to the tensor or to W_qk, or unfolds a block.
#include "ui/sentence/model_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

using checkpoint::BlockPlan;
using checkpoint::ModelPlan;
using checkpoint::NormSource;

constexpr double kMostRow = 2.5, kBranch = 2.2,
                 kStream = 0.9;      // in sizes of small text: a row, where boxes begin, the stream
constexpr double kBetween = 4;       // points between boxes
constexpr double kLeastWords = 6.5;  // points, of the text in a box

/// A box: a tensor, a step without one, or folded blocks.
struct FlowBox {
  std::string name, shape, tensor, does;  ///< `does`: what a click does, translated; empty: nothing
  Changes click;
};
struct FlowRow {
  std::vector<FlowBox> boxes;
  bool branch = false;   ///< beside the stream
  bool adds = false;     ///< the last row of a branch
  bool folded = false;   ///< blocks that are not unfolded
  bool heading = false;  ///< of the block that is unfolded
};
struct FlowData {
  std::vector<FlowRow> rows;
  std::string stream;  ///< its shape: "9 × 128"
};

const char* activationWords(checkpoint::FeedForwardActivation of) {
  using checkpoint::FeedForwardActivation;
  switch (of) {
    case FeedForwardActivation::Relu:
      return "ReLU";
    case FeedForwardActivation::ReluSquared:
      return "ReLU²";
    case FeedForwardActivation::GeluErf:
      return "GELU";
    case FeedForwardActivation::GeluTanh:
      return "GELU (tanh)";
    case FeedForwardActivation::QuickGelu:
      return "x σ(1.702 x)";
    case FeedForwardActivation::Silu:
      return "SiLU";
  }
  return "";
}

/// Adds the rows of the diagram one after the other.
class FlowRows {
 public:
  FlowRows(const SentenceShown& shown, FlowData& made)
      : source_(shown.source()), checkpoint_(shown.results.forward()->checkpoint()), made_(made) {}

  FlowBox box(std::string name, const std::string& tensor, Changes click = {}, std::string does = {}) const {
    FlowBox made{std::move(name), {}, tensor, std::move(does), std::move(click)};
    const checkpoint::TensorInfo* const info = tensor.empty() ? nullptr : checkpoint_.find(tensor);
    if (!info) return made;
    made.shape = fmt::format("{}", fmt::join(info->shape, " × "));
    if (made.click.empty() && source_.tensor) {
      made.click = source_.tensor(tensor);
      made.does = tr("click: the tensor in the list of Mapping");
    }
    return made;
  }
  FlowRow& add(FlowRow row) { return made_.rows.emplace_back(std::move(row)); }
  void add(FlowBox one) { add(FlowRow{{std::move(one)}, inBranch_}); }
  void norm(const char* name, const std::optional<NormSource>& source) {
    if (!source) return;
    add(box(fmt::format("{} ({})", name, source->kind == NormSource::Kind::Rms ? tr("RMS") : tr("layer")),
            source->gain));
  }
  void branch(bool in) { inBranch_ = in; }
  void attention(const BlockPlan& block);
  void feedForward(const BlockPlan& block);

 private:
  const SentenceSource& source_;
  const checkpoint::Checkpoint& checkpoint_;
  FlowData& made_;
  bool inBranch_ = false;
};

void FlowRows::attention(const BlockPlan& block) {
  const checkpoint::AttentionLayer& of = block.attention;
  branch(true);
  norm(tr("norm"), of.norm);
  const Changes matrix = source_.matrix ? source_.matrix(of.layer) : Changes();
  const std::string does = matrix.empty() ? std::string() : std::string(tr("click: W_qk of this layer"));
  add({{box("W_Q", of.W_Q.tensor, matrix, does), box("W_K", of.W_K.tensor, matrix, does), box("W_V", block.W_V.tensor)},
       true});
  std::string softmax = of.causal ? trFormat("{} heads, softmax over earlier tokens", of.heads)
                                  : trFormat("{} heads, softmax over all tokens", of.heads);
  if (of.kvHeads < of.heads) softmax += trFormat(", {} key/value heads", of.kvHeads);
  if (block.score.window > 0) softmax += trFormat(", at most {} away", block.score.window);
  if (of.rope) softmax += trFormat(", rotary in {} dimensions", of.rope->dimensions);
  if (!block.score.slopes.empty()) softmax += std::string(", ALiBi");
  add(box(std::move(softmax), {}));
  add(box("W_O", block.W_O.tensor));
  norm(tr("norm of the branch output"), block.attentionOut);
  made_.rows.back().adds = true;
  branch(false);
  norm(tr("norm of the sum"), block.attentionAfter);
}

void FlowRows::feedForward(const BlockPlan& block) {
  if (!block.feedForward) return;
  branch(true);
  norm(tr("norm"), block.feedForwardNorm);
  FlowRow up{{}, true};
  if (block.feedForward->gate) up.boxes.push_back(box(tr("gate"), block.feedForward->gate->tensor));
  up.boxes.push_back(
      box(trFormat("up, {}", activationWords(block.feedForward->activation)), block.feedForward->up.tensor));
  add(std::move(up));
  add(box(block.parallel ? tr("down, parallel to attention") : tr("down"), block.feedForward->down.tensor));
  norm(tr("norm of the branch output"), block.feedForwardOut);
  made_.rows.back().adds = true;
  branch(false);
  norm(tr("norm of the sum"), block.feedForwardAfter);
}

/// Adds the blocks [first, last] folded to one box. A click on it unfolds the block `unfolds`.
void addFolded(FlowRows& rows, const ModelPlan& plan, std::size_t first, std::size_t last, std::size_t unfolds,
               const SentenceKeys& keys) {
  const auto layer = [&plan](std::size_t block) { return plan.blocks[block].attention.layer; };
  FlowBox box = rows.box(
      first == last ? trFormat("block {}", layer(first)) : trFormat("blocks {} to {}", layer(first), layer(last)), {},
      {{keys.shared("layer"), static_cast<double>(layer(unfolds))}},
      trFormat("click: unfold block {}", layer(unfolds)));
  rows.add(FlowRow{{std::move(box)}, false, false, true});
}

/// Adds the rows from tokens or pixels to the stream.
void addInput(FlowRows& rows, const ModelPlan& plan, int tokens) {
  if (const auto& image = plan.image) {
    rows.add(
        rows.box(trFormat("image of {} × {} pixels, {} channels", image->image, image->image, image->channels), {}));
    rows.norm(tr("norm"), image->patchNorm);
    rows.add(rows.box(trFormat("patches of {} × {}", image->patch, image->patch), image->patches.tensor));
    rows.norm(tr("norm"), image->patchedNorm);
    for (const std::string& tensor : {image->classToken, image->secondToken})
      if (!tensor.empty()) rows.add(rows.box(tr("prepended token"), tensor));
    if (!image->positions.empty()) rows.add(rows.box(tr("position, added"), image->positions));
  } else {
    rows.add(rows.box(trFormat("{} tokens of {}", tokens, plan.vocabulary), {}));
    rows.add(rows.box(tr("embedding"), plan.tokenEmbedding));
    if (!plan.positionEmbedding.empty()) rows.add(rows.box(tr("position, added"), plan.positionEmbedding));
    if (!plan.segments.empty()) rows.add(rows.box(tr("segment 0, added"), plan.segments));
  }
  if (plan.embeddingProjection) rows.add(rows.box(tr("projection"), plan.embeddingProjection->tensor));
  rows.norm(tr("norm"), plan.embeddingNorm);
}

std::shared_ptr<const FlowData> flowOf(const SentenceShown& shown) {
  auto made = std::make_shared<FlowData>();
  const ModelPlan& plan = shown.results.forward()->plan();
  const int tokens = shown.results.tokens() ? shown.results.tokens()->size() : 0;
  made->stream = fmt::format("{} × {}", tokens, plan.d_model);
  FlowRows rows(shown, *made);
  addInput(rows, plan, tokens);
  std::size_t open = plan.blocks.size();
  for (std::size_t i = 0; i < plan.blocks.size(); ++i)
    if (plan.blocks[i].attention.layer == shown.source().layer) open = i;
  if (open == plan.blocks.size() && open > 0) addFolded(rows, plan, 0, open - 1, 0, shown.keys());
  if (open < plan.blocks.size()) {
    if (open > 0) addFolded(rows, plan, 0, open - 1, open - 1, shown.keys());
    rows.add(
        FlowRow{{rows.box(trFormat("block {}", plan.blocks[open].attention.layer), {})}, false, false, false, true});
    rows.attention(plan.blocks[open]);
    rows.feedForward(plan.blocks[open]);
    if (open + 1 < plan.blocks.size()) addFolded(rows, plan, open + 1, plan.blocks.size() - 1, open + 1, shown.keys());
  }
  if (plan.head) {
    rows.norm(tr("final norm"), plan.head->finalNorm);
    if (plan.head->transform) rows.add(rows.box(tr("transform"), plan.head->transform->tensor));
    rows.norm(tr("norm"), plan.head->transformNorm);
    rows.add(rows.box(tr("logits"), plan.head->logits.tensor));
  }
  return made;
}

/// A box with its place.
struct PlacedFlowBox {
  const FlowBox* box;
  const FlowRow* row;
  render::Rect at;
};

double rowHeight(const FlowData& made, const render::Rect& box, double small) {
  return std::min(kMostRow * small, box.height() / static_cast<double>(std::max<std::size_t>(1, made.rows.size())));
}

std::vector<PlacedFlowBox> placed(const FlowData& made, const render::Rect& box, double small) {
  std::vector<PlacedFlowBox> all;
  const double height = rowHeight(made, box, small), gap = std::min(kBetween, 0.2 * height);
  double y = box.min.y;
  for (const FlowRow& row : made.rows) {
    const double left = box.min.x + (row.branch ? kBranch * small : 0);
    const auto count = static_cast<double>(row.boxes.size());
    const double width = (box.max.x - left - kBetween * (count - 1)) / count;
    for (std::size_t i = 0; i < row.boxes.size(); ++i) {
      const double x = left + static_cast<double>(i) * (width + kBetween);
      all.push_back({&row.boxes[i], &row, {{x, y + gap / 2}, {x + width, y + height - gap / 2}}});
    }
    y += height;
  }
  return all;
}

/// The stream from the first box to the last, where it branches and where it is added to.
void addStream(std::vector<render::Item>& items, const FlowData& made, const render::Rect& box, const Theme& theme) {
  const double small = theme.smallSize, height = rowHeight(made, box, small), x = box.min.x + kStream * small;
  const auto middle = [&](std::size_t row) { return box.min.y + (static_cast<double>(row) + 0.5) * height; };
  const render::Color ink = theme.textMuted;
  items.emplace_back(pageLine({x, middle(0)}, {x, middle(made.rows.size() - 1)}, ink, 2));
  const double branch = box.min.x + kBranch * small;
  for (std::size_t i = 0; i < made.rows.size(); ++i) {
    const FlowRow& row = made.rows[i];
    if (!row.branch) continue;
    const bool begins = i == 0 || !made.rows[i - 1].branch || made.rows[i - 1].adds;
    if (begins) items.emplace_back(pageLine({x, middle(i)}, {branch, middle(i)}, ink, 1.2f));
    if (!begins) items.emplace_back(pageLine({branch + small, middle(i - 1)}, {branch + small, middle(i)}, ink, 1.2f));
    if (!row.adds) continue;
    const double y = middle(i), r = std::min(0.36 * height, 0.5 * small);
    items.emplace_back(pageLine({branch, y}, {x, y}, theme.accent, 1.6f));
    addBox(items, {{x - r, y - r}, {x + r, y + r}}, r, theme.surface, theme.accent);
    items.emplace_back(pageLine({x - 0.6 * r, y}, {x + 0.6 * r, y}, theme.accent, 1.4f));
    items.emplace_back(pageLine({x, y - 0.6 * r}, {x, y + 0.6 * r}, theme.accent, 1.4f));
  }
}

std::vector<render::Item> flowItems(const FlowData& made, const ViewPlace& place) {
  std::vector<render::Item> items;
  if (made.rows.empty()) return items;
  const Theme& theme = place.theme;
  addStream(items, made, place.box, theme);
  for (const PlacedFlowBox& one : placed(made, place.box, theme.smallSize)) {
    const FlowRow& row = *one.row;
    const render::Rect& at = one.at;
    const double height = at.max.y - at.min.y;
    if (row.folded)  // drawn as a stack
      addBox(items, {{at.min.x + 3, at.min.y - 2}, {at.max.x - 3, at.max.y - 2}}, theme.radius, theme.surface,
             theme.border);
    const bool matrix = one.box->tensor.empty();
    addBox(items, at, theme.radius, matrix && !row.folded ? theme.surface : theme.surfaceRaised,
           row.heading ? theme.selection : theme.border);
    if (height < kLeastWords) continue;  // text would overlap that of the next row; the tooltip has it
    const double size = std::max(kLeastWords, std::min<double>(theme.smallSize, 0.72 * height));
    const double middle = (at.min.y + at.max.y) / 2, pad = 0.5 * size;
    const double wide = textWidth(one.box->shape, size), room = at.max.x - at.min.x - 2 * pad;
    const double name = std::min(textWidth(one.box->name, size), 3 * size);
    const bool both = !one.box->shape.empty() && wide + name + pad <= room;
    items.emplace_back(textAt({at.min.x + pad, middle}, elided(one.box->name, size, room - (both ? wide + pad : 0)),
                              static_cast<float>(size), row.heading ? theme.selection : theme.text));
    if (both)
      items.emplace_back(textAt({at.max.x - pad, middle}, one.box->shape, static_cast<float>(size), theme.textMuted,
                                render::AlignX::Right));
  }
  return items;
}

std::vector<std::string> boxWords(const FlowData& made, const FlowBox& box) {
  std::vector<std::string> lines{box.name};
  if (!box.tensor.empty()) lines.push_back(trFormat("{}: {}", box.tensor, box.shape));
  lines.push_back(trFormat("the stream is {} (tokens × width)", made.stream));
  if (!box.does.empty()) lines.push_back(box.does);
  return lines;
}

}  // namespace

PictureContent modelFlow(const SentenceShown& shown) {
  const std::shared_ptr<const FlowData> made = flowOf(shown);
  PictureContent content;
  content.boxed = true;
  Digest digest;
  digest.add(made->stream);
  for (const FlowRow& row : made->rows)
    for (const FlowBox& box : row.boxes)
      digest.add(box.name, box.shape, row.heading);
  content.of = digest.value();
  content.draw = [made](const ViewPlace& place) { return flowItems(*made, place); };
  const auto boxAt = [made](const ViewPlace& place, render::Point at) -> std::optional<PlacedFlowBox> {
    for (const PlacedFlowBox& one : placed(*made, place.box, place.theme.smallSize))
      if (one.at.contains(at)) return one;
    return std::nullopt;
  };
  content.tip = [made, boxAt](const ViewPlace& place, render::Point at, const render::Rect& area) {
    std::vector<render::Item> items;
    const auto one = boxAt(place, at);
    if (!one) return items;
    if (!one->box->click.empty()) items.emplace_back(pageFrameLine(one->at, place.theme.text, 1.5f));
    addTip(items, at, boxWords(*made, *one->box), area, place.theme);
    return items;
  };
  content.pick = [boxAt](const ViewPlace& place, render::Point at) -> std::optional<Changes> {
    const auto one = boxAt(place, at);
    return one && !one->box->click.empty() ? std::optional(one->box->click) : std::nullopt;
  };
  content.read = [made](const ViewPlace& place) {
    const std::vector<PlacedFlowBox> all = placed(*made, place.box, place.theme.smallSize);
    ReadableView view{
        .role = ReadableView::Role::Table, .label = tr("Graph of the model"), .description = made->stream};
    view.rows = all.size();
    view.cells = [](std::size_t) { return std::size_t{1}; };
    view.text = [made, all](std::size_t row, std::size_t) {
      return fmt::format("{}", fmt::join(boxWords(*made, *all[row].box), ", "));
    };
    view.place = [all](std::size_t row, std::size_t) -> std::optional<render::Point> {
      if (row >= all.size()) return std::nullopt;
      return render::Point{(all[row].at.min.x + all[row].at.max.x) / 2, (all[row].at.min.y + all[row].at.max.y) / 2};
    };
    view.at = [place = view.place](render::Point data) {
      return data.x < 0 ? std::nullopt : place(static_cast<std::size_t>(data.x), 0);
    };
    return view;
  };
  return content;
}

}  // namespace sepx::ui
