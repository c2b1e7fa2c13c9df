// SPDX-License-Identifier: Apache-2.0
#include "app/cli/heatmap_picture.h"

#include <cmath>

#include "app/cli/text.h"
#include "engine/core/try.h"
#include "engine/gpu/context.h"
#include "engine/render/image_colors.h"
#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "ui/workbench/figure.h"

namespace sepx::app::cli {

namespace {

constexpr Eigen::Index kMostEntries = Eigen::Index{1} << 26;  // its picture still fits into 600 MB of memory

}  // namespace

Result<void> EntryPicture::begin() {
  if (crop_.rows() > kMostEntries / crop_.columns()) {
    return failf(ErrorKind::Usage,
                 N_("--crop: a picture of {} x {} entries has more than {} pixels; crop to fewer entries, or write "
                    "numbers (.npy)"),
                 crop_.rows(), crop_.columns(), kMostEntries);
  }
  values_.reserve(static_cast<std::size_t>(crop_.rows() * crop_.columns()));
  return {};
}

Result<void> EntryPicture::take(const attention::Matrix& rows) {
  for (Eigen::Index i = 0; i < rows.size(); ++i)
    values_.push_back(static_cast<float>(rows.data()[i]));
  return {};
}

Result<void> EntryPicture::write(const std::string& path, const std::string& recipe) const {
  render::Heatmap map;
  map.width = static_cast<int>(crop_.columns());
  map.height = static_cast<int>(crop_.rows());
  map.map = render::ColorMap::Diverging;
  float most = 0;
  for (const float value : values_) {
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  }
  map.low = -most;
  map.high = most;
  map.values = {std::shared_ptr<const void>(), &values_};
  const gpu::Pixels pixels = render::colored(map, {0, 0, map.width, map.height});
  return render::writePng(pixels, path, {{render::kRecipeKey, recipe}});
}

namespace {

Result<void> setAll(ui::Workbench& workbench, const HeatmapFigure& figure) {
  const std::vector<std::pair<std::string, ui::Value>> wanted{{"weights.page", std::string("matrix")},
                                                              {"weights.stack", figure.stack},
                                                              {"weights.layer", static_cast<double>(figure.layer)},
                                                              {"weights.head", static_cast<double>(figure.head)},
                                                              {"weights.part", figure.part},
                                                              {"weights.gqa", figure.gqa}};
  for (const auto& [key, value] : wanted)
    SEPX_TRY(workbench.set(key, value));
  return {};
}

}  // namespace

Result<void> drawHeatmap(const HeatmapFigure& figure, const Options& common, const Interrupts& interrupts,
                         const std::string& path) {
  SEPX_ASSIGN(auto context, gpu::Context::create(contextOptions(common, false)));
  ui::WorkbenchOptions options = workbenchOptions(common, true);
  if (!figure.rules.empty()) options.rules = figure.rules;
  ui::Workbench workbench(std::move(options));
  SEPX_TRY(workbench.open(figure.checkpoint));
  SEPX_TRY(setAll(workbench, figure));
  const float scale = common.scaleOrDefault();
  ui::FigureRequest request = ui::windowFigure(workbench, common.sizeOrDefault(), scale, path);
  ui::FigureMaker maker(workbench, context.get(), std::move(request));
  maker.waitForJobs();
  while (!maker.step()) {
    if (interrupts.seen()) maker.cancel();
  }
  SEPX_TRY(maker.outcome());
  if (!context->validationMessages().empty()) {
    return failf(ErrorKind::Internal, N_("a Vulkan validation message: {}"), context->validationMessages().front());
  }
  return {};
}

}  // namespace sepx::app::cli
