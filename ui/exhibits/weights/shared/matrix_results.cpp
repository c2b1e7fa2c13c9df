// SPDX-License-Identifier: Apache-2.0
// The job keeps data between its runs: float factors, histograms, overviews and the last pixels, so that a change of
// the colour scale only maps them to colours again. All of it belongs to the lane's thread, which runs one job at a
// time.
#include "ui/exhibits/weights/shared/matrix_results.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr int kSide = 192;                             // blocks along a side of the overview
constexpr std::size_t kSample = std::size_t{1} << 18;  // entries of a sample, if counting all would take long
constexpr double kCountedFirst = 1e9;                  // multiplications up to which all entries are counted at once
constexpr double kCountedEver = 4e11;                  // up to which they are counted after the pictures
constexpr std::size_t kAllEntries = std::numeric_limits<std::size_t>::max();
constexpr double kReference = 512;  // pixels along a side of the picture that the colour limits are for
constexpr double kRest = 0.1;       // seconds
constexpr double kQuick = 4e8;      // multiplications of a picture that needs no coarse one first
/// The margin of a picture around the view, as a share of the view, so that moving needs no new picture; and the margin
/// that is left when a new one is requested.
constexpr double kAround = 0.5, kNear = 0.12;

std::shared_ptr<const std::vector<int>> byNorm(const Eigen::VectorXd& norms) {
  auto order = std::make_shared<std::vector<int>>(static_cast<std::size_t>(norms.size()));
  std::iota(order->begin(), order->end(), 0);
  const auto size = [&norms](int i) { return std::isnan(norms[i]) ? HUGE_VAL : norms[i]; };
  std::stable_sort(order->begin(), order->end(), [&](int a, int b) { return size(a) > size(b); });
  return order;
}

/// The side of the blocks in a picture of the whole matrix at a fixed size, so that the colour limits do not depend on
/// the window.
double shownBlock(const attention::Crop& whole) {
  return std::max(1.0, std::ceil(static_cast<double>(std::max(whole.rows(), whole.columns())) / kReference));
}

gpu::QkChoice choiceOf(const ExhibitContext& context) {
  const gpu::QkUse use = context.compute == Compute::Gpu                         ? gpu::QkUse::Gpu
                         : context.compute == Compute::Auto && !context.scripted ? gpu::QkUse::Faster
                                                                                 : gpu::QkUse::Cpu;
  return gpu::qkChoice(context.gpu, use);
}

}  // namespace

std::vector<MatrixPicture> picturesOf(const MatrixPart* part, const render::Rect& seen) {
  std::vector<MatrixPicture> pictures;
  if (!part) return pictures;
  // The overview is left out under a full picture, because it would show through where the picture has NaN.
  if (!part->picture.covers(seen) && part->overview.values) pictures.push_back(part->overview);
  if (part->picture.values) pictures.push_back(part->picture);
  return pictures;
}

double entryOf(const attention::LayerFactors& factors, attention::Part part, int row, int column) {
  const auto stored = [&factors](int i, int j) {
    double sum = 0;
    for (int h = 0; h < factors.heads; ++h)
      sum += factors.query(h).row(i).dot(factors.key(h).row(j));
    return sum;
  };
  const double here = stored(row, column);
  if (part == attention::Part::Full) return here;
  const double across = stored(column, row);
  return part == attention::Part::Symmetric ? (here + across) / 2 : (here - across) / 2;
}

struct MatrixResults::JobCache {
  std::shared_ptr<const attention::LayerFactors> factors;
  Order rows, columns;
  std::unique_ptr<attention::TileSource> source;
  gpu::QkChoice choice;
  std::string note;
  std::map<attention::Part, MatrixPart> parts;  ///< histogram, overview and last picture of each
  std::optional<Pixels> finished;               ///< the input of finished pictures; empty: unfinished
};

/// One run of the job.
class MatrixResults::Work {
 public:
  Work(std::shared_ptr<JobCache> kept, const Request& request, ThreadPool& pool, LaneOutput<Published>& output)
      : cache_(std::move(kept)), request_(request), pool_(pool), output_(output) {}

  void run();

 private:
  void prepare();
  bool measure();
  bool count();
  bool overviews();
  bool pictures();
  bool countPart(MatrixPart& part, std::size_t most);
  attention::Crop whole() const;
  Eigen::Index overviewStep() const;
  MatrixPicture make(attention::Part part, const attention::Crop& crop, Eigen::Index step, attention::Pool pool) const;
  double cost(const attention::Crop& crop) const;
  void publish(bool last);
  ColorLimits own() const;

  std::shared_ptr<JobCache> cache_;
  const Request& request_;
  ThreadPool& pool_;
  LaneOutput<Published>& output_;
};

void MatrixResults::Work::run() {
  prepare();
  const bool recolor = cache_->finished == static_cast<const Pixels&>(request_);
  if (!recolor) {
    cache_->finished.reset();
    if (!measure() || !overviews() || !pictures()) return;
    cache_->finished = request_;
  }
  if (count()) publish(true);
}

void MatrixResults::Work::prepare() {
  if (cache_->source && cache_->factors == request_.factors && cache_->rows == request_.rows &&
      cache_->columns == request_.columns && cache_->choice == request_.choice)
    return;
  if (cache_->factors != request_.factors) {
    cache_->parts.clear();
  } else {
    for (auto& [part, made] : cache_->parts)
      made.overview = made.picture = {}, made.means = nullptr;
  }
  cache_->finished.reset();
  cache_->factors = request_.factors;
  cache_->rows = request_.rows;
  cache_->columns = request_.columns;
  cache_->choice = request_.choice;
  gpu::QkSource made = gpu::makeQkSource(request_.choice, request_.factors, &pool_, *request_.rows, *request_.columns);
  cache_->source = std::move(made.source);
  cache_->note = std::move(made.note);
}

/// Prepares the colour limits from all entries, or for a large matrix from evenly spaced ones until the pictures are
/// ready.
bool MatrixResults::Work::measure() {
  const bool quick = cost(whole()) <= kCountedFirst;
  for (const attention::Part part : request_.parts) {
    MatrixPart& made = cache_->parts[part];
    made.part = part;
    if (!made.histogram && !countPart(made, quick ? kAllEntries : kSample)) return false;
    if (request_.pool == attention::Pool::Mean && !made.means) {
      made.means = make(part, whole(), overviewStep(), attention::Pool::Mean).values;
      if (!made.means) return false;
    }
  }
  return !output_.cancelled();
}

/// Counts all entries of the parts that were only sampled so far.
bool MatrixResults::Work::count() {
  if (cost(whole()) > kCountedEver) return true;
  const bool sampled = std::any_of(request_.parts.begin(), request_.parts.end(), [this](attention::Part part) {
    return cache_->parts.at(part).histogram->sampled < 1;
  });
  if (sampled) publish(false);
  for (const attention::Part part : request_.parts)
    if (cache_->parts.at(part).histogram->sampled < 1 && !countPart(cache_->parts.at(part), kAllEntries)) return false;
  return true;
}

bool MatrixResults::Work::countPart(MatrixPart& part, std::size_t most) {
  auto histogram =
      attention::histogramOf(*request_.factors, part.part, most, &pool_, [this] { return output_.cancelled(); });
  if (histogram) part.histogram = std::make_shared<attention::Histogram>(std::move(*histogram));
  return histogram.has_value();
}

attention::Crop MatrixResults::Work::whole() const {
  return {0, cache_->source->rows(), 0, cache_->source->columns()};
}

Eigen::Index MatrixResults::Work::overviewStep() const {
  return std::max<Eigen::Index>(1, (std::max(whole().rows(), whole().columns()) + kSide - 1) / kSide);
}

double MatrixResults::Work::cost(const attention::Crop& crop) const {
  return double(crop.rows()) * double(crop.columns()) * attention::rankOf(*request_.factors);
}

/// Small pictures of the whole matrix, for the minimap and behind pictures that are not ready yet.
bool MatrixResults::Work::overviews() {
  const bool wanted = !(request_.crop == whole()) || cost(whole()) > kQuick;
  for (const attention::Part part : request_.parts) {
    MatrixPart& made = cache_->parts[part];
    if (made.overview.values || !wanted) continue;
    const bool quick = request_.pool == attention::Pool::Extreme && cost(whole()) <= kQuick;
    made.overview = make(part, whole(), overviewStep(), quick ? attention::Pool::Extreme : attention::Pool::Mean);
    if (!made.overview.values) return false;
    if (!quick) raiseToExtremes(made.overview, *made.histogram);
  }
  if (wanted) publish(false);
  return true;
}

bool MatrixResults::Work::pictures() {
  const bool slow = cost(request_.crop) * double(request_.parts.size()) > kQuick && request_.step > 1 &&
                    request_.pool == attention::Pool::Extreme;
  for (const attention::Part part : request_.parts) {
    MatrixPart& made = cache_->parts[part];
    if (!slow) continue;
    MatrixPicture coarse = make(part, request_.crop, request_.step, attention::Pool::Mean);
    if (!coarse.values) return false;
    raiseToExtremes(coarse, *made.histogram);
    made.picture = std::move(coarse);
  }
  if (slow) publish(false);
  std::size_t done = 0;
  for (const attention::Part part : request_.parts) {
    MatrixPicture exact = make(part, request_.crop, request_.step, request_.pool);
    if (!exact.values) return false;
    exact.exact = true;
    if (exact.crop == whole() && request_.pool == attention::Pool::Extreme)
      cache_->parts[part].overview = shrunk(exact, kSide);
    cache_->parts[part].picture = std::move(exact);
    if (++done < request_.parts.size()) publish(false);
  }
  return true;
}

MatrixPicture MatrixResults::Work::make(attention::Part part, const attention::Crop& crop, Eigen::Index step,
                                        attention::Pool pool) const {
  attention::Picture picture = cache_->source->picture(crop, step, part, pool, [this] { return output_.cancelled(); });
  if (picture.values.empty() || output_.cancelled()) return {};
  return MatrixPicture(crop, std::move(picture));
}

ColorLimits MatrixResults::Work::own() const {
  ColorLimits own{0, 0};
  for (const attention::Part part : request_.parts) {
    const MatrixPart& made = cache_->parts.at(part);
    const ColorLimits one =
        request_.pool == attention::Pool::Mean && made.means
            ? limitsOfPixels(*made.means, request_.kind, request_.percentile)
            : automaticLimits(*made.histogram, request_.kind, request_.percentile, shownBlock(whole()));
    own.low = std::min(own.low, one.low);
    own.high = std::max(own.high, one.high);
  }
  return own;
}

void MatrixResults::Work::publish(bool last) {
  Published made{{}, {}, own(), cache_->source->device(), cache_->note};
  made.scale = {request_.kind, fitting(request_.limits.value_or(made.own), request_.kind)};
  for (const attention::Part part : request_.parts) {
    MatrixPart& one = made.parts.emplace_back(cache_->parts.at(part));
    one.picture.places = placed(one.picture.values, made.scale);
    one.overview.places = placed(one.overview.values, made.scale);
  }
  output_.progress(last ? 1.0 : 0.3);
  output_.publish(std::move(made), last);
}

MatrixResults::MatrixResults(std::string lane, bool sorted)
    : lane_(std::move(lane)),
      sorted_(sorted),
      cache_(std::make_shared<JobCache>()),
      rowsWanted_(std::make_shared<std::vector<int>>()),
      columnsWanted_(rowsWanted_),
      noRequest_{{nullptr, rowsWanted_, rowsWanted_}} {}

const MatrixPart* MatrixResults::part(attention::Part part) const {
  const std::vector<MatrixPart>& all = made().parts;
  const auto found = std::find_if(all.begin(), all.end(), [part](const MatrixPart& one) { return one.part == part; });
  return found == all.end() ? nullptr : &*found;
}

/// Updates the orders and returns whether they fit the factors in sight. While the norms to sort by are pending they do
/// not, and the previous picture stays. If there will be no norms, the order is as stored.
bool MatrixResults::updateOrders(const PageFrame& frame) {
  const WeightsShared& shared = frame.shared;
  if (!sorted_) return true;
  if (ordersOf_ == shared.factorsRevision && orderKind_ == shared.state.order) return true;
  const bool stored = shared.state.order == WeightsOrder::AsStored || (!shared.moments && !shared.momentsPending);
  if (!stored && !shared.moments) return false;
  ordersOf_ = shared.factorsRevision;
  orderKind_ = shared.state.order;
  const Order none = std::make_shared<std::vector<int>>();
  const bool rows = !stored && orderKind_ != WeightsOrder::ColumnNorm;
  const bool columns = !stored && orderKind_ != WeightsOrder::RowNorm;
  const Order rowOrder = rows ? byNorm(shared.moments->rowNorms) : none;
  const Order columnOrder = columns ? byNorm(shared.moments->columnNorms) : none;
  if (*rowOrder != *rowsWanted_) rowsWanted_ = rowOrder;
  if (*columnOrder != *columnsWanted_) columnsWanted_ = columnOrder;
  return true;
}

/// Whether the last request is the same as `wanted`, apart from the crop.
bool MatrixResults::covers(const Request& wanted) const {
  if (!lane_.requested()) return false;
  Request same = *lane_.requested();
  same.crop = wanted.crop;
  return same == wanted;
}

/// Whether the request waits until the wheel stops. Each notch may need blocks of another size, and frames need the
/// processor meanwhile. Scripts and figures do not wait.
bool MatrixResults::waits(const Request& wanted, const render::Rect& seen, const ExhibitContext& context) {
  resting_ = false;
  const Request* const before = lane_.requested();
  if (context.scripted || context.figure || !before || wanted.step == before->step || made().parts.empty())
    return false;
  Request same = *before;
  same.step = wanted.step;
  same.crop = wanted.crop;
  if (!(same == wanted)) return false;
  if (!(seen == movedTo_)) {
    movedTo_ = seen;
    movedAt_ = context.seconds;
  }
  return resting_ = context.seconds - movedAt_ < kRest;
}

void MatrixResults::update(const PageFrame& frame, const Factors& factors, const MatrixPanes& panes,
                           ExhibitContext& context) {
  if (lane_.refresh(context.jobs) && made().note != std::exchange(note_, made().note) && !note_.empty())
    context.editor.say(note_);
  const WeightsShared& shared = frame.shared;
  // The model may have changed while the page was out of sight.
  if (std::exchange(modelOf_, shared.modelRevision) != shared.modelRevision) lane_.clear();
  if (!factors || panes.panes.empty()) {
    if (!factors && (!sorted_ || !shared.layer)) lane_.clear();
    return;
  }
  if (!updateOrders(frame)) return;
  Request wanted;
  wanted.factors = factors;
  wanted.rows = rowsWanted_;
  wanted.columns = columnsWanted_;
  wanted.pool = shared.state.pool;
  wanted.choice = choiceOf(context);
  wanted.percentile = shared.state.percentile;
  wanted.kind = shared.state.scale;
  wanted.limits = shared.state.locked;
  for (const MatrixPane& pane : panes.panes)
    if (std::find(wanted.parts.begin(), wanted.parts.end(), pane.part) == wanted.parts.end())
      wanted.parts.push_back(pane.part);
  if (!wanted.limits && context.sharedLimits) wanted.limits = context.sharedLimits;
  if (wanted.kind == ScaleKind::Diverging) wanted.limits.reset();  // its colours follow the limits without a job
  const MatrixPlot plot = panes.first();
  wanted.step = stepFor(plot, context.scale);
  wanted.crop = cropFor(plot, wanted.step, kAround);
  const Request* const before = lane_.requested();
  const bool inside = before && holds(before->crop, plot, wanted.step, kNear);
  if (inside && covers(wanted)) {
    resting_ = false;
    return;
  }
  if (waits(wanted, panes.seen, context)) return;
  if (inside) wanted.crop = before->crop;  // only colours or parts have changed: the same crop
  lane_.start(context.jobs, std::move(wanted), tr("picture of the matrix"),
              [kept = cache_, &pool = context.pool](const Request& request, auto& output) {
                Work(kept, request, pool, output).run();
              });
}

}  // namespace sepx::ui
