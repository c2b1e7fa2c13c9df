// SPDX-License-Identifier: Apache-2.0
// The translations of one language: a catalogue as msgfmt writes it (ui/languages), read whole. glibc's gettext needs a
// locale that is installed and changes the language through the environment, which no other thread may read meanwhile;
// a catalogue of one's own can be switched while the program runs. Constant once read; any thread.
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

/// Where tr() looks. Texts live as long as the object.
class Translations {
 public:
  struct Entry {
    std::string_view text;             ///< English, the first of its forms
    std::string_view plural;           ///< English; empty: it has one form
    std::vector<const char*> forms{};  ///< translated
  };

  virtual ~Translations() = default;
  /// Null where there is none.
  virtual const char* find(std::string_view text) const = 0;
  /// The form of `one` that goes with n; null where there is none.
  virtual const char* findPlural(std::string_view one, std::uint64_t n) const = 0;
  /// Empty where they are made when they are asked for.
  virtual const std::vector<Entry>& all() const = 0;
};

class Catalogue final : public Translations {
 public:
  /// BadInput with the file and what is wrong with it; at most 64 MiB.
  static Result<std::unique_ptr<Catalogue>> read(const std::string& path);
  static Result<std::unique_ptr<Catalogue>> parse(std::string bytes);

  const char* find(std::string_view text) const override;
  const char* findPlural(std::string_view one, std::uint64_t n) const override;

  const std::vector<Entry>& all() const override { return entries_; }
  const PluralRule& plurals() const { return plurals_; }
  /// A line of the header, "X-Language-Name"; empty when it has none.
  std::string header(std::string_view name) const;
  /// All that its translations are made of, beyond ASCII.
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
