// SPDX-License-Identifier: Apache-2.0
// The words of the synthetic English. Plain data; any thread.
#pragma once

#include <array>

namespace sepx::data::lexicon {

struct Noun {  ///< with its plural
  const char* one;
  const char* many;
};
struct Verb {        ///< in the present tense
  const char* many;  ///< with a plural subject: "see"
  const char* one;   ///< with a singular one: "sees"
};
/// Names with the pronoun "she".
constexpr std::array<const char*, 14> kWomen{"Anna",  "Clara", "Edith", "Grace", "Helen", "Irene",  "Julia",
                                             "Laura", "Maria", "Nora",  "Ruth",  "Sarah", "Teresa", "Vera"};
/// Names with the pronoun "he".
constexpr std::array<const char*, 14> kMen{"Adam",   "Boris", "Carl",  "David",  "Edward", "Felix",  "George",
                                           "Hector", "Isaac", "Jacob", "Martin", "Oliver", "Samuel", "Victor"};

constexpr std::array<Noun, 20> kPeople{
    ///< nouns for people
    {{"baker", "bakers"},     {"captain", "captains"},     {"child", "children"},   {"doctor", "doctors"},
     {"farmer", "farmers"},   {"friend", "friends"},       {"guest", "guests"},     {"judge", "judges"},
     {"miller", "millers"},   {"neighbour", "neighbours"}, {"painter", "painters"}, {"pupil", "pupils"},
     {"sailor", "sailors"},   {"singer", "singers"},       {"soldier", "soldiers"}, {"stranger", "strangers"},
     {"teacher", "teachers"}, {"thief", "thieves"},        {"weaver", "weavers"},   {"writer", "writers"}}};
/// Nouns for animals.
constexpr std::array<Noun, 14> kAnimals{{{"bird", "birds"},
                                         {"cat", "cats"},
                                         {"cow", "cows"},
                                         {"dog", "dogs"},
                                         {"fox", "foxes"},
                                         {"goat", "goats"},
                                         {"goose", "geese"},
                                         {"hen", "hens"},
                                         {"horse", "horses"},
                                         {"lamb", "lambs"},
                                         {"mouse", "mice"},
                                         {"owl", "owls"},
                                         {"ox", "oxen"},
                                         {"wolf", "wolves"}}};
constexpr std::array<Noun, 20> kThings{
    ///< nouns for inanimate things
    {{"apple", "apples"},   {"basket", "baskets"},   {"bell", "bells"},   {"book", "books"},   {"box", "boxes"},
     {"candle", "candles"}, {"chair", "chairs"},     {"clock", "clocks"}, {"coat", "coats"},   {"cup", "cups"},
     {"egg", "eggs"},       {"key", "keys"},         {"knife", "knives"}, {"lamp", "lamps"},   {"letter", "letters"},
     {"loaf", "loaves"},    {"picture", "pictures"}, {"ring", "rings"},   {"stone", "stones"}, {"table", "tables"}}};
/// Nouns for places.
constexpr std::array<Noun, 14> kPlaces{{{"barn", "barns"},
                                        {"bridge", "bridges"},
                                        {"church", "churches"},
                                        {"field", "fields"},
                                        {"forest", "forests"},
                                        {"garden", "gardens"},
                                        {"gate", "gates"},
                                        {"house", "houses"},
                                        {"inn", "inns"},
                                        {"mill", "mills"},
                                        {"river", "rivers"},
                                        {"shop", "shops"},
                                        {"tower", "towers"},
                                        {"wall", "walls"}}};

/// Transitive verbs, for people and animals.
constexpr std::array<Verb, 16> kActions{{{"admire", "admires"},
                                         {"carry", "carries"},
                                         {"chase", "chases"},
                                         {"fear", "fears"},
                                         {"find", "finds"},
                                         {"follow", "follows"},
                                         {"guard", "guards"},
                                         {"hear", "hears"},
                                         {"know", "knows"},
                                         {"like", "likes"},
                                         {"miss", "misses"},
                                         {"need", "needs"},
                                         {"see", "sees"},
                                         {"touch", "touches"},
                                         {"want", "wants"},
                                         {"watch", "watches"}}};
/// Intransitive verbs, for people and animals.
constexpr std::array<Verb, 14> kIntransitiveVerbs{{{"come", "comes"},
                                                   {"dance", "dances"},
                                                   {"eat", "eats"},
                                                   {"fall", "falls"},
                                                   {"go", "goes"},
                                                   {"laugh", "laughs"},
                                                   {"listen", "listens"},
                                                   {"rest", "rests"},
                                                   {"run", "runs"},
                                                   {"sing", "sings"},
                                                   {"sleep", "sleeps"},
                                                   {"wait", "waits"},
                                                   {"walk", "walks"},
                                                   {"work", "works"}}};
/// Verbs before an adjective, for things.
constexpr std::array<Verb, 6> kStates{
    {{"lie", "lies"}, {"remain", "remains"}, {"seem", "seems"}, {"stay", "stays"}, {"look", "looks"}, {"are", "is"}}};
constexpr std::array<Verb, 4> kSpeech{
    {{"say", "says"}, {"think", "thinks"}, {"write", "writes"}, {"answer", "answers"}}};
/// Adjectives before a noun.
constexpr std::array<const char*, 16> kQualities{"bright", "broken",  "clean", "empty", "good",  "green",
                                                 "heavy",  "little",  "new",   "old",   "quiet", "red",
                                                 "small",  "strange", "white", "young"};
/// Adjectives after a verb, for all nouns.
constexpr std::array<const char*, 6> kConditions{"beautiful", "cold", "lost", "old", "quiet", "strange"};
/// Prepositions before a place.
constexpr std::array<const char*, 8> kNear{"above", "behind", "beside", "by", "in", "near", "under", "at"};
/// Adverbials that begin a sentence.
constexpr std::array<const char*, 8> kOpeningAdverbials{"In the morning", "At night",     "On Sunday",   "In winter",
                                                        "Every day",      "After dinner", "Before noon", "In the rain"};
/// Adverbials that end a predicate.
constexpr std::array<const char*, 6> kClosingAdverbials{"again", "often", "alone", "slowly", "together", "in silence"};
constexpr std::array<const char*, 5> kNumbers{"two", "three", "four", "five", "ten"};  ///< before plural nouns

}  // namespace sepx::data::lexicon
