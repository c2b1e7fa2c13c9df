// SPDX-License-Identifier: Apache-2.0
#include "app/cli/protect_inputs.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/cli/json_out.h"
#include "app/cli/text.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/model_cache.h"
#include "engine/core/file.h"
#include "engine/core/json.h"

namespace fs = std::filesystem;

namespace sepx::app::cli {
namespace {

fs::path real(const fs::path& path) {
  std::error_code error;
  fs::path found = fs::weakly_canonical(path, error);
  if (!found.has_filename()) found = found.parent_path();  // "folder/"
  return error ? path : found;
}

bool liesIn(const fs::path& file, const fs::path& folder) {
  const auto [end, unused] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end();
}

/// Whether the file looks like that of an earlier export, which this program never reads.
bool isExport(const fs::path& file) {
  if (file.filename().string().starts_with("events.out.tfevents.")) return true;
  constexpr std::array<std::string_view, 4> kEndings{".png", ".svg", ".pdf", ".csv"};
  return std::ranges::find(kEndings, file.extension().string()) != kEndings.end();
}

/// Collects the texts of a session that name an existing file or folder.
void collectPaths(const Json& json, const fs::path& folder, std::vector<std::string>& found) {
  if (json.is_string()) {
    std::error_code error;
    const fs::path named = folder / json.get<std::string>();
    if (!json.get_ref<const std::string&>().empty() && fs::exists(named, error)) found.push_back(named.string());
  }
  if (json.is_structured())
    for (const Json& member : json)
      collectPaths(member, folder, found);
}

}  // namespace

Result<void> protectInputs(const std::string& option, const std::string& out, const std::vector<std::string>& inputs) {
  std::error_code error;
  if (out.empty() || out == "-" || !fs::exists(out, error)) return {};
  const fs::path target = real(out);
  for (const std::string& input : inputs) {
    const fs::path read = real(input);
    const bool same = target == read || fs::equivalent(out, input, error);
    const bool within = fs::is_directory(read, error) && liesIn(target, read) && !isExport(target);
    if (same || within)
      return failf(ErrorKind::Usage, N_("{}: {} is an input and would be replaced; choose another file"), option,
                   same ? input : fmt::format("{} ({})", out, trf(N_("a file of {}"), input)));
  }
  return {};
}

std::vector<std::string> inputsOf(const checkpoint::Model& model, const std::string& path) {
  std::vector<std::string> inputs{path};
  for (const auto& file : model.checkpoint->files())
    inputs.push_back(file->path());
  for (const char* name : {"config.json", "tokenizer.json", "vocab.json", "vocab.txt", "merges.txt"})
    inputs.push_back(model.checkpoint->folder() + "/" + name);
  return inputs;
}

std::vector<std::string> inputsOfSession(const std::string& session) {
  constexpr std::size_t kLargest = std::size_t{1} << 28;
  std::vector<std::string> inputs{session};
  const Result<std::string> text = readFile(session, kLargest);
  const auto json = text ? parseJson<Json>(*text) : Result<Json>(tl::unexpected(text.error()));
  if (json) collectPaths(*json, fs::path(session).parent_path(), inputs);
  return inputs;
}

}  // namespace sepx::app::cli
