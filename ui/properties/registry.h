// SPDX-License-Identifier: Apache-2.0
// The registry of all parameters and read-outs. Each is declared once, and its declaration provides the ImGui control,
// the widget of the Qt inspector, the script key, the session field, the help and the explain card. A new parameter
// needs one declaration; no other code knows its name. The exhibits fill the registry at start; it is const afterwards.
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

/// Keys of a choice, each with its label, N_("…").
using Options = std::vector<std::pair<std::string, std::string>>;

enum class Kind { Toggle, Integer, Real, Choice, Text };
enum class Scale { Linear, Logarithmic };

struct Property {
  std::string key;         ///< "flow.p", or "flow.points[].e" for every element of a list
  Into into{};             ///< the member of a state that read() sets: &BiasState::horizon; empty: none
  std::string label;       ///< N_("…"), translated where shown
  std::string symbol;      ///< as in the paper: "p"
  std::string unit;        ///< "nats", empty when none
  Kind kind = Kind::Real;  ///< optional if `fallback`, `choices` or `options` determine it
  double min = 0, max = 1;
  bool open = false;  ///< min and max themselves are outside the domain
  Scale scale = Scale::Linear;
  double step = 0.01;                                     ///< for a key press or a click on a spin arrow; Integer: >= 1
  int digits = 3;                                         ///< decimals shown; Integer: none
  std::vector<std::string> choices;                       ///< Kind::Choice: keys
  Options options;                                        ///< instead of `choices` and `choiceLabel`
  std::function<std::vector<std::string>()> liveChoices;  ///< instead of `choices` if the list is built at start
  Value fallback;                                         ///< without the key in a document; default: the first choice
  std::string help;                                       ///< one or two sentences, N_("…")
  std::string equation;                                   ///< "Local-to-Global, Theorem 2"
  std::string formula;                                    ///< of its card, in the markup of formula.h; may be empty
  std::vector<std::string> errata;                        ///< ids of errata.h that a reader should know here
  std::function<bool(const Document&)> formulaApplies;    ///< as in ReadOut
  bool undoable = true;
  bool detail = false;       ///< rarely set: folded away in the inspector
  bool inPicture = false;    ///< set in the picture or by commands: not listed in the panel beside it
  bool file = false;         ///< Kind::Text: the path of a file; a session stores it relative to itself
  std::size_t elements = 0;  ///< limit for the list behind "[]" in the key; 0: kMostElements
  std::string listOf;        ///< Kind::Integer: the list ("flow.points") of which it is an index; -1: none
  bool eager = false;        ///< Kind::Text: set on every keystroke
  bool color = false;        ///< Kind::Text: "#rrggbb", or empty if no colour is chosen
  std::function<std::string(const std::string&)> choiceLabel;  ///< label of a choice, translated; empty: its key
  std::function<bool(const Document&)> applies;  ///< whether it has a meaning now (p of another field); empty: always
  /// Label and symbol in one text if they depend on the document ("Coordinate x" of another field); empty: those above.
  std::function<std::string(const Document&)> liveLabel;
  /// Applies a new value's effects on other fields: returns the complete document, or Usage with a sentence if the
  /// value does not fit them (a lower end above the upper one). `before`: without the value. Empty: no effects.
  std::function<Result<Document>(const Document& before, const Document& with)> follow;
  /// Replaces `fallback` by a value from outside the document (the tags of a run). Empty: not used.
  std::function<Value()> live;
};

struct ReadOut {
  std::string key;  ///< "flow.points[].limit.kind"
  std::string label, symbol, unit, help, equation;
  // The card that explains the number.
  std::string formula;                                ///< in the markup of formula.h; empty: only words explain it
  std::function<std::string(int index)> withNumbers;  ///< the formula with the present numbers, in the same markup
  std::vector<std::string> errata;                    ///< ids of errata.h
  /// Whether formula, numbers, equation and errata apply to what is shown (not to another field); empty: always.
  std::function<bool(const Document&)> formulaApplies;
  int digits = 6;
  /// `index` of the list element, -1 outside lists.
  std::function<Value(int index)> get;
  std::function<bool(const Document&)> applies;           ///< as in Property
  std::function<std::string(const Document&)> liveLabel;  ///< as in Property
  std::function<std::string(const std::string&)> words;   ///< "local-min" in words, translated
  std::function<std::string(double)> numberWords;         ///< where decimals are unsuitable: "1 − 3.7e−09"
  bool detail = false;                                    ///< for experts: integrator, device, status
};

/// Converts a value to the type of the property (a number for "0.5", a bool for "true"), or returns Usage with a
/// sentence: not a number, outside its range (with the range), not a choice (with the choices). The sentence names the
/// property by its symbol or label. `key`: added in parentheses, for requests from scripts and files. `kept`: the
/// present value, which stays; a number is mentioned in the sentence.
Result<Value> accept(const Property& property, const Value& value, std::string_view key = {}, const Value& kept = {});
/// Label and symbol for display: "P(0→1)  p"; from liveLabel if there is one.
std::string nameOf(const Property& property, const Document& document);
std::string nameOf(const ReadOut& readOut, const Document& document);
/// The name of a parameter in a sentence or an undo step: its symbol, otherwise its label.
std::string shortName(const Property& property);
/// The value as text for display: decimals of the declaration, U+2212 as the minus sign, "yes"/"no", labels of choices,
/// `words` of read-outs; an en dash for a missing value.
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

  /// The value in the document, or the fallback. Monostate for an unknown key or a missing list element.
  Value get(const Document& document, std::string_view key) const;
  double real(const Document& document, std::string_view key) const;
  bool toggle(const Document& document, std::string_view key) const;
  std::string text(const Document& document, std::string_view key) const;

  /// Sets the members of `state` that are named by properties whose keys begin with `prefix`, from the document or the
  /// fallbacks. Other members are unchanged. Properties of list elements set nothing.
  template <class State>
  void read(const Document& document, State& state, std::string_view prefix = {}) const {
    readInto(Into::kindOf<State>(), &state, document, prefix);
  }

  /// A document with the value as converted by accept(), or Usage with a sentence, also for an unknown key, a read-out
  /// and an index beyond the end of a list. The document itself never contains a value that this function refuses.
  Result<Document> set(const Document& document, std::string_view key, const Value& value) const;
  /// Checks every known field of an opened document. BadInput names the first refused field, the value and the range.
  Result<void> check(const Document& document) const;

  /// The parameter key most similar to a mistyped one; empty if none is similar.
  std::string nearest(std::string_view key) const;

 private:
  void readInto(const void* kind, void* state, const Document& document, std::string_view prefix) const;

  std::vector<Property> properties_;
  std::vector<ReadOut> readOuts_;
  std::map<const void*, std::vector<std::size_t>> rowsInto_;  ///< indices into properties_, by type of state
  std::map<std::string, std::size_t, std::less<>> propertyIndex_, readOutIndex_;  ///< by declared key
};

}  // namespace sepx::ui
