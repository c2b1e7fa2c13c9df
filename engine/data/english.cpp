// SPDX-License-Identifier: Apache-2.0
// Every paragraph is written by a Writer with its own random stream. A function that writes a noun phrase returns
// whether its verb is plural. The caller writes the verb, possibly after other words.
#include "engine/data/english.h"

#include <algorithm>
#include <string_view>

#include "engine/core/random.h"
#include "engine/data/english_lexicon.h"

namespace sepx::data {
namespace {

using namespace lexicon;

constexpr std::uint64_t kTextKey = 0x7E17'5EED, kProbeKey = 0xA6EE'0D15'7A2C'E000;

enum class Person { She, He, It, They };
struct Pronouns {
  const char *subject, *object, *own, *self;
};
Pronouns pronouns(Person person) {
  switch (person) {
    case Person::She:
      return {"she", "her", "her", "herself"};
    case Person::He:
      return {"he", "him", "his", "himself"};
    case Person::It:
      return {"it", "it", "its", "itself"};
    case Person::They:
      break;
  }
  return {"they", "them", "their", "themselves"};
}

enum class Sort { People, Animals, Things, Places };

class Writer {
 public:
  Writer(std::uint64_t key, std::uint64_t paragraph, std::vector<Agreement>* probes)
      : random_(key, paragraph), probes_(probes) {}

  /// Writes a paragraph and returns its number of sentences.
  int paragraph() {
    const int sentences = 3 + static_cast<int>(random_.below(4));
    opening();
    for (int s = 1; s < sentences; ++s)
      sentence();
    out_ += '\n';
    return sentences;
  }
  std::string take() { return std::move(out_); }

 private:
  template <class List>
  const auto& any(const List& list) {
    return list[static_cast<std::size_t>(random_.below(list.size()))];
  }
  bool chance(double p) { return random_.uniform() < p; }

  /// Writes a word, with a blank before it unless it begins a paragraph, a quotation or a bracket.
  void put(std::string_view word) {
    const bool opens = out_.empty() || out_.back() == '\n' || out_.back() == '(' || opened_;
    if (!opens) out_ += ' ';
    const std::size_t at = out_.size();
    out_ += word;
    if (capital_ && at < out_.size() && out_[at] >= 'a' && out_[at] <= 'z') out_[at] = static_cast<char>(out_[at] - 32);
    capital_ = opened_ = false;
  }
  void mark(std::string_view text) { out_ += text; }
  void beginSentence() { capital_ = true; }
  void openQuote() {
    put("\"");
    opened_ = true;
    capital_ = true;
  }

  /// Writes the form that agrees with the subject at `from`, and records the position as a probe.
  void verb(const Verb& verb, bool plural, std::size_t from) {
    choose(plural ? verb.many : verb.one, plural ? verb.one : verb.many, from);
  }
  void be(bool plural, std::size_t from) { verb({"are", "is"}, plural, from); }
  void choose(const char* right, const char* wrong, std::size_t from) {
    if (probes_ != nullptr && !capital_ && !opened_)
      probes_->push_back({out_ + ' ', right, wrong, out_.size() - std::min(from, out_.size())});
    put(right);
  }

  const Noun& noun(Sort sort) {
    switch (sort) {
      case Sort::People:
        return any(kPeople);
      case Sort::Animals:
        return any(kAnimals);
      case Sort::Things:
        return any(kThings);
      case Sort::Places:
        break;
    }
    return any(kPlaces);
  }
  Sort living() { return chance(0.6) ? Sort::People : Sort::Animals; }
  void article(std::string_view next) {
    put(std::string_view("aeiou").find(next.front()) == std::string_view::npos ? "a" : "an");
  }

  /// "the old farmer", "three cats", "an owl": a noun phrase without a clause or a place. Returns whether it is plural.
  bool simple(Sort sort) {
    const bool plural = chance(0.45);
    const Noun& head = noun(sort);
    const char* word = plural ? head.many : head.one;
    const char* quality = chance(0.35) ? any(kQualities) : nullptr;
    if (chance(0.65))
      put("the");
    else if (plural)
      put(chance(0.7) ? any(kNumbers) : "some");
    else
      article(quality != nullptr ? quality : word);
    if (quality != nullptr) put(quality);
    put(word);
    return plural;
  }

  void place() {
    put(any(kNear));
    simple(Sort::Places);
  }

  /// A noun phrase that may contain a place or a clause. Returns whether its verb is plural.
  bool phrase(Sort sort, int depth) {
    const std::size_t from = out_.size();
    const bool plural = simple(sort);
    if (depth <= 0) return plural;
    const double u = random_.uniform();
    if (u < 0.22)
      place();
    else if (u < 0.55)
      clause(sort, plural, from, depth - 1);
    return plural;
  }

  /// "that the children near the gate see", "that sees the children", "that are old".
  void clause(Sort sort, bool plural, std::size_t from, int depth) {
    put("that");
    const double u = random_.uniform();
    if (u < 0.5) {
      const std::size_t inner = out_.size();
      const bool many = chance(0.3) ? name() : phrase(living(), depth);
      verb(any(kActions), many, inner);
    } else if (u < 0.8 && sort != Sort::Things && sort != Sort::Places) {
      verb(any(kActions), plural, from);
      phrase(chance(0.5) ? Sort::Things : living(), depth - 1);
    } else {
      be(plural, from);
      put(any(kConditions));
    }
  }

  /// A name that does not take the pronoun of the hero. Returns false: its verb is singular.
  bool name() {
    put(person_ == Person::She ? any(kMen) : any(kWomen));
    return false;
  }

  /// "the key, two lamps and an egg".
  void list(Sort sort) {
    const int items = 2 + static_cast<int>(random_.below(3));
    for (int i = 0; i < items; ++i) {
      if (i > 0 && i + 1 < items) mark(",");
      if (i + 1 == items) put("and");
      simple(sort);
    }
  }

  /// The rest of a sentence after a person or an animal as subject: the verb and what follows it.
  void predicate(bool plural, std::size_t from, int depth) {
    const double u = random_.uniform();
    if (u < 0.3) {
      verb(any(kIntransitiveVerbs), plural, from);
      if (chance(0.5))
        place();
      else if (chance(0.5))
        put(any(kClosingAdverbials));
    } else if (u < 0.65) {
      verb(any(kActions), plural, from);
      phrase(chance(0.6) ? Sort::Things : living(), depth);
    } else if (u < 0.8) {
      verb(any(kActions), plural, from);
      list(chance(0.6) ? Sort::Things : Sort::Animals);
    } else {
      be(plural, from);
      put(any(kConditions));
    }
  }

  /// The first sentence, which introduces the hero of the paragraph by a name or a noun phrase.
  void opening() {
    beginSentence();
    if (chance(0.5)) {
      put(any(kOpeningAdverbials));
      mark(",");
    }
    const std::size_t from = out_.size();
    const double u = random_.uniform();
    bool plural = false;
    if (u < 0.4) {
      person_ = Person::She;
      put(any(kWomen));
    } else if (u < 0.8) {
      person_ = Person::He;
      put(any(kMen));
    } else {
      plural = u < 0.9;
      person_ = plural ? Person::They : Person::It;
      put("the");
      const Noun& head = noun(plural ? Sort::People : Sort::Animals);
      put(plural ? head.many : head.one);
    }
    heroAt_ = from;
    if (chance(0.4)) {
      mark(",");
      put(person_ == Person::It ? "which" : "who");
      predicate(plural, from, 0);
      mark(",");
    }
    predicate(plural, from, 1);
    mark(".");
  }

  bool heroPlural() const { return person_ == Person::They; }
  /// The pronoun of the hero, which a model must look up earlier in the text. The wrong form is another person's
  /// pronoun.
  void pronoun(const char* Pronouns::*form) {
    static constexpr Person kOther[] = {Person::He, Person::She, Person::They, Person::It};
    choose(pronouns(person_).*form, pronouns(kOther[static_cast<int>(person_)]).*form, heroAt_);
  }

  void heroSentence() {
    const std::size_t from = out_.size();
    pronoun(&Pronouns::subject);
    const double u = random_.uniform();
    if (u < 0.2) {
      verb(any(kActions), heroPlural(), from);
      pronoun(&Pronouns::self);
    } else if (u < 0.5) {
      verb(any(kActions), heroPlural(), from);
      pronoun(&Pronouns::own);
      put(chance(0.5) ? any(kThings).one : any(kPeople).many);
    } else {
      predicate(heroPlural(), from, 1);
    }
  }

  void thingSentence() {
    const std::size_t from = out_.size();
    const bool plural = phrase(Sort::Things, 2);
    verb(any(kStates), plural, from);
    put(any(kConditions));
    if (chance(0.3)) place();
  }

  void aside() {
    put("(");
    const std::size_t from = out_.size();
    const bool plural = phrase(chance(0.5) ? Sort::Things : Sort::Animals, 0);
    be(plural, from);
    put(any(kConditions));
    mark(")");
  }

  void spoken() {
    openQuote();
    thingSentence();
    mark(",\"");
    const std::size_t from = out_.size();
    pronoun(&Pronouns::subject);
    verb(any(kSpeech), heroPlural(), from);
  }

  void sentence() {
    beginSentence();
    const double u = random_.uniform();
    if (u < 0.34) {
      if (chance(0.3)) {
        put(any(kOpeningAdverbials));
        mark(",");
      }
      heroSentence();
    } else if (u < 0.6) {
      const std::size_t from = out_.size();
      const bool plural = phrase(living(), 2);
      predicate(plural, from, 1);
    } else if (u < 0.82) {
      thingSentence();
    } else {
      spoken();
    }
    if (chance(0.08)) aside();
    mark(".");
  }

  RandomStream random_;
  std::vector<Agreement>* probes_;
  std::string out_;
  Person person_ = Person::She;
  std::size_t heroAt_ = 0;
  bool capital_ = false, opened_ = false;
};

}  // namespace

std::string englishText(std::uint64_t seed, std::int64_t sentences) {
  std::string text;
  std::int64_t made = 0;
  for (std::uint64_t paragraph = 0; made < sentences; ++paragraph) {
    Writer writer(seed ^ kTextKey, paragraph, nullptr);
    made += writer.paragraph();
    text += writer.take();
  }
  return text;
}

std::vector<Agreement> englishAgreement(std::uint64_t seed, std::size_t count) {
  std::vector<Agreement> probes;
  for (std::uint64_t paragraph = 0; probes.size() < count; ++paragraph)
    Writer(seed ^ kProbeKey, paragraph, &probes).paragraph();
  probes.resize(count);
  return probes;
}

}  // namespace sepx::data
