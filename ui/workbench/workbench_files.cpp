// SPDX-License-Identifier: Apache-2.0
// The Workbench and files: sessions, lessons, what is saved and what is not.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {
namespace {

std::string lowerExtension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

}  // namespace

/// Every field that is known, of every pane.
Result<void> Workbench::Impl::check(const Document& document) {
  const PropertyRegistry& registry = pane(1).registry;
  if (auto checked = registry.check(document); !checked) return checked;
  for (int number = 2; number <= kMostPanes; ++number) {
    if (auto checked = registry.check(document.pane(number)); !checked) {
      return fail(checked.error().kind,
                  fmt::format(fmt::runtime(tr("in pane {}: {}")), number, checked.error().sentence));
    }
  }
  return {};
}

Result<void> Workbench::Impl::openSession(const std::string& path) {
  auto document = readSession(path);
  if (!document) return tl::unexpected(document.error());
  if (auto checked = check(*document); !checked) {
    return fail(checked.error().kind, path + ": " + checked.error().sentence);
  }
  lesson.close();
  history.reset(std::move(*document));
  saved = withoutCarried(history.present());
  file = path;
  return {};
}

Result<void> Workbench::Impl::openLesson(const std::string& path) {
  auto read = readLesson(path);
  if (!read) return tl::unexpected(read.error());
  startAnew();
  lesson.open(std::move(*read));
  return {};
}

void Workbench::Impl::startAnew() {
  lesson.close();
  history.reset(Document{});
  saved = withoutCarried(history.present());
  file.clear();
}

Result<void> Workbench::open(const std::string& path) {
  const std::string extension = lowerExtension(path);
  Result<void> opened = fail(ErrorKind::BadInput, path + ": " + tr("not a session (.sepx) and not a lesson (.md)"));
  if (extension == ".sepx") opened = impl_->openSession(path);
  if (extension == ".md") opened = impl_->openLesson(path);
  if (!opened) impl_->say(opened.error().sentence);
  return opened;
}

Result<void> Workbench::save(const std::string& path, bool) {
  auto written = writeSession(impl_->history.present(), path);
  if (!written) {
    impl_->say(written.error().sentence);
    return written;
  }
  impl_->file = path;
  impl_->saved = impl_->withoutCarried(impl_->history.present());
  return {};
}

bool Workbench::modified() const {
  return !(impl_->withoutCarried(impl_->history.present()) == impl_->saved);
}
std::string Workbench::path() const {
  return impl_->file;
}

std::string Workbench::readOnly() const {
  return {};
}

Result<void> Workbench::restore(const std::string& autosave) {
  return open(autosave);
}

}  // namespace sepx::ui
