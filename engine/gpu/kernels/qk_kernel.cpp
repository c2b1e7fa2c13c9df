// SPDX-License-Identifier: Apache-2.0
// Schedules the computation of W_qk on the device: first the averages of the factors, if they are requested, then tiles
// (qk_tiles.h), in a ring (tile_ring.h). Each slot owns its output and its descriptor sets.
#include "engine/gpu/kernels/qk_kernel.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>

#include "engine/attention/strongest.h"
#include "engine/core/try.h"
#include "engine/gpu/check.h"
#include "engine/gpu/kernels/qk_device.h"
#include "engine/gpu/kernels/qk_prepare.h"
#include "engine/gpu/kernels/qk_tiles.h"
#include "engine/gpu/kernels/tile_ring.h"
#include "shaders/include/qk_params.h"

namespace sepx::gpu {

namespace {

using attention::Crop;
using attention::Part;
using attention::Picture;
using Eigen::Index;

constexpr std::size_t kTermSlots = 4;
constexpr std::size_t kSlotBytes = sizeof(float) * QkTileOrder::kMostSide * QkTileOrder::kMostSide;
/// Initial estimate of the milliseconds per term of an entry; the first tiles are therefore small.
constexpr double kFirstTermMs = 1e-6;
enum TermKind : std::size_t { kProduct, kMean };
constexpr double kMeanTerms = 4;                // cost of reading one number of a factor, in product terms
constexpr Index kMeanNumbers = Index{1} << 22;  // numbers of a factor per submission of averages
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Rows of a factor that are to be added to its averages.
struct MeanPiece {
  const Buffer* factor = nullptr;
  const Buffer* averages = nullptr;
  Index first = 0, last = 0, crop0 = 0, total = 0;
  bool begins = false;  // the averages are cleared before it
};

struct TermSlot {
  Buffer output;
  DescriptorSet productSet, meanSet;
  QkTask task;
  TileCost cost;  // unit: terms
};

class QkOnDevice final : public QkKernel, private TileWork {
 public:
  QkOnDevice(Context& context, const QkData& data, const QkOptions& options);

  Index rows() const override { return device_.rows(); }
  Index columns() const override { return device_.columns(); }
  void start(const Crop& crop, Index step, Part part, attention::Pool pool) override;
  void cancel() override;
  KernelState advance(double budgetMs) override { return ring_.advance(*this, budgetMs); }
  double progress() const override;
  const Picture& picture() const override { return picture_; }
  Result<void> finish(const std::function<bool()>& cancelled) override;
  Result<attention::Matrix> crop(Part part, const Crop& crop) override;
  Result<attention::Moments> moments() override;

 private:
  void planMeans();
  bool workLeft() const override { return !means_.empty() || !order_.done(); }
  TileCost record(VkCommandBuffer commands, std::size_t slot, double ms) override;
  void take(std::size_t slot) override;
  TileCost recordMean(VkCommandBuffer commands, TermSlot& slot);
  TileCost recordTask(VkCommandBuffer commands, TermSlot& slot, const QkTask& task, const QkSides& sides);
  void takeMoments(const TermSlot& slot);
  double termsOf(const QkTask& task) const;
  void momentTasks(std::deque<QkTask>& tasks) const;
  /// Whether entry (j, i) of the ordered form is the mirror image of entry (i, j).
  bool pairs() const { return device_.square() && rowOrder_ == columnOrder_; }

  Context& context_;
  QkDevice device_;
  TileRing ring_;
  std::array<TermSlot, kTermSlots> slots_;
  std::size_t nonfinite_ = 0;
  std::vector<int> rowOrder_, columnOrder_;

  // The picture being computed.
  Crop crop_;
  Part part_ = Part::Full;
  std::uint32_t mode_ = SEPX_QK_ENTRIES;
  Index base0_ = 0, base1_ = 0;  // offsets of the tiles' rows and columns in the product's sides
  QkSides sides_;
  std::array<Buffer, 4> averages_;
  std::deque<MeanPiece> means_;
  QkTileOrder order_;
  Picture picture_;
  std::vector<std::uint32_t> keys_;
  double cost_ = 0, done_ = 0;  // terms of the whole picture; terms collected so far
  // The moments being computed.
  Eigen::VectorXd rowSquares_, columnSquares_;
  double trace_ = 0;
};

QkOnDevice::QkOnDevice(Context& context, const QkData& data, const QkOptions& options)
    : context_(context),
      device_(context, data, kTermSlots, options.mostBindingBytes),
      ring_(context, "QkKernel", kTermSlots, {kFirstTermMs, kFirstTermMs}),
      nonfinite_(data.nonfinite),
      rowOrder_(data.rowOrder),
      columnOrder_(data.columnOrder) {
  for (TermSlot& slot : slots_) {
    slot.output = Buffer(context, {.size = kSlotBytes,
                                   .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                   .memory = MemoryUse::Readback,
                                   .name = "W_qk tile"});
    slot.productSet = device_.makeSet(true);
    slot.meanSet = device_.makeSet(false);
  }
}

void QkOnDevice::start(const Crop& crop, Index step, Part part, attention::Pool pool) {
  assert(step >= 1 && crop.row0 >= 0 && crop.row1 <= rows() && crop.column0 >= 0 && crop.column1 <= columns());
  assert(part == Part::Full || device_.square());
  cancel();
  crop_ = crop;
  part_ = part;
  picture_ = {(std::max<Index>(crop.rows(), 0) + step - 1) / step,
              (std::max<Index>(crop.columns(), 0) + step - 1) / step,
              step,
              {}};
  picture_.values.assign(static_cast<std::size_t>(picture_.rows * picture_.columns), kNaN);
  keys_.clear();
  cost_ = done_ = 0;
  if (picture_.values.empty()) return;
  sides_ = device_.sides();
  base0_ = crop.row0;
  base1_ = crop.column0;
  const bool means = step > 1 && pool == attention::Pool::Mean;
  mode_ = step == 1 || means ? SEPX_QK_ENTRIES : SEPX_QK_EXTREMES;
  if (mode_ == SEPX_QK_EXTREMES) keys_.assign(picture_.values.size(), 0);
  try {
    if (means) planMeans();
  } catch (const VulkanError&) {
    context_.markLost();
    return;
  }
  const Index across = means ? picture_.columns : crop.columns(), down = means ? picture_.rows : crop.rows();
  order_ = QkTileOrder(down, across, device_.mostRows());
  QkTask whole{{0, down, 0, across}, part, mode_};
  cost_ += termsOf(whole);
}

/// Plans the averaging of the factors, in pieces of rows of one submission each. A picture of averages is the product
/// of the averaged factors.
void QkOnDevice::planMeans() {
  const QkSides full = device_.sides();
  const std::array<const Buffer*, 4> factors = {full.left, full.right, full.leftMirror, full.rightMirror};
  const Index most = std::max<Index>(1, std::min(device_.mostRows(), kMeanNumbers / device_.depth()));
  for (std::size_t side = 0; side < (part_ == Part::Full ? 2u : 4u); ++side) {
    const bool down = side % 2 == 0;
    const Index begin = down ? crop_.row0 : crop_.column0, end = down ? crop_.row1 : crop_.column1;
    averages_[side] = device_.makeAverages(down ? picture_.rows : picture_.columns);
    for (Index first = begin; first < end; first += most)
      means_.push_back(
          {factors[side], &averages_[side], first, std::min(first + most, end), begin, end - begin, first == begin});
    cost_ += kMeanTerms * static_cast<double>((end - begin) * device_.depth());
  }
  const bool full2 = part_ == Part::Full;
  sides_ = {&averages_[0], &averages_[1], &averages_[full2 ? 0 : 2], &averages_[full2 ? 1 : 3]};
  base0_ = base1_ = 0;
}

void QkOnDevice::cancel() {
  ring_.restart();
  means_.clear();
  order_ = {};
}

double QkOnDevice::termsOf(const QkTask& task) const {
  const bool both = task.part != Part::Full || task.mode == SEPX_QK_MOMENTS;
  return (both ? 2.0 : 1.0) * static_cast<double>(task.tile.rows()) * static_cast<double>(task.tile.columns()) *
         static_cast<double>(device_.depth());
}

void QkOnDevice::take(std::size_t index) {
  const TermSlot& slot = slots_[index];
  done_ += slot.cost.units;
  if (slot.cost.kind == kMean) return;
  const QkTask& task = slot.task;
  const Index left = mode_ == SEPX_QK_ENTRIES ? task.tile.column0 - base1_ : task.pixelColumn();
  const Index top = mode_ == SEPX_QK_ENTRIES ? task.tile.row0 - base0_ : task.pixelRow();
  const Index height = task.outputRows(), width = task.outputColumns();
  for (Index i = 0; i < height; ++i) {
    const std::byte* from = slot.output.mapped() + sizeof(float) * static_cast<std::size_t>(i * width);
    const auto at = static_cast<std::size_t>((top + i) * picture_.columns + left);
    if (mode_ == SEPX_QK_ENTRIES) {
      std::memcpy(picture_.values.data() + at, from, sizeof(float) * static_cast<std::size_t>(width));
      continue;
    }
    const auto* keys = reinterpret_cast<const std::uint32_t*>(from);
    for (std::size_t j = 0; j < static_cast<std::size_t>(width); ++j) {
      keys_[at + j] = std::max(keys_[at + j], keys[j]);
      picture_.values[at + j] = attention::strengthValue(keys_[at + j]);
    }
  }
}

TileCost QkOnDevice::recordMean(VkCommandBuffer commands, TermSlot& slot) {
  const MeanPiece piece = means_.front();
  means_.pop_front();
  if (piece.begins) device_.recordClear(commands, *piece.averages);
  device_.recordMean(commands, slot.meanSet, *piece.factor, piece.first, piece.last, piece.crop0, piece.total,
                     picture_.step, *piece.averages);
  return slot.cost = {kMeanTerms * static_cast<double>((piece.last - piece.first) * device_.depth()), kMean};
}

TileCost QkOnDevice::recordTask(VkCommandBuffer commands, TermSlot& slot, const QkTask& task, const QkSides& sides) {
  device_.recordTask(commands, slot.productSet, sides, task, slot.output);
  slot.task = task;
  return slot.cost = {termsOf(task), kProduct};
}

TileCost QkOnDevice::record(VkCommandBuffer commands, std::size_t slot, double ms) {
  if (!means_.empty()) return recordMean(commands, slots_[slot]);
  const double terms = ms / ring_.unitMs(kProduct), depth = static_cast<double>(device_.depth());
  const Crop tile = order_.next(terms / depth / (part_ == Part::Full ? 1 : 2));
  QkTask task{{base0_ + tile.row0, base0_ + tile.row1, base1_ + tile.column0, base1_ + tile.column1}, part_, mode_};
  task.row0 = base0_;
  task.column0 = base1_;
  task.step = mode_ == SEPX_QK_EXTREMES ? picture_.step : 1;
  return recordTask(commands, slots_[slot], task, sides_);
}

double QkOnDevice::progress() const {
  return cost_ > 0 ? std::min(1.0, done_ / cost_) : 1.0;
}

Result<void> QkOnDevice::finish(const std::function<bool()>& cancelled) {
  bool ended = false;
  const Result<void> finished = ring_.finish(*this, [&] { return ended = cancelled && cancelled(); });
  if (ended) cancel();
  return finished;
}

Result<attention::Matrix> QkOnDevice::crop(Part part, const Crop& crop) {
  start(crop, 1, part, attention::Pool::Extreme);
  SEPX_TRY(finish({}));
  attention::Matrix entries =
      Eigen::Map<const attention::MatrixF>(picture_.values.data(), picture_.rows, picture_.columns).cast<double>();
  return entries;
}

/// Computes the tiles (I, J) and (J, I) together if the form is square and its rows and columns have the same order;
/// otherwise all tiles separately.
void QkOnDevice::momentTasks(std::deque<QkTask>& tasks) const {
  const Index side = std::min(QkTileOrder::kMostSide, device_.mostRows() / SEPX_QK_BLOCK * SEPX_QK_BLOCK);
  for (Index row = 0; row < device_.rows(); row += side)
    for (Index column = pairs() ? row : 0; column < device_.columns(); column += side)
      tasks.push_back({{row, std::min(row + side, device_.rows()), column, std::min(column + side, device_.columns())},
                       Part::Full,
                       static_cast<std::uint32_t>(device_.square() ? SEPX_QK_MOMENTS : SEPX_QK_NORMS)});
}

/// Adds the partial sums of a tile's workgroups in double precision, in the order of submission.
void QkOnDevice::takeMoments(const TermSlot& slot) {
  const Crop& tile = slot.task.tile;
  const auto* sums = reinterpret_cast<const float*>(slot.output.mapped());
  const bool twice = pairs() && tile.row0 != tile.column0;
  const auto add = [](Eigen::VectorXd& to, Index first, Index end, const float* from) {
    for (Index i = first; i < std::min(first + SEPX_QK_BLOCK, end); ++i)
      to[i] += from[i - first];
  };
  for (Index row = tile.row0; row < tile.row1; row += SEPX_QK_BLOCK)
    for (Index column = tile.column0; column < tile.column1; column += SEPX_QK_BLOCK, sums += SEPX_QK_SUMS) {
      add(rowSquares_, row, tile.row1, sums);
      add(columnSquares_, column, tile.column1, sums + SEPX_QK_BLOCK);
      if (device_.square()) trace_ += (twice ? 2.0 : 1.0) * sums[4 * SEPX_QK_BLOCK];
      if (!twice) continue;
      add(rowSquares_, column, tile.column1, sums + 2 * SEPX_QK_BLOCK);
      add(columnSquares_, row, tile.row1, sums + 3 * SEPX_QK_BLOCK);
    }
}

Result<attention::Moments> QkOnDevice::moments() {
  cancel();
  rowSquares_.setZero(rows());
  columnSquares_.setZero(columns());
  trace_ = 0;
  std::deque<QkTask> tasks;
  momentTasks(tasks);
  std::deque<std::size_t> submitted;  // slots
  try {
    context_.queue().waitIdle();
    ring_.forget();
    while (!tasks.empty() || !submitted.empty()) {
      if (const std::optional<std::size_t> slot = ring_.freeSlot(); !tasks.empty() && slot) {
        ring_.submit(*slot, [&](VkCommandBuffer commands) {
          return recordTask(commands, slots_[*slot], tasks.front(), device_.sides());
        });
        tasks.pop_front();
        submitted.push_back(*slot);
        continue;
      }
      ring_.wait(submitted.front());
      takeMoments(slots_[submitted.front()]);
      submitted.pop_front();
    }
  } catch (const VulkanError& error) {
    return tl::unexpected(toError(error));
  }
  attention::Moments moments;
  const auto root = [](double square) {
    return std::isfinite(square) ? std::sqrt(square) : std::numeric_limits<double>::quiet_NaN();
  };
  const auto inPlace = [&](const Eigen::VectorXd& squares, const std::vector<int>& order) {
    Eigen::VectorXd norms(squares.size());
    for (Index i = 0; i < squares.size(); ++i)
      norms[order.empty() ? i : order[static_cast<std::size_t>(i)]] = root(squares[i]);
    return norms;
  };
  moments.rowNorms = inPlace(rowSquares_, rowOrder_);
  moments.columnNorms = inPlace(columnSquares_, columnOrder_);
  moments.frobenius2 = rowSquares_.sum();
  moments.traceMM = device_.square() ? trace_ : std::numeric_limits<double>::quiet_NaN();
  moments.nonfinite = nonfinite_;
  return moments;
}

}  // namespace

Result<std::unique_ptr<QkKernel>> QkKernel::create(Context& context, const QkData& data, const QkOptions& options) {
  SEPX_TRY(QkDevice::fits(context, data, options.mostBindingBytes));
  try {
    if (context.lost()) throw VulkanError(VK_ERROR_DEVICE_LOST, "QkKernel::create");
    return std::make_unique<QkOnDevice>(context, data, options);
  } catch (const VulkanError& error) {
    return tl::unexpected(toError(error));
  }
}

Result<std::unique_ptr<QkKernel>> QkKernel::create(Context& context,
                                                   std::shared_ptr<const attention::LayerFactors> factors,
                                                   const std::vector<int>& rowOrder,
                                                   const std::vector<int>& columnOrder) {
  return create(context, *prepareQk(std::move(factors), nullptr, rowOrder, columnOrder));
}

}  // namespace sepx::gpu
