// SPDX-License-Identifier: Apache-2.0
#include "app/cli/figure_file.h"

#include <filesystem>

#include "app/cli/text.h"
#include "engine/core/file.h"
#include "engine/core/try.h"
#include "engine/gpu/context.h"
#include "engine/render/pdf_writer.h"
#include "engine/render/picture.h"
#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "engine/render/svg_writer.h"

namespace sepx::app::cli {
namespace {

Result<void> writePixels(const render::Scene& scene, const Options& common, const std::string& recipe,
                         const std::string& path) {
  SEPX_ASSIGN(auto context, gpu::Context::create(contextOptions(common, false)));
  const double scale = static_cast<double>(common.scaleOrDefault());
  SEPX_ASSIGN(auto picture, render::Picture::create(*context, common.sizeOrDefault(), scale, scene.background));
  const render::PlacedScene placed{&scene, {0, 0}};
  for (bool done = false; !done;) {
    SEPX_ASSIGN(done, picture->step({&placed, 1}));
  }
  return render::writePng(picture->pixels(), path, {{render::kRecipeKey, recipe}});
}

}  // namespace

Result<void> writeFigure(const FigureMaker& make, const std::string& title, const Options& common,
                         const std::string& recipe, const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  const ui::Theme* theme = ui::findTheme(common.theme.empty() ? "light" : common.theme);
  if (theme == nullptr) return failf(ErrorKind::Usage, N_("--theme: there is no theme '{}'"), common.theme);
  const bool pixels = ending == ".png";
  const double scale = pixels ? static_cast<double>(common.scaleOrDefault()) : 1;
  const double width = common.sizeOrDefault().width / scale, height = common.sizeOrDefault().height / scale;
  const render::Scene scene = make(width, height, *theme);
  if (pixels) return writePixels(scene, common, recipe, path);
  const std::string svg = render::toSvg(scene, {title, recipe});
  if (ending == ".svg") return writeFile(path, svg);
  SEPX_ASSIGN(const auto pdf, render::toPdf(svg, {width, height, title, recipe}));
  return writeFile(path, pdf);
}

}  // namespace sepx::app::cli
