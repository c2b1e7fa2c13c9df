// SPDX-License-Identifier: Apache-2.0
// See shared_json_file.h. Each write contains all changes that are not known to be on disk, so a write that replaces an
// unfinished one writes its changes too.
#include "ui/workbench/shared_json_file.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/core/file.h"
#include "engine/core/try.h"
#include "ui/document/json_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargestKeptFile = std::size_t{4} << 20;

/// The object in a file; an empty object if there is no file.
Result<Json> readObject(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return Json::object();
  const auto named = [&path](const std::string& sentence) { return fail(ErrorKind::BadInput, path + ": " + sentence); };
  SEPX_ASSIGN(const std::string text, readFile(path, kLargestKeptFile));
  auto json = parseJson(text);
  if (!json) return named(json.error().message);
  if (!json->is_object()) return named(tr("this is not a JSON object"));
  return json;
}

/// Renames a file that cannot be parsed, so that the user can look at it. Returns a sentence about it.
std::string moveAside(const std::string& path, const Error& error) {
  const std::string aside = path + ".unreadable";
  std::error_code failed;
  if (fs::is_regular_file(path, failed)) fs::rename(path, aside, failed);
  std::error_code ignored;
  const bool kept = !failed && !fs::exists(path, ignored);
  return error.message + "; " +
         (kept ? trFormat("it is kept as {}, and the program continues without it", aside)
               : std::string(tr("the program continues without it")));
}

}  // namespace

SharedJsonFile::SharedJsonFile(std::string folder, std::string name, std::function<void()> wake)
    : folder_(std::move(folder)), name_(std::move(name)), jobs_(std::move(wake)) {
  if (folder_.empty()) return;
  if (auto found = readObject(path()))
    content_ = std::move(*found);
  else
    problem_ = moveAside(path(), found.error());
}

SharedJsonFile::~SharedJsonFile() {
  jobs_.finish();
}

void SharedJsonFile::change(Change change, OnFailure onFailure) {
  follow();
  change(content_);
  if (folder_.empty()) return;
  pending_.push_back({std::move(change), onFailure});
  write();
}

void SharedJsonFile::write() {
  written_ = std::make_shared<Json>(content_);
  const auto work = [folder = folder_, path = path(), changes = pending_, to = written_]() -> Result<void> {
    // A file that became unreadable while the program runs is written again with what is known.
    if (auto found = readObject(path)) *to = std::move(*found);
    for (const Pending& pending : changes)
      pending.change(*to);
    SEPX_TRY(makeFolders(folder));
    return writeFile(path, indentedText(*to) + "\n");
  };
  writing_ = jobs_.start(name_, {}, [work](JobContext&) { return work(); });
  if (!jobs_.refused()) return;
  // Without a thread the write is done here: a frame that waits is better than a lost change.
  const auto done = work();
  settle(done ? std::string() : done.error().message);
}

bool SharedJsonFile::follow() {
  return written_ && writing_.ended() && settle(writing_.failure());
}

bool SharedJsonFile::settle(std::string failure) {
  failure_ = std::move(failure);
  const auto written = std::exchange(written_, nullptr);
  if (!failure_.empty()) return false;
  pending_.clear();
  return std::exchange(content_, std::move(*written)) != content_;
}

bool SharedJsonFile::finish() {
  jobs_.finish();
  return follow();
}

std::string SharedJsonFile::takeFailure() {
  bool reported = false;
  const std::string why = failure();
  if (why.empty()) return why;
  for (Pending& pending : pending_)
    reported |= std::exchange(pending.onFailure, OnFailure::Ignore) == OnFailure::Report;
  return reported ? why : std::string();
}

}  // namespace sepx::ui
