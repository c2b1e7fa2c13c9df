// SPDX-License-Identifier: Apache-2.0
// Pictures of the part of W_qk that is in sight, made in a job: ends of the colours first, then an overview of the
// whole, then what is seen with some room around it, coarse where that is quick, then as it is. The ends are statistics
// of all entries: they do not depend on the window or on what is in sight. The picture of before stays until the new
// one comes; moving within the room around asks for nothing. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/histogram.h"
#include "engine/attention/tiles.h"
#include "engine/gpu/kernels/qk_source.h"
#include "ui/exhibits/weights/shared/weights_page.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"
#include "ui/views/matrix_panes.h"

namespace sepx::ui {

/// One part of the matrix (full, symmetric, skew).
struct MatrixPart {
  attention::Part part = attention::Part::Full;
  /// Of all entries, whatever is in sight; of a large matrix of a sample first, and of a very large one of that alone.
  std::shared_ptr<const attention::Histogram> histogram;
  MatrixPicture overview, picture;
  std::shared_ptr<const std::vector<float>> means;  ///< of blocks of the whole; null until a picture of means is made
};

/// What is made of a part: coarse where the picture does not reach. Null: nothing is.
std::vector<MatrixPicture> picturesOf(const MatrixPart* part, const render::Rect& seen);

/// sum over heads of W_Q^h[row] . W_K^h[column]; of a part (M_ij +- M_ji) / 2.
double entryOf(const attention::LayerFactors& factors, attention::Part part, int row, int column);

class MatrixResults {
 public:
  using Factors = std::shared_ptr<const attention::LayerFactors>;
  /// `lane`: its name within a pane. `sorted`: rows and columns in the order that the document says; else as stored.
  explicit MatrixResults(std::string lane = "weights.picture", bool sorted = true);

  /// Of the parts and entries that `panes` show; of factors that are still to come the picture of before stays, unless
  /// `sorted` is off.
  void update(const PageFrame& frame, const Factors& factors, const MatrixPanes& panes, ExhibitContext& context);

  /// Of the panes that are shown; null while there is none.
  const MatrixPart* part(attention::Part part) const;
  const MatrixScale& scale() const { return made().scale; }
  std::optional<ColorLimits> ownLimits() const { return lane_.result() ? std::optional(made().own) : std::nullopt; }
  /// What stands at row (column) i of the picture; empty: i itself.
  const std::vector<int>& rowOrder() const { return *madeFor().rows; }
  const std::vector<int>& columnOrder() const { return *madeFor().columns; }
  std::uint64_t revision() const { return lane_.revision(); }  ///< changes with pictures, scale and orders
  bool complete() const { return lane_.complete() && !resting_; }
  /// The wheel turns: another step waits until the view rests, what is there is scaled.
  bool resting() const { return resting_; }
  const std::string& device() const { return made().device; }
  const Factors& factors() const { return madeFor().factors; }

 private:
  using Order = std::shared_ptr<const std::vector<int>>;
  /// What the pixels depend on.
  struct Pixels {
    Factors factors;
    Order rows, columns;
    std::vector<attention::Part> parts;
    attention::Crop crop;
    Eigen::Index step = 1;
    attention::Pool pool = attention::Pool::Extreme;
    gpu::QkChoice choice;  ///< which device computes
    bool operator==(const Pixels&) const = default;
  };
  struct Request : Pixels {
    double percentile = 99.5;
    ScaleKind kind = ScaleKind::Diverging;
    std::optional<ColorLimits> limits;  ///< locked or shared
    bool operator==(const Request&) const = default;
  };
  struct Published {
    std::vector<MatrixPart> parts;
    MatrixScale scale;
    ColorLimits own;
    std::string device, note;  ///< what computed, and why not what was asked for
  };
  /// What a job leaves for the next one on the same lane; touched by its thread alone.
  struct Kept;
  class Work;

  const Published& made() const { return lane_.value(); }
  const Request& madeFor() const { return lane_.answered() ? *lane_.answered() : noRequest_; }
  bool updateOrders(const PageFrame& frame);
  bool covers(const Request& wanted) const;
  bool waits(const Request& wanted, const render::Rect& seen, const ExhibitContext& context);

  Lane<Request, Published> lane_;
  const bool sorted_;
  std::shared_ptr<Kept> kept_;
  bool resting_ = false;
  render::Rect movedTo_;  ///< the view when it moved last
  double movedAt_ = 0;
  Order rowsWanted_, columnsWanted_;
  const Request noRequest_;
  std::uint64_t ordersOf_ = ~0ull, modelOf_ = 0;
  WeightsOrder orderKind_ = WeightsOrder::AsStored;
  std::string note_;
};

}  // namespace sepx::ui
