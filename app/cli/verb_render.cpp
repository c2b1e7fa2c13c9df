// SPDX-License-Identifier: Apache-2.0
// sepx render: a session, lesson or figure as a figure of its own: picture, vectors, numbers or film, without panels.
#include <CLI/CLI.hpp>

#include "app/cli/text.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "app/headless.h"
#include "app/options.h"
#include "ui/workbench/figure.h"

namespace sepx::app::cli {
namespace {

class RenderVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    command.add_option("file", file_, tr(N_("a session (.sepx), a lesson (.md), or a figure with its recipe")))
        ->type_name("FILE")
        ->required();
    command
        .add_option("--out", out_,
                    tr(N_("the figure; its ending says which kind: .png .svg .pdf .mp4 .webm, numbers as .csv (of a "
                          "table: NAME.TABLE.csv) or .npz, a folder of frames ends in /")))
        ->type_name("FIGURE")
        ->required();
    std::string presets;
    for (const ui::FigurePreset& one : ui::figurePresets())
      presets += (presets.empty() ? "" : ", ") + one.key;
    command.add_option("--preset", wishes_.preset, tr(N_("size and text size on paper: ")) + presets)
        ->type_name("NAME");
    command.add_option("--text-size", textSize_, tr(N_("of ordinary text, points")))->type_name("POINTS");
    command
        .add_option("--pane", pane_,
                    tr(N_("only this pane of a split window, from 1 (without it a .csv is of the active one)")))
        ->type_name("N");
    command.add_flag("--no-legend", noLegend_, tr(N_("without the legend")));
    command.add_flag("--no-caption", noCaption_, tr(N_("without the text under the picture")));
    command.add_option("--title", wishes_.title, tr(N_("of the document, in its metadata")))->type_name("TEXT");
    command.add_option("--seconds", seconds_, tr(N_("length of a film (default: one whole play)")))->type_name("S");
    command.add_option("--fps", rate_, tr(N_("frames a second (default 30)")))->type_name("N");
    command.footer(commonFlagsWords());
  }

  Result<Outcome> run(Console&, const Options& common) override {
    for (const auto& [flag, text, to] : {std::tuple{"--text-size", &textSize_, &wishes_.textSize},
                                         std::tuple{"--seconds", &seconds_, &wishes_.seconds},
                                         std::tuple{"--fps", &rate_, &wishes_.framesPerSecond}}) {
      if (text->empty()) continue;
      const auto value = toNumber(flag, *text);
      if (!value) return tl::unexpected(value.error());
      *to = *value;
    }
    if (!pane_.empty()) {
      const auto pane = toInteger("--pane", pane_, 1, 4);
      if (!pane) return tl::unexpected(pane.error());
      wishes_.pane = static_cast<int>(*pane);
    }
    if (noLegend_) wishes_.legend = false;
    if (noCaption_) wishes_.caption = false;
    if (const Result<void> drawn = figureHeadless(common, wishes_, file_, out_); !drawn)
      return tl::unexpected(drawn.error());
    return Outcome::Done;
  }

 private:
  std::string file_, out_, textSize_, pane_, seconds_, rate_;
  bool noLegend_ = false, noCaption_ = false;
  FigureWishes wishes_;
};

}  // namespace

std::unique_ptr<Verb> makeRender() {
  return std::make_unique<RenderVerb>();
}

}  // namespace sepx::app::cli
