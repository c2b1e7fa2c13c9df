// SPDX-License-Identifier: Apache-2.0
// Every parameter and read-out is declared once, here. From the declaration come the ImGui control, the Qt inspector's
// widget, the script key, the session field, the help and the explain card. Adding a parameter is one declaration;
// nothing else knows its name. Filled by the exhibits at start; const afterwards.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/result.h"
#include "ui/document/document.h"
#include "ui/properties/into.h"

namespace sepx::ui {

std::string toString(const Value& value);  ///< locale-independent; doubles in the shortest form that reads back

/// Keys of a choice with what each is called, N_("…").
using Options = std::vector<std::pair<std::string, std::string>>;

enum class Kind { Toggle, Integer, Real, Choice, Text };
enum class Scale { Linear, Logarithmic };

struct Property {
  std::string key;         ///< "flow.p", or "flow.points[].e" for every element of a list
  Into into{};             ///< the member of a state that read() sets: &BiasState::horizon; empty: none
  std::string label;       ///< N_("…"), translated where shown
  std::string symbol;      ///< as in the paper: "p"
  std::string unit;        ///< "nats", empty when none
  Kind kind = Kind::Real;  ///< may be left out where `fallback`, `choices` or `options` say it
  double min = 0, max = 1;
  bool open = false;  ///< min and max themselves are outside the domain
  Scale scale = Scale::Linear;
  double step = 0.01;                                     ///< of a key press or a click on a spin arrow; Integer: >= 1
  int digits = 3;                                         ///< decimals shown; Integer: none
  std::vector<std::string> choices;                       ///< Kind::Choice: keys
  Options options;                                        ///< instead of `choices` and `choiceLabel`
  std::function<std::vector<std::string>()> liveChoices;  ///< instead of `choices` where the list is made at start
  Value fallback;                                         ///< of a document without the key; the first of the choices
  std::string help;                                       ///< one or two sentences, N_("…")
  std::string equation;                                   ///< "Local-to-Global, Theorem 2"
  std::string formula;                                    ///< of its card, in the markup of formula.h; may be empty
  std::vector<std::string> errata;                        ///< ids of errata.h that a person should know here
  std::function<bool(const Document&)> formulaApplies;    ///< as of ReadOut
  bool undoable = true;
  bool detail = false;       ///< set seldom: folded away in the inspector
  bool inPicture = false;    ///< set in the picture or by commands: not in the column that stands beside it
  bool file = false;         ///< Kind::Text: the path of a file; sessions hold it relative to themselves
  std::size_t elements = 0;  ///< that the list of a "[]" in the key may have at most; 0: kMostElements
  std::string listOf;  ///< Kind::Integer: the list ("flow.points") one element of which it names; -1: none of them
  bool eager = false;  ///< Kind::Text: set with every letter that is typed
  bool color = false;  ///< Kind::Text: "#rrggbb", or empty where a person has chosen none
  std::function<std::string(const std::string&)> choiceLabel;  ///< what a choice is called, translated; empty: its key
  std::function<bool(const Document&)> applies;  ///< whether it means anything now (p of another field); empty: always
  /// Label and symbol together where they follow the document ("Coordinate x" of another field); empty: those above.
  std::function<std::string(const Document&)> liveLabel;
  /// What a new value means for other fields: the document with all of it, or Usage with a sentence where the value
  /// does not go with them (a lower end above the upper one). `before`: without the value. Empty: nothing.
  std::function<Result<Document>(const Document& before, const Document& with)> follow;
  /// In place of `fallback`: the value of something outside the document (the tags of a run); empty: nothing.
  std::function<Value()> live;
};

struct ReadOut {
  std::string key;  ///< "flow.points[].limit.kind"
  std::string label, symbol, unit, help, equation;
  // The card that explains the number.
  std::string formula;                                ///< in the markup of formula.h; empty: only words explain it
  std::function<std::string(int index)> withNumbers;  ///< the formula with the present numbers, the same markup
  std::vector<std::string> errata;                    ///< ids of errata.h
  /// Whether formula, numbers, equation and errata are of what is shown (not of another field); empty: always.
  std::function<bool(const Document&)> formulaApplies;
  int digits = 6;
  /// `index` of the list element, -1 outside lists.
  std::function<Value(int index)> get;
  std::function<bool(const Document&)> applies;           ///< as of Property
  std::function<std::string(const Document&)> liveLabel;  ///< as of Property
  std::function<std::string(const std::string&)> words;   ///< "local-min" as a person says it, translated
  std::function<std::string(double)> numberWords;         ///< a number that decimals say badly: "1 − 3.7e−09"
  bool detail = false;                                    ///< for experts: integrator, device, status
};

/// The value as the property holds it (a number for "0.5", a bool for "true"), or Usage with a sentence: not a number,
/// outside its range (with the range), not a choice (with the choices). The sentence calls it by its symbol or label;
/// `key`: named too, in parentheses, where a script or a file asked; `kept`: the value that stays, where there is one.
Result<Value> accept(const Property& property, const Value& value, std::string_view key = {}, const Value& kept = {});
/// Label and symbol as a person reads them: "P(0→1)  p", by liveLabel where there is one.
std::string nameOf(const Property& property, const Document& document);
std::string nameOf(const ReadOut& readOut, const Document& document);
/// How a sentence or an undo step calls a parameter: its symbol, else its label.
std::string shortName(const Property& property);
/// As shown to a person: decimals of the declaration, a real minus sign, "yes"/"no", names of choices, words of labels;
/// an en dash for what is not there.
std::string formatValue(const Property& property, const Value& value);
std::string formatValue(const ReadOut& readOut, const Value& value);

class PropertyRegistry {
 public:
  void declare(Property property);
  void declare(ReadOut readOut);

  struct Found {
    const Property* property = nullptr;
    const ReadOut* readOut = nullptr;
    int index = -1;
  };
  /// Resolves "flow.points[2].e" to the declaration of "flow.points[].e" and 2.
  std::optional<Found> find(std::string_view key) const;

  const std::vector<Property>& properties() const { return properties_; }
  const std::vector<ReadOut>& readOuts() const { return readOuts_; }

  /// The value in the document, or the fallback.
  Value get(const Document& document, std::string_view key) const;
  double real(const Document& document, std::string_view key) const;
  bool toggle(const Document& document, std::string_view key) const;
  std::string text(const Document& document, std::string_view key) const;

  /// Fills what rows of keys that begin with `prefix` name of `state`, from the document or their fallbacks. The rest
  /// of it stays. Rows of lists fill nothing.
  template <class State>
  void read(const Document& document, State& state, std::string_view prefix = {}) const {
    readInto(Into::kindOf<State>(), &state, document, prefix);
  }

  /// A document with the value as accept() takes it, or Usage with a sentence, also for an unknown key, a read-out and
  /// an element that a list does not have. The document itself never holds a value that this refuses.
  Result<Document> set(const Document& document, std::string_view key, const Value& value) const;
  /// Checks every known field of an opened document; BadInput names the field, the value and the range.
  Result<void> check(const Document& document) const;

  /// The parameter whose key looks most like a mistyped one; empty when none does.
  std::string nearest(std::string_view key) const;

 private:
  void readInto(const void* kind, void* state, const Document& document, std::string_view prefix) const;

  std::vector<Property> properties_;
  std::vector<ReadOut> readOuts_;
  std::map<const void*, std::vector<std::size_t>> rowsInto_;  ///< of properties_, by the kind of state that they fill
  std::map<std::string, std::size_t, std::less<>> propertyIndex_, readOutIndex_;  ///< by declared key
};

}  // namespace sepx::ui
