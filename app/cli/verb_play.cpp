// SPDX-License-Identifier: Apache-2.0
// sepx play: runs a script, or every step of a lesson, in the complete interface without a display, in simulated time.
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/headless.h"
#include "app/options.h"
#include "engine/core/try.h"

namespace sepx::app::cli {
namespace {

class PlayVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    addOption(command, "file", file_, N_("a script, or a lesson (.md)"), "SCRIPT|LESSON")->required();
    addJsonFlag(command, json_);
    command.footer(commonFlagsWords());
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    if (!common.script.empty())
      return fail(ErrorKind::Usage, tr(N_("play takes its script as an argument; leave --script out")));
    SEPX_ASSIGN(const ui::Played played, playHeadless(common, file_));
    if (json_) {
      Json json = beginDocument("play");
      json["steps"] = played.steps;
      json["expectations"] = played.expectations;
      console.out << finishDocument(json);
    } else {
      console.out << trf(N_("{} steps, {} expectations held"), played.steps, played.expectations) << "\n";
    }
    return Outcome::Done;
  }

 private:
  std::string file_;
  bool json_ = false;
};

}  // namespace

VerbEntry makePlay() {
  return {"play", N_("Run a script or a lesson without a display"), std::make_unique<PlayVerb>()};
}

}  // namespace sepx::app::cli
