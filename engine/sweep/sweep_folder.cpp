// SPDX-License-Identifier: Apache-2.0
// See sweep_folder.h.
#include "engine/sweep/sweep_folder.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include <fmt/format.h>

#include "engine/core/descriptor.h"
#include "engine/core/file.h"
#include "engine/core/file_writer.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/train/run_store.h"

namespace sepx::sweep {

namespace fs = std::filesystem;

std::string_view toString(RunProgress progress) {
  static constexpr std::string_view kWords[] = {"waiting", "training", "stopped", "stale",
                                                "unknown", "finished", "failed"};
  return kWords[static_cast<std::size_t>(progress)];
}

Result<SweepFolder> SweepFolder::open(const std::string& path, const std::string& planText) {
  SweepFolder folder(path);
  for (const char* const part : {"runs", "claims", "failed"})
    SEPX_TRY(makeFolders(path + "/" + part));
  const std::string plan = path + "/plan.json";
  std::error_code ignored;
  if (!fs::exists(plan, ignored)) {
    SEPX_ASSIGN(const TemporaryFile made, writeTemporaryFile(plan, planText));
    const int linked = link(made.path.c_str(), plan.c_str());  // only one of several programs creates the plan
    const int error = errno;
    unlink(made.path.c_str());
    if (linked != 0 && error != EEXIST) return notWritten(plan, error);
  }
  SEPX_ASSIGN(const std::string there, folder.planText());
  if (there != planText)
    return fail(
        ErrorKind::Usage,
        fmt::format("{}: holds a sweep with another plan; name another folder, or continue with its plan.json", path));
  return folder;
}

Result<SweepFolder> SweepFolder::existing(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path + "/plan.json", ignored))
    return fail(ErrorKind::BadInput, fmt::format("{}: is not a folder of a sweep: there is no plan.json in it", path));
  return SweepFolder(path);
}

Result<std::string> SweepFolder::planText() const {
  return readFile(folder_ + "/plan.json", std::size_t{64} << 20U);
}

Result<void> SweepFolder::setFailure(const std::string& name, const std::string& sentence) const {
  const std::string path = folder_ + "/failed/" + name + ".txt";
  if (!sentence.empty()) return writeFile(path, within(sentence) + "\n", Links::Replace);
  std::error_code ignored;
  fs::remove(path, ignored);
  return {};
}

std::string SweepFolder::failure(const std::string& name) const {
  auto text = readHead(folder_ + "/failed/" + name + ".txt", 4096);
  if (!text) return {};
  while (!text->empty() && text->back() == '\n')
    text->pop_back();
  return printableSentence(*text);
}

std::string SweepFolder::within(std::string_view sentence) const {
  std::error_code failed;
  const fs::path whole = fs::absolute(folder_, failed).lexically_normal();
  std::string text(sentence);
  for (const std::string& folder :
       {(whole / "").string(), fs::path(folder_).lexically_normal().string() + "/", folder_ + "/"}) {
    for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos;) {
      const bool begins =
          at == 0 || text[at - 1] == ' ' || text[at - 1] == '"' || text[at - 1] == '\'' || text[at - 1] == '(';
      if (begins)
        text.erase(at, folder.size());
      else
        ++at;
    }
  }
  return printableSentence(text);
}

RunStatus SweepFolder::status(const std::string& name) const {
  RunStatus status{.name = name};
  std::error_code ignored;
  if (fs::exists(runFolder(name) + "/run.sqlite", ignored)) {
    if (const auto reader = train::RunReader::open(runFolder(name)); !reader) {
      status.progress = RunProgress::Failed;
      status.sentence = within(reader.error().message);
    } else if (const auto record = (*reader)->record(); record) {
      status.step = record->step;
      status.steps = record->steps;
      status.progress = record->state == train::RunState::Finished ? RunProgress::Finished : RunProgress::Stopped;
    }
  }
  if (status.progress == RunProgress::Finished) return status;
  const ClaimReading claim = claims_.read(name);
  if (claim.state == ClaimState::Alive || claim.state == ClaimState::Unknown) {
    status.progress = claim.state == ClaimState::Alive ? RunProgress::Training : RunProgress::Unknown;
    status.sentence = claim.words;
  } else if (const std::string why = failure(name); !why.empty()) {
    status.progress = RunProgress::Failed;
    status.sentence = why;
  } else if (claim.state == ClaimState::Stale) {
    status.progress = RunProgress::Stale;
    status.sentence = claim.words;
  }
  return status;
}

}  // namespace sepx::sweep
