// SPDX-License-Identifier: Apache-2.0
// Pictures of the part of W_qk that is in sight, made in a job. The job computes the colour limits first, then an
// overview of the whole matrix, then the view with a margin around it; if the exact picture takes long, a coarse one
// comes first. The limits are statistics of all entries and do not depend on the window or on what is in sight. The
// previous picture stays until the new one is ready, and moving within the margin starts no job. Frame thread.
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
  /// Counts all entries, independent of the view; of a large matrix a sample first, of a very large one only a sample.
  std::shared_ptr<const attention::Histogram> histogram;
  MatrixPicture overview, picture;
  std::shared_ptr<const std::vector<float>> means;  ///< of blocks of the whole matrix; null until they are needed
};

/// The pictures of a part, bottom first: the overview if the picture does not cover `seen`, and the picture. Empty if
/// `part` is null.
std::vector<MatrixPicture> picturesOf(const MatrixPart* part, const render::Rect& seen);

/// An entry: sum over heads of W_Q^h[row] . W_K^h[column]; of the symmetric or skew part (M_ij +- M_ji) / 2.
double entryOf(const attention::LayerFactors& factors, attention::Part part, int row, int column);

class MatrixResults {
 public:
  using Factors = std::shared_ptr<const attention::LayerFactors>;
  /// `lane`: the name of its lane within a pane. `sorted`: rows and columns in the order that the document selects;
  /// otherwise as stored.
  explicit MatrixResults(std::string lane = "weights.picture", bool sorted = true);

  /// Takes over finished pictures and requests those of the parts and entries that `panes` show. While `factors` is
  /// null the previous picture stays, unless `sorted` is off or there is no layer.
  void update(const PageFrame& frame, const Factors& factors, const MatrixPanes& panes, ExhibitContext& context);

  /// A part that the panes show; null: not yet made.
  const MatrixPart* part(attention::Part part) const;
  const MatrixScale& scale() const { return made().scale; }
  std::optional<ColorLimits> ownLimits() const { return lane_.result() ? std::optional(made().own) : std::nullopt; }
  /// The row (column) of the matrix at row (column) i of the picture; empty: i itself.
  const std::vector<int>& rowOrder() const { return *madeFor().rows; }
  const std::vector<int>& columnOrder() const { return *madeFor().columns; }
  std::uint64_t revision() const { return lane_.revision(); }  ///< changes with pictures, scale and orders
  bool complete() const { return lane_.complete() && !resting_; }
  /// The view is being zoomed: the picture with another step waits until the view rests, and the present one is scaled.
  bool resting() const { return resting_; }
  const std::string& device() const { return made().device; }
  const Factors& factors() const { return madeFor().factors; }

 private:
  using Order = std::shared_ptr<const std::vector<int>>;
  /// The input that the pixels depend on.
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
    std::string device, note;  ///< the device that computed, and why it is not the requested one
  };
  /// Data that a job leaves for the next one on the same lane. Only the thread of the job accesses it.
  struct JobCache;
  class Work;

  const Published& made() const { return lane_.value(); }
  const Request& madeFor() const { return lane_.answered() ? *lane_.answered() : noRequest_; }
  bool updateOrders(const PageFrame& frame);
  bool covers(const Request& wanted) const;
  bool waits(const Request& wanted, const render::Rect& seen, const ExhibitContext& context);

  Lane<Request, Published> lane_;
  const bool sorted_;
  std::shared_ptr<JobCache> cache_;
  bool resting_ = false;
  render::Rect movedTo_;  ///< the view at its last movement
  double movedAt_ = 0;
  Order rowsWanted_, columnsWanted_;
  const Request noRequest_;
  std::uint64_t ordersOf_ = ~0ull, modelOf_ = 0;
  WeightsOrder orderKind_ = WeightsOrder::AsStored;
  std::string note_;
};

}  // namespace sepx::ui
