// SPDX-License-Identifier: Apache-2.0
// sepx thumb: a thumbnail of a file for file managers, which call it for every file of a folder and show an icon if it
// fails. A file without a picture is therefore not unusual: the exit status is 1, and the reason is printed in a
// terminal only.
#include <exception>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/text.h"
#include "app/cli/thumbnail.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "engine/core/try.h"
#include "engine/render/png.h"

namespace sepx::app::cli {
namespace {

Result<void> writeThumbnail(const std::string& file, int side, const Options& common, const std::string& out) {
  SEPX_ASSIGN(const gpu::Pixels pixels, thumbnailOf(file, side, common));
  return render::writePng(pixels, out);
}

class ThumbVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    addOption(command, "file", file_, N_("a session, a safetensors file or a GGUF file"), "IN")->required();
    addOption(command, "out", out_, N_("the picture, a PNG"), "OUT")->required();
    // The common --size takes two numbers; file managers pass one.
    addOption(command, "--size", side_, N_("pixels of the longer side, 16 to 1024 (default 128)"), "N");
    command.footer(tr(N_("If a file has no picture, the status is 1 and, without a terminal, nothing is printed")));
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    SEPX_ASSIGN(const long long side, toInteger("--size", side_, kLeastThumbnail, kMostThumbnail));
    Result<void> made;
    try {
      made = writeThumbnail(file_, static_cast<int>(side), common, out_);
    } catch (const std::exception& error) {  // out of memory or no thread: equally quiet
      made = failf(ErrorKind::Internal, N_("internal error: {}"), std::string(error.what()));
    }
    if (made) return Outcome::Done;
    if (console.terminal) return tl::unexpected(made.error());
    return Outcome::CheckFailed;
  }

 private:
  std::string file_, out_, side_ = "128";
};

}  // namespace

VerbEntry makeThumb() {
  return {"thumb", N_("A small picture of a file, for file managers"), std::make_unique<ThumbVerb>(), kReadsOnly};
}

}  // namespace sepx::app::cli
