// SPDX-License-Identifier: Apache-2.0
// sepx play: a script, or every step of a lesson, against the whole interface without a display, in simulated time.
#include <CLI/CLI.hpp>

#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/headless.h"
#include "app/options.h"

namespace sepx::app::cli {
namespace {

class PlayVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    command.add_option("file", file_, tr(N_("a script, or a lesson (.md)")))->type_name("SCRIPT|LESSON")->required();
  }

  Result<Outcome> run(Console&, const Options& common) override {
    if (!common.script.empty())
      return fail(ErrorKind::Usage, tr(N_("play names its script itself; leave --script out")));
    if (const Result<void> played = playHeadless(common, file_); !played) return tl::unexpected(played.error());
    return Outcome::Done;
  }

 private:
  std::string file_;
};

}  // namespace

std::unique_ptr<Verb> makePlay() {
  return std::make_unique<PlayVerb>();
}

}  // namespace sepx::app::cli
