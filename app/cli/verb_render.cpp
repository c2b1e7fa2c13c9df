// SPDX-License-Identifier: Apache-2.0
// sepx render: the settled picture of a session or lesson: PNG or SVG of the
// exhibit alone, without panels.
#include <CLI/CLI.hpp>

#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/headless.h"
#include "app/options.h"

namespace sepx::app::cli {
namespace {

class RenderVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    command.add_option("file", file_, tr(N_("a session (.sepx) or a lesson (.md)")))->type_name("FILE")->required();
    command.add_option("--out", out_, tr(N_("the picture; its ending says which kind")))
        ->type_name("PNG|SVG")
        ->required();
    command.footer(commonFlagsWords());
  }

  Result<Outcome> run(Console&, const Options& common) override {
    if (const Result<void> drawn = figureHeadless(common, file_, out_); !drawn) return tl::unexpected(drawn.error());
    return Outcome::Done;
  }

 private:
  std::string file_, out_;
};

}  // namespace

std::unique_ptr<Verb> makeRender() {
  return std::make_unique<RenderVerb>();
}

}  // namespace sepx::app::cli
