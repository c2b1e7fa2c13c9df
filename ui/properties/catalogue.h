// SPDX-License-Identifier: Apache-2.0
// The translations of one language: a catalogue as written by msgfmt (ui/languages), loaded completely. glibc's gettext
// would need an installed locale, and it is switched through the environment, which no other thread may read at the
// same time. A catalogue of our own can be switched while the program runs. Constant after loading; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/core/result.h"
#include "ui/properties/plural_rule.h"

namespace sepx::ui {

/// The interface through which tr() finds translations. Returned texts live as long as the object.
class Translations {
 public:
  struct Entry {
    std::string_view text;             ///< English, the first of its forms
    std::string_view plural;           ///< English plural; empty: there is only one form
    std::vector<const char*> forms{};  ///< translated
  };

  virtual ~Translations() = default;
  /// The translation of `text`; null if there is none.
  virtual const char* find(std::string_view text) const = 0;
  /// The translated form of `one` for n; null if there is none.
  virtual const char* findPlural(std::string_view one, std::uint64_t n) const = 0;
  /// All entries; empty if translations are made on demand.
  virtual const std::vector<Entry>& all() const = 0;
};

class Catalogue final : public Translations {
 public:
  /// Reads a catalogue of at most 64 MiB. BadInput names the file and the fault.
  static Result<std::unique_ptr<Catalogue>> read(const std::string& path);
  static Result<std::unique_ptr<Catalogue>> parse(std::string bytes);

  const char* find(std::string_view text) const override;
  const char* findPlural(std::string_view one, std::uint64_t n) const override;

  const std::vector<Entry>& all() const override { return entries_; }
  const PluralRule& plurals() const { return plurals_; }
  /// The value of a header line such as "X-Language-Name"; empty if there is none.
  std::string header(std::string_view name) const;
  /// All characters of its translations outside ASCII.
  std::set<char32_t> characters() const;

 private:
  Catalogue() = default;
  Result<void> index();

  std::string bytes_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, std::size_t> places_;  ///< in entries_
  std::string_view header_;
  PluralRule plurals_;
};

}  // namespace sepx::ui
