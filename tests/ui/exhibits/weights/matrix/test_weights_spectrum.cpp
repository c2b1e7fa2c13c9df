// SPDX-License-Identifier: Apache-2.0
// The plot of the spectrum: computation on demand, cancellation, values.
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/ui/exhibits/weights/weights_pages_rig.h"
#include "ui/exhibits/weights/matrix/spectrum_plot.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// diag(4, 2, 1, 0, …) as one head of width 3.
std::shared_ptr<const attention::LayerFactors> diagonal() {
  auto made = std::make_shared<attention::LayerFactors>();
  made->heads = 1;
  made->d_h = 3;
  made->keyHead = {0};
  made->W_Q = attention::Matrix::Zero(8, 3);
  made->W_K = attention::Matrix::Zero(8, 3);
  for (int i = 0; i < 3; ++i) {
    made->W_Q(i, i) = 4 >> i;
    made->W_K(i, i) = 1;
  }
  return made;
}

Views viewsOf(const SpectrumPlot& plot) {
  Views made;
  plot.show(made, {{0, 0}, {600, 240}}, *findTheme("dark"));
  return made;
}

}  // namespace

TEST_CASE("A spectrum is computed on demand, and once", "[weights][spectrum]") {
  PageRig rig(makeWallPage());  // used for its context
  SpectrumPlot plot;
  declareSpectrum(rig.editor.registry, plot);
  ExhibitContext context = rig.context();
  const auto factors = diagonal();
  plot.update(factors, false, context);
  CHECK(plot.complete());
  CHECK_FALSE(plot.result());
  CHECK(std::isnan(rig.number("weights.spectrum.rank")));
  plot.update(factors, true, context);
  CHECK_FALSE(plot.complete());
  rig.jobs.finish();
  plot.update(factors, true, context);
  REQUIRE(plot.result());
  CHECK(plot.complete());
  CHECK(plot.result()->singular.at(0) == Approx(4));
  CHECK(plot.result()->singular.at(2) == Approx(1));
  CHECK(rig.number("weights.spectrum.rank") == 3);
  CHECK(rig.number("weights.spectrum.largest") == Approx(4));
  CHECK(rig.number("weights.spectrum.stable_rank") == Approx(21.0 / 16));
  const std::uint64_t revision = plot.revision();
  plot.update(factors, true, context);
  CHECK(plot.revision() == revision);
  const Views shown = viewsOf(plot);
  REQUIRE(shown.views.size() == 2);
  const std::vector<double>& singular = std::get<ChartContent>(shown.views[0].content).chart.series.front().y;
  REQUIRE(singular.size() == 3);
  CHECK(singular[1] == Approx(2));
  CHECK(std::get<ChartContent>(shown.views[1].content).chart.series.back().x.size() == 3);
  CHECK(plot.numbers().tables.size() == 2);

  const auto others = diagonal();
  plot.update(others, true, context);
  plot.cancel();
  rig.jobs.finish();
  plot.update(others, true, context);
  CHECK(plot.cancelled());
  CHECK(plot.complete());
  CHECK_FALSE(plot.result());
}

TEST_CASE("Weights that are not finite have no spectrum, and the page reports this", "[weights][spectrum]") {
  PageRig rig(makeWallPage());
  SpectrumPlot plot;
  auto bad = std::make_shared<attention::LayerFactors>(*diagonal());
  bad->W_Q(0, 0) = std::nan("");
  ExhibitContext context = rig.context();
  plot.update(bad, true, context);
  rig.jobs.finish();
  plot.update(bad, true, context);
  CHECK(plot.complete());
  CHECK_FALSE(plot.result());
  std::string said;
  const Views shown = viewsOf(plot);
  REQUIRE(shown.views.size() == 1);
  for (const render::Item& item :
       std::get<PictureContent>(shown.views[0].content).draw({{{0, 0}, {600, 240}}, *findTheme("dark")}))
    if (const auto* label = std::get_if<render::Label>(&item)) said += label->text + " ";
  CHECK(said.find("NaN or infinite") != std::string::npos);
}
