// SPDX-License-Identifier: Apache-2.0
// The job that opens the second checkpoint and compares layer by layer, and the job that reads factors for the
// pictures.
#include "ui/exhibits/weights/compare/compare_board.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

std::string sizeOf(const checkpoint::AttentionLayer& layer) {
  return fmt::format("{} × {}", layer.d_model, layer.d_key);
}

}  // namespace

const checkpoint::AttentionLayer* partnerOf(const checkpoint::Model& second, const checkpoint::AttentionLayer& first,
                                            std::string* why) {
  const auto say = [&](std::string sentence) {
    if (why) *why = std::move(sentence);
  };
  if (second.map.layers.empty()) {
    say(second.map.noQkReason);
    return nullptr;
  }
  const checkpoint::AttentionLayer* found = second.map.find(first.stack, first.layer);
  // If one model has a single stack, the kinds may differ: an encoder is compared with that of an encoder-decoder.
  const std::vector<checkpoint::Stack> stacks = second.map.stacks();
  if (!found && stacks.size() == 1 && second.map.layersOf(first.stack) == 0)
    found = second.map.find(stacks.front(), first.layer);
  if (!found && first.stack == checkpoint::Stack::Self) {
    for (const checkpoint::Stack stack : stacks)
      if (!found && stack != checkpoint::Stack::Cross) found = second.map.find(stack, first.layer);
  }
  if (!found) {
    say(fmt::format("{} {} {} {}.", second.checkpoint->title(), tr("has no layer"), first.layer,
                    tr("of this attention type")));
    return nullptr;
  }
  if (found->d_model == first.d_model && found->d_key == first.d_key) return found;
  say(fmt::format("{} {}, {} {} {}.", tr("W_qk is"), sizeOf(first) + " " + tr("here"), sizeOf(*found), tr("in"),
                  second.checkpoint->title()));
  return nullptr;
}

attention::LayerFactors differenceFactors(const attention::LayerFactors& a, const attention::LayerFactors& b) {
  const attention::Matrix keysA = attention::keysOfHeads(a), keysB = attention::keysOfHeads(b);
  attention::LayerFactors made;
  made.heads = 1;
  made.d_h = static_cast<int>(a.W_Q.cols() + b.W_Q.cols());
  made.keyHead = {0};
  made.W_Q.resize(a.rows(), made.d_h);
  made.W_Q << a.W_Q, b.W_Q;
  made.W_K.resize(a.columns(), made.d_h);
  made.W_K << keysA, -keysB;
  return made;
}

void CompareBoard::work(const Request& request, ThreadPool& pool, LaneOutput<Board>& output) {
  Board board;
  const auto opened = checkpoint::openModel(request.path, request.rules, output.whileReading());
  if (!opened) {
    board.failure = opened.error().message;
    output.finish(std::move(board));
    return;
  }
  board.model = *opened;
  output.publish(board);
  const auto cancelled = [&output] { return output.cancelled(); };
  const std::vector<checkpoint::AttentionLayer>& layers = request.first->map.layers;
  for (std::size_t i = 0; i < layers.size() && !cancelled(); ++i) {
    std::string why;
    const checkpoint::AttentionLayer* other = partnerOf(**opened, layers[i], &why);
    if (!other) {
      if (board.mismatch.empty()) board.mismatch = why;
      continue;
    }
    const auto a =
        checkpoint::loadFactors(*request.first->checkpoint, layers[i], request.options, output.whileReading());
    const auto b = checkpoint::loadFactors(*(*opened)->checkpoint, *other, request.options, output.whileReading());
    if (!a || !b) {
      board.failure = (a ? b : a).error().message;
      break;
    }
    const auto whole = attention::difference(*a, *b, &pool, cancelled);
    if (!whole) break;
    CompareEntry entry{layers[i].stack, layers[i].layer, *whole, {}};
    for (int head = 0; head < a->heads && a->heads == b->heads && !cancelled(); ++head)
      if (const auto one =
              attention::difference(attention::headOf(*a, head), attention::headOf(*b, head), &pool, cancelled))
        entry.heads.push_back(*one);
    board.entries.push_back(std::move(entry));
    output.progress(static_cast<double>(i + 1) / static_cast<double>(layers.size()));
    output.publish(board);
  }
  if (board.entries.empty() && board.failure.empty()) board.failure = board.mismatch;
  output.finish(std::move(board));
}

void CompareBoard::update(const WeightsShared& shared, ExhibitContext& context) {
  lane_.refresh(context.jobs);
  const WeightsState& state = shared.state;
  if (state.comparePath.empty() || !shared.model) {
    lane_.clear();
    return;
  }
  Request wanted{shared.model, state.comparePath, context.rules, {state.pairing, -1, state.foldNorm}};
  if (lane_.isFor(wanted)) return;
  lane_.clear();
  lane_.start(context.jobs, std::move(wanted), tr("comparing two checkpoints"),
              [&pool = context.pool](const Request& request, auto& output) { work(request, pool, output); });
}

std::optional<attention::Difference> CompareBoard::at(checkpoint::Stack stack, int layer, int head) const {
  const auto entry = std::find_if(entries().begin(), entries().end(), [stack, layer](const CompareEntry& one) {
    return one.stack == stack && one.layer == layer;
  });
  if (entry == entries().end()) return std::nullopt;
  if (head < 0) return entry->whole;
  const auto h = static_cast<std::size_t>(head);
  return h < entry->heads.size() ? std::optional(entry->heads[h]) : std::nullopt;
}

// The job that reads the factors behind the panes of the comparison.

ComparePictures::Made ComparePictures::make(const Request& request, const LaneWork& work) {
  auto second =
      checkpoint::loadFactors(*request.second->checkpoint, *request.partner, request.options, work.whileReading());
  if (!second) return {{}, second.error().message};
  Made made{{request.first, std::make_shared<const attention::LayerFactors>(std::move(*second)), nullptr}, {}};
  if (request.difference)
    made.factors[2] =
        std::make_shared<const attention::LayerFactors>(differenceFactors(*made.factors[0], *made.factors[1]));
  return made;
}

void ComparePictures::update(const PageFrame& frame, const MatrixPanes& panes,
                             const std::shared_ptr<const checkpoint::Model>& second,
                             const checkpoint::AttentionLayer* partner, bool ownScales, ExhibitContext& context) {
  const WeightsState& state = frame.shared.state;
  const Factors& first = frame.shared.factors;
  const bool difference = state.blend == WeightsBlend::Difference;
  lane_.refresh(context.jobs);
  locked_ = state.locked;
  ownScales_ = ownScales;
  part_ = state.shownPart(first && first->rows() == first->columns());
  Request wanted{first, second, partner, {state.pairing, state.head, state.foldNorm}, difference};
  const bool shown = second && partner && first && !panes.panes.empty();
  if (!shown || !lane_.isFor(wanted)) lane_.clear();
  if (shown)
    lane_.request(context.jobs, std::move(wanted), tr("reading the weights of a layer"),
                  [](const Request& request, auto& output) { return make(request, output); });
  for (const CompareSide side : {CompareSide::First, CompareSide::Second, CompareSide::Difference}) {
    const bool asked = difference == (side == CompareSide::Difference);
    results_[static_cast<std::size_t>(side)].update(frame, asked ? factors(side) : nullptr, panes, context);
  }
}

std::uint64_t ComparePictures::revision() const {
  std::uint64_t sum = lane_.revision();
  for (const MatrixResults& one : results_)
    sum += one.revision();
  return sum;
}

bool ComparePictures::complete() const {
  return lane_.complete() &&
         std::all_of(results_.begin(), results_.end(), [](const MatrixResults& one) { return one.complete(); });
}

bool ComparePictures::resting() const {
  return std::any_of(results_.begin(), results_.end(), [](const MatrixResults& one) { return one.resting(); });
}

const std::string& ComparePictures::device() const {
  const MatrixResults& difference = results(CompareSide::Difference);
  return difference.device().empty() ? results(CompareSide::First).device() : difference.device();
}

/// Both checkpoints share one scale, so that colours can be compared, unless the user selects two. The difference has
/// its own.
ColorLimits ComparePictures::limits(CompareSide side) const {
  if (locked_) return *locked_;
  const auto end = [this](CompareSide of) {
    const std::optional<ColorLimits> own = results(of).ownLimits();
    return own ? std::max(-own->low, own->high) : 0.0;
  };
  const bool alone = ownScales_ || side == CompareSide::Difference;
  const double high = alone ? end(side) : std::max(end(CompareSide::First), end(CompareSide::Second));
  return high > 0 ? ColorLimits{-high, high} : ColorLimits{-1, 1};
}

}  // namespace sepx::ui
