// SPDX-License-Identifier: Apache-2.0
// sepx render: renders a session, lesson or figure as a figure: picture, vector graphics, numbers or film, without
// panels.
#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/protect_inputs.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "app/headless.h"
#include "app/options.h"
#include "engine/core/try.h"
#include "ui/workbench/figure.h"

namespace sepx::app::cli {
namespace {

class RenderVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    addOption(command, "file", file_,
              N_("a session (.sepx), a lesson (.md), a figure or page with its recipe, or a state (sepx:1:…)"), "FILE")
        ->required();
    addOption(
        command, "--out", out_,
        N_("the figure; its extension selects the format: .png .svg .pdf .mp4 .webm, a page as .html (for a lesson: "
           "the whole lesson), numbers as .csv (for a table: NAME.TABLE.csv) or .npz; a folder of frames ends in /"),
        "FIGURE")
        ->required();
    std::string presets;
    for (const ui::FigurePreset& one : ui::figurePresets())
      presets += (presets.empty() ? "" : ", ") + one.key;
    command.add_option("--preset", figureOptions_.preset, tr(N_("size and text size on paper: ")) + presets)
        ->type_name("NAME");
    addOption(command, "--text-size", textSize_, N_("size of ordinary text in points"), "POINTS");
    addOption(command, "--pane", pane_,
              N_("only this pane of a split window, from 1 (without it a .csv holds the active one)"), "N");
    command
        .add_option("--views", figureOptions_.views,
                    tr(N_("only these views, as panels with letters: loss,symmetry or training@2.curves.loss")))
        ->type_name("NAME,…")
        ->delimiter(',');
    addFlag(command, "--whole", figureOptions_.whole, N_("when a figure is rendered again: charts without its zoom"));
    addOption(command, "--slider", figureOptions_.slider,
              N_("for a page (.html): the parameter of its slider, flow.p=0.2..0.8 or flow.p=0.2..0.8/13"),
              "KEY=FROM..TO[/N]");
    addFlag(command, "--no-legend", noLegend_, N_("without the legend"));
    addFlag(command, "--no-caption", noCaption_, N_("without the text under the picture"));
    addOption(command, "--title", figureOptions_.title, N_("title of the document in its metadata"), "TEXT");
    addOption(command, "--seconds", seconds_, N_("length of a film (default: one complete playback)"), "S");
    addOption(command, "--fps", rate_, N_("frames per second (default 30)"), "N");
    command.footer(commonFlagsWords());
  }

  Result<Outcome> run(Console&, const Options& common) override {
    for (const auto& [flag, text, to] : {std::tuple{"--text-size", &textSize_, &figureOptions_.textSize},
                                         std::tuple{"--seconds", &seconds_, &figureOptions_.seconds},
                                         std::tuple{"--fps", &rate_, &figureOptions_.framesPerSecond}}) {
      if (text->empty()) continue;
      SEPX_ASSIGN(*to, toNumber(flag, *text));
    }
    if (!pane_.empty()) {
      SEPX_ASSIGN(const auto pane, toInteger("--pane", pane_, 1, 4));
      figureOptions_.pane = static_cast<int>(pane);
    }
    if (noLegend_) figureOptions_.legend = false;
    if (noCaption_) figureOptions_.caption = false;
    // A figure may be replaced by its new version; a session or a lesson is an input and must not be replaced.
    if (file_.ends_with(".sepx") || file_.ends_with(".md"))
      SEPX_TRY(protectInputs("--out", out_, inputsOfSession(file_)));
    SEPX_TRY(figureHeadless(common, figureOptions_, file_, out_));
    return Outcome::Done;
  }

 private:
  std::string file_, out_, textSize_, pane_, seconds_, rate_;
  bool noLegend_ = false, noCaption_ = false;
  FigureOptions figureOptions_;
};

}  // namespace

VerbEntry makeRender() {
  return {"render", N_("A session, lesson or figure as PNG, SVG, PDF, page, numbers or film"),
          std::make_unique<RenderVerb>()};
}

}  // namespace sepx::app::cli
