// SPDX-License-Identifier: Apache-2.0
// open_save_export open|save|export FILE: opens a session, or opens and saves it, or writes a small figure to FILE as
// SVG. For `sweep`: a verb of sepx that does the same makes too many allocations to let each of them fail.
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "engine/core/file.h"
#include "engine/core/resource_limits.h"
#include "engine/core/try.h"
#include "engine/render/svg_writer.h"
#include "tests/engine/render/sample_scene.h"
#include "ui/document/session.h"

namespace {

using sepx::Result;

/// Saves what was opened and changed, as a window does.
Result<void> openAndSave(const std::string& path, bool saves) {
  SEPX_ASSIGN(const sepx::ui::Session session, sepx::ui::readSessionFile(path));
  if (saves)
    SEPX_TRY(sepx::replaceFile(path, sepx::ui::sessionText(session.document.with("flow.p", 0.25)), session.stamp));
  return {};
}

Result<void> writeFigure(const std::string& path) {
  return sepx::writeFile(path, sepx::render::toSvg(sepx::render::test::sampleScene(), {"A figure", "{\"p\":0.5}"}));
}

int complain(const char* sentence) {
  std::fprintf(stderr, "open_save_export: %s\n", sentence);
  return 1;
}

}  // namespace

int main(int count, char** arguments) try {
  sepx::ignoreFileSizeSignal();
  sepx::installOutOfMemoryHandler();
  const std::string what = count == 3 ? arguments[1] : "";
  if (what != "open" && what != "save" && what != "export") return complain("pass open, save or export, and a file");
  const Result<void> done = what == "export" ? writeFigure(arguments[2]) : openAndSave(arguments[2], what == "save");
  return done ? 0 : complain(done.error().message.c_str());
} catch (const std::bad_alloc&) {
  sepx::exitOutOfMemory();
} catch (const std::exception& error) {
  return complain(error.what());
}
