// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/study.h"

#include <algorithm>
#include <cassert>

namespace sepx::studies {

#define STUDIES(NAME) std::vector<Study> describe##NAME();
#include "engine/studies/list.inc"
#undef STUDIES

std::span<const Study> studies() {
  static const std::vector<Study> all = [] {
    std::vector<Study> list;
#define STUDIES(NAME)                  \
  for (Study & one : describe##NAME()) \
    list.push_back(std::move(one));
#include "engine/studies/list.inc"
#undef STUDIES
    return list;
  }();
  return all;
}

const Study* findStudy(std::string_view id) {
  const auto all = studies();
  const auto found = std::find_if(all.begin(), all.end(), [id](const Study& one) { return one.id == id; });
  return found == all.end() ? nullptr : &*found;
}

const Study& studyOf(std::string_view id) {
  const Study* const found = findStudy(id);
  assert(found != nullptr);
  return *found;
}

std::vector<const Study*> shownStudies(std::string_view paper) {
  std::vector<const Study*> shown;
  for (const Study& one : studies())
    if (one.paper == paper && *one.label != '\0') shown.push_back(&one);
  return shown;
}

std::uint64_t Study::firstSeed() const {
  return *thresholds == '\0' ? 0 : kThresholdSeeds;
}

std::string_view Study::key() const {
  return std::string_view(id).substr(std::string_view(paper).size() + 1);
}

tl::unexpected<Error> interrupted() {
  return fail(ErrorKind::Interrupted, N_("interrupted; nothing was written"));
}

}  // namespace sepx::studies
