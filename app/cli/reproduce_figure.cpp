// SPDX-License-Identifier: Apache-2.0
// Figure 2 of Attention-Structure: both scores against the number of parameters, by the same plots as the charts of the
// Weights exhibit. Scene first, then a file by the path's ending.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/cli/reproduce.h"
#include "app/cli/text.h"
#include "engine/core/file.h"
#include "engine/gpu/context.h"
#include "engine/render/pdf_writer.h"
#include "engine/render/picture.h"
#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "engine/render/svg_writer.h"
#include "ui/canvas/theme.h"
#include "ui/exhibits/weights/charts_plot.h"

namespace sepx::app::cli {
namespace {

constexpr double kGap = 16;

ui::ModelClass classOf(const Measured& measured) {
  if (measured.stacks.size() > 1) return ui::ModelClass::EncoderDecoder;
  return measured.causal ? ui::ModelClass::Decoder : ui::ModelClass::Encoder;
}

std::vector<ui::ModelDot> dotsOf(const attention::Published& published, const std::vector<Measured>& measured,
                                 PublishedScore score) {
  const auto which = score == PublishedScore::Symmetry ? ui::ChartScore::Symmetry : ui::ChartScore::Directionality;
  std::vector<ui::ModelDot> dots = ui::publishedDots(published, which);
  for (const Measured& one : measured) {
    for (const Summary& stack : one.stacks) {
      ui::ModelDot dot;
      dot.name = one.title;
      if (one.stacks.size() > 1) dot.name += std::string(" ") + checkpoint::word(stack.stack);
      dot.parameters = one.parameters;
      dot.value = quartilesOf(stack, score);
      dot.kind = classOf(one);
      dot.own = true;
      if (std::isfinite(dot.value.median) && dot.parameters > 0) dots.push_back(std::move(dot));
    }
  }
  return dots;
}

/// The page: two plots beside each other, the legend and a line of text under them.
render::Scene sceneOf(const attention::Published& published, const std::vector<Measured>& measured, double width,
                      double height, const ui::Theme& theme) {
  render::Scene scene;
  scene.width = width;
  scene.height = height;
  scene.background = theme.plotBackground;
  scene.plot = {{0, 0}, {width, height}};
  scene.window = scene.plot;
  const double small = static_cast<double>(theme.smallSize), foot = 6.5 * small;
  const double half = (width - 3 * kGap) / 2;
  std::uint64_t revision = 0;
  for (const PublishedScore score : {PublishedScore::Symmetry, PublishedScore::Directionality}) {
    const bool left = score == PublishedScore::Symmetry;
    const std::vector<ui::ModelDot> dots = dotsOf(published, measured, score);
    ui::ScatterChart chart;
    chart.which = left ? ui::ChartScore::Symmetry : ui::ChartScore::Directionality;
    chart.dots = &dots;
    chart.theme = &theme;
    const double x = left ? kGap : 2 * kGap + half;
    chart.box = {{x, kGap}, {x + half, height - foot}};
    scene.layers.push_back({word(score), ++revision, true, false, ui::scatterItems(chart)});
    if (!left) continue;
    std::vector<render::Item> legend;
    const double used = ui::addScatterLegend(legend, {kGap, height - foot + 0.5 * small}, width - 2 * kGap, chart);
    render::Label caption;
    caption.at = {kGap, std::min(height - small, height - foot + used + 1.4 * small)};
    caption.text = tr(
        N_("Median over the layers with quartiles; excess variant, gamma 2. Published: Attention-Structure, Tables 4 "
           "and 5."));
    caption.size = theme.smallSize;
    caption.color = theme.textMuted;
    legend.emplace_back(std::move(caption));
    scene.layers.push_back({"legend", ++revision, true, false, std::move(legend)});
  }
  return scene;
}

Result<void> writePixels(const render::Scene& scene, const Options& common, const std::string& recipe,
                         const std::string& path) {
  auto context = gpu::Context::create(contextOptions(common, false));
  if (!context) return tl::unexpected(context.error());
  const double scale = static_cast<double>(common.scaleOrDefault());
  auto picture = render::Picture::create(**context, common.sizeOrDefault(), scale, scene.background);
  if (!picture) return tl::unexpected(picture.error());
  const render::PlacedScene placed{&scene, {0, 0}};
  for (bool done = false; !done;) {
    const auto step = (*picture)->step({&placed, 1});
    if (!step) return tl::unexpected(step.error());
    done = *step;
  }
  return render::writePng((*picture)->pixels(), path, {{render::kRecipeKey, recipe}});
}

}  // namespace

Result<void> drawFigure2(const attention::Published& published, const std::vector<Measured>& measured,
                         const Options& common, const std::string& recipe, const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  const ui::Theme* theme = ui::findTheme(common.theme.empty() ? "light" : common.theme);
  if (theme == nullptr) return failf(ErrorKind::Usage, N_("--theme: there is no theme '{}'"), common.theme);
  const bool pixels = ending == ".png";
  const double scale = pixels ? static_cast<double>(common.scaleOrDefault()) : 1;
  const double width = common.sizeOrDefault().width / scale, height = common.sizeOrDefault().height / scale;
  const render::Scene scene = sceneOf(published, measured, width, height, *theme);
  if (pixels) return writePixels(scene, common, recipe, path);
  const std::string title = tr(N_("Symmetry and directionality of pretrained models"));
  const std::string svg = render::toSvg(scene, {title, recipe});
  if (ending == ".svg") return writeFile(path, svg);
  const auto pdf = render::toPdf(svg, {width, height, title, recipe});
  if (!pdf) return tl::unexpected(pdf.error());
  return writeFile(path, *pdf);
}

}  // namespace sepx::app::cli
