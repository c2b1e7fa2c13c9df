// SPDX-License-Identifier: Apache-2.0
// sepx state: converts a session, figure or page to one line of text, and such a line to a session.
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/protect_inputs.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/headless.h"
#include "app/options.h"
#include "engine/core/try.h"
#include "ui/document/state_text.h"

namespace sepx::app::cli {
namespace {

class StateVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    addOption(command, "file", file_,
              N_("a session (.sepx), a lesson (.md), a figure or page with its recipe, or a state (sepx:1:…)"), "FILE")
        ->required();
    addOption(command, "--out", out_, N_("write the session (.sepx) to this file, instead of printing the line"),
              "FILE");
    command.footer(commonFlagsWords());
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    if (out_.empty()) {
      SEPX_ASSIGN(const std::string text, stateHeadless(common, file_));
      console.out << text << "\n";
      return Outcome::Done;
    }
    if (!out_.ends_with(".sepx")) return fail(ErrorKind::Usage, out_ + ": " + tr(N_("the name must end in .sepx")));
    if (!ui::isStateText(file_)) SEPX_TRY(protectInputs("--out", out_, inputsOfSession(file_)));
    SEPX_TRY(sessionHeadless(common, file_, out_));
    return Outcome::Done;
  }

 private:
  std::string file_, out_;
};

}  // namespace

VerbEntry makeState() {
  return {"state", N_("Convert a session to one line of text, or such a line to a session"),
          std::make_unique<StateVerb>()};
}

}  // namespace sepx::app::cli
