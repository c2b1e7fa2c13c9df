// SPDX-License-Identifier: Apache-2.0
// The declarations of the space page: camera, box, surfaces, planes, and what is known of every point in (e, w, a).
// Getters answer monostate for what is not there now; they compute nothing.
#include <cmath>

#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/space/space_page.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

using namespace declaring;

namespace {

constexpr double kFarthestBox = 1e4;

std::string driftWords(double value) {
  return value == 0 ? std::string("0") : shownPower(value);
}

class Declaring {
 public:
  Declaring(PropertyRegistry& registry, const SpaceReadings& readings)
      : registry_(registry), r_(readings), here_(onPages({"space"}, canonical)) {}

  void all() {
    camera();
    box();
    surfaces();
    clips();
    slice();
    points();
    places();
    sections();
  }

 private:
  Property& here(Property& property) {
    property.applies = here_;
    return property;
  }
  Property number(const char* key, const char* label, const char* symbol, double min, double max, double fallback,
                  double step, int digits, const char* help) {
    Property property = real(std::string("flow.space.") + key, label, symbol, min, max, fallback, step, digits, help);
    return here(property);
  }
  Property choice(std::string key, const char* label, std::vector<std::string> choices, const char* fallback,
                  const char* help, std::function<std::string(const std::string&)> words) {
    Property property;
    property.key = std::move(key);
    property.label = label;
    property.kind = Kind::Choice;
    property.choices = std::move(choices);
    property.fallback = std::string(fallback);
    property.help = help;
    property.choiceLabel = std::move(words);
    return here(property);
  }
  void onOff(const char* key, const char* label, bool fallback, const char* help, const char* equation = "",
             std::vector<std::string> errata = {}) {
    Property property = toggle(std::string("flow.space.") + key, label, fallback, help);
    property.equation = equation;
    property.errata = std::move(errata);
    registry_.declare(here(property));
  }

  void camera() {
    const OrbitCamera home = homeCamera();
    const auto add = [&](Property property) {
      property.undoable = false;
      property.detail = true;
      registry_.declare(std::move(property));
    };
    Property yaw = number("yaw", N_("Turned by"), "", -180, 180, home.yaw, 1, 1,
                          N_("Degrees about the axis a; 0 looks along w with e to the right."));
    yaw.unit = "°";
    add(yaw);
    Property pitch = number("pitch", N_("Raised by"), "", -90, 90, home.pitch, 1, 1,
                            N_("Degrees of the eye above the plane of e and w."));
    pitch.unit = "°";
    add(pitch);
    Property distance = number("distance", N_("Distance"), "", kLeastDistance, kLargestDistance, home.distance, 0.1, 2,
                               N_("Of the eye from the middle of the view, in half sides of the box."));
    distance.scale = Scale::Logarithmic;
    add(distance);
    for (const char* axis : kSpaceAxes)
      add(number((std::string("target.") + axis).c_str(), N_("Middle of the view"), axis, -50, 50, 0, 0.05, 2,
                 N_("Where the view is centred, in half sides of the box from its centre.")));
    Property perspective = toggle("flow.space.perspective", N_("Perspective"), true,
                                  N_("Near things look larger; without it, parallel lines stay parallel and lengths "
                                     "can be compared."));
    add(here(perspective));
  }

  void box() {
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const bool low : {true, false}) {
        Property end =
            real(boxKey(axis, low), low ? N_("Box from") : N_("Box to"), kSpaceAxes[axis], -kFarthestBox, kFarthestBox,
                 low ? -2 : 2, 0.1, 2, N_("What of space is shown: surfaces and paths are cut at the box."));
        end.detail = true;
        end.follow = [axis](const Document&, const Document& with) -> Result<Document> {
          const auto value = [&](bool lower) {
            const Json& at = with.at(boxKey(axis, lower));
            return at.is_number() ? at.get<double>() : (lower ? -2.0 : 2.0);
          };
          constexpr double kThinnest = 1e-6;
          if (value(false) - value(true) > kThinnest * (1 + std::abs(value(true)))) return with;
          return fail(ErrorKind::Usage, tr("the lower end of the box is not below its upper end"));
        };
        registry_.declare(here(end));
      }
  }

  void surfaces() {
    onOff("show.theta_star", N_("Minima Θ⋆"), true,
          N_("The sheets on which S = S⋆: every point of them predicts as well as can be. Lines of equal a."),
          "Local-to-Global, Theorem 10");
    onOff("show.minima", N_("Plane e = 0"), true,
          N_("The plane e = 0: local minima on one side of w = −1/√2, local maxima on the other."),
          "Local-to-Global, Theorem 10");
    onOff("show.separatrix", N_("Unbounded"), true,
          N_("The exact surface, for p + q > 1 and w ≥ 0, whose points never come to rest. It divides the two basins. "
             "Lines of equal loss."),
          "Local-to-Global, Theorem 3", {"l2g-1", "l2g-2"});
    onOff("show.energy", N_("Energy sheet"), false,
          N_("All places with the energy of the selected point, on its side of w = 0: its path never leaves it. Lines "
             "of equal loss."),
          "Local-to-Global, (10)");
    onOff("show.curves", N_("Saddles"), true,
          N_("The line of saddles, and the stationary curves 1 + ae² = 0, w = −1/√2: strict saddles."),
          "Local-to-Global, Theorem 10", {"l2g-3"});
    onOff("show.paths", N_("Paths"), true, N_("The path of gradient flow from every initial point."));
    registry_.declare(number("opacity", N_("Opacity"), "", 0.05, 1, 0.3, 0.05, 2, N_("Of the surfaces.")));
  }

  void clips() {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string key = std::string("flow.space.clip.") + kSpaceAxes[axis];
      Property keep = choice(key + ".keep", N_("Keep of"), {"all", "below", "above"}, "all",
                             N_("Surfaces and paths are cut by a plane across this axis, so that what is inside is "
                                "seen."),
                             [](const std::string& word) {
                               return std::string(word == "below"   ? tr("what is below")
                                                  : word == "above" ? tr("what is above")
                                                                    : tr("everything"));
                             });
      keep.symbol = kSpaceAxes[axis];
      registry_.declare(keep);
      Property at = real(key + ".at", N_("Cut at"), kSpaceAxes[axis], -kFarthestBox, kFarthestBox, 0, 0.05, 3,
                         N_("Where the clip plane is; drag its corner."));
      at.applies = [here = here_, key](const Document& document) {
        const Json& keeps = document.at(key + ".keep");
        return here(document) && keeps.is_string() && keeps != "all";
      };
      registry_.declare(at);
    }
  }

  void slice() {
    onOff("slice.show", N_("Section"), true, N_("A plane across one axis, and beside the picture what it cuts."));
    registry_.declare(choice("flow.space.slice.axis", N_("Across"), {"e", "w", "a"}, "a",
                             N_("Which coordinate is the same all over the section."),
                             [](const std::string& axis) { return axis; }));
    registry_.declare(number("slice.at", N_("At"), "", -kFarthestBox, kFarthestBox, 0, 0.02, 3,
                             N_("Where the slice plane is; drag its corner, its slider, or turn the wheel over the "
                                "section.")));
    registry_.declare(
        choice("flow.space.slice.shade", N_("Shaded by"), {"basin", "loss"}, "basin",
               N_("What the pixels of the section show: where each would end, or its loss."),
               [](const std::string& word) { return std::string(word == "loss" ? tr("loss") : tr("basin")); }));
    Property method = choice(
        "flow.space.slice.method", N_("Basins by"), {"exact", "integrate"}, "exact",
        N_("By the two invariants of the flow in three dimensions, or by following every pixel; "
           "then those that differ are counted."),
        [](const std::string& word) { return std::string(word == "integrate" ? tr("integration") : tr("theory")); });
    method.errata = {"l2g-2"};
    registry_.declare(method);
  }

  using OfPoint = std::function<Value(const SpacePoint&, const FlowPoint&)>;
  void point(const char* member, const char* label, const char* symbol, const char* unit, const char* help,
             const char* equation, OfPoint get, Extra extra = {}) {
    ReadOut out;
    out.key = std::string("flow.points[].space.") + member;
    out.label = label;
    out.symbol = symbol;
    out.unit = unit;
    out.help = help;
    out.equation = equation;
    out.detail = extra.detail;
    out.words = std::move(extra.words);
    out.numberWords = std::move(extra.numberWords);
    out.applies = here_;
    out.get = [&r = r_, get = std::move(get)](int index) -> Value {
      const auto i = static_cast<std::size_t>(index);
      if (index < 0 || i >= r.results.points() || i >= r.shared.state.points.size()) return std::monostate{};
      return get(r.results.point(i), r.shared.state.points[i]);
    };
    registry_.declare(std::move(out));
  }

  void points() {
    const markov::Chain& chain = r_.shared.state.chain;
    const auto words = [](const std::string& text) {
      return text.empty() ? Value(std::monostate{}) : Value(sentenceCase(text));
    };
    point("kind", N_("Limit in space"), "", "",
          N_("Where gradient flow of (e, w, a) comes to rest from this point, by integration."),
          "Local-to-Global, Theorem 10", [](const SpacePoint& p, const FlowPoint&) { return Value(labelOf(p.kind)); },
          {.words = labelWords});
    point("theory", N_("Limit by theory"), "", "",
          N_("The same by the two invariants of the flow, without following it."), "Local-to-Global, Theorem 3",
          [](const SpacePoint& p, const FlowPoint&) { return Value(labelOf(p.theory)); },
          {.detail = true, .words = labelWords});
    point("planekind", N_("Limit in the plane"), "", "",
          N_("What the theorems of the plane say of the same e and w; attention changes the basins."),
          "Local-to-Global, Theorems 2 and 8",
          [](const SpacePoint& p, const FlowPoint&) { return Value(labelOf(p.plane)); },
          {.detail = true, .words = labelWords});
    point("status", N_("Status in space"), "", "",
          N_("Whether the point came to rest, or why nothing can be said: unbounded, on the separatrix, out of time, "
             "p + q = 1."),
          "Local-to-Global, Theorem 3",
          [](const SpacePoint& p, const FlowPoint&) {
            return Value(std::string(p.onSurface ? "unbounded" : markov::statusName(p.status)));
          },
          {.detail = true, .words = statusWords});
    point("words", N_("In words"), "", "",
          N_("Where the point ends, and how its loss compares with the two entropies."), "",
          [&chain, words](const SpacePoint& p, const FlowPoint&) { return words(spaceWords(chain, p)); });
    point("reason", N_("Because"), "", "", N_("Why nothing can be said of a limit, or why the point stays."), "",
          [words](const SpacePoint& p, const FlowPoint&) { return words(spaceReason(p)); });
    point("plane", N_("The plane says"), "", "",
          N_("Where the theorem of the plane differs from what happens in three dimensions."),
          "Local-to-Global, Theorems 2 and 8",
          [words](const SpacePoint& p, const FlowPoint& of) { return words(planeWords(p, of.a)); });
    point("loss", N_("Loss"), "L", "nats", N_("Loss at the point, with the best bias."), "Local-to-Global, Lemma 13",
          [](const SpacePoint& p, const FlowPoint&) { return valueOf(p.loss); });
    point("S", N_("Reduced"), "S", "", N_("The one number through which the loss depends on the point."),
          "Local-to-Global, Theorem 10", [](const SpacePoint& p, const FlowPoint&) { return valueOf(p.S); });
    point("energy", N_("Energy"), "E", "", N_("Constant along the flow of (e, w, a) with the best bias."),
          "Local-to-Global, (10)", [](const SpacePoint& p, const FlowPoint&) { return valueOf(p.energy); });
    point("angle", N_("Airy angle"), "φ", "",
          N_("The second invariant of the flow: with s = e² − 4a², a obeys da/ds = a² + s/4, solved by Airy functions; "
             "the angle of the solution is constant."),
          "", [](const SpacePoint& p, const FlowPoint&) { return valueOf(p.angle); });
    point("drift.energy", N_("Drift of E"), "", "",
          N_("Largest relative change on the computed path: the integrator's error, 0 for the true flow."), "",
          [](const SpacePoint& p, const FlowPoint&) { return valueOf(p.energyDrift); },
          {.detail = true, .numberWords = driftWords});
    point("drift.angle", N_("Drift of φ"), "", "",
          N_("Largest change on the computed path, radians: the integrator's error, 0 for the true flow."), "",
          [](const SpacePoint& p, const FlowPoint&) { return valueOf(p.angleDrift); },
          {.detail = true, .numberWords = driftWords});
    point("distance", N_("To surface"), "", "",
          N_("How far |e| is outside the surface of unbounded orbits at this a: above 0 the point reaches a global "
             "minimum, below 0 a local one."),
          "Local-to-Global, Theorem 3", [](const SpacePoint& p, const FlowPoint&) { return valueOf(p.distance); });
  }

  void places() {
    constexpr const char* kHelp[] = {N_("First coordinate of the limit in space."),
                                     N_("Second coordinate of the limit in space."),
                                     N_("Third coordinate of the limit in space.")};
    for (std::size_t axis = 0; axis < 3; ++axis)
      point((std::string("limit.") + kSpaceAxes[axis]).c_str(), N_("Limit in space"), kSpaceAxes[axis], "", kHelp[axis],
            "", [axis](const SpacePoint& p, const FlowPoint&) -> Value {
              if (!p.limit) return std::monostate{};
              return (*p.limit)[axis];
            });
    point("limit.loss", N_("Loss at the limit in space"), "L", "nats",
          N_("Compare it with the two entropies: H(π) is what a model reaches that ignores the last symbol."), "",
          [](const SpacePoint& p, const FlowPoint&) { return valueOf(p.limitLoss); });
  }

  void sections() {
    ReadOut differ;
    differ.key = "flow.space.slice.disagreements";
    differ.label = N_("Disagreeing pixels of the section");
    differ.digits = 0;
    differ.help = N_("On how many pixels of the section integration and theory differ.");
    differ.applies = here_;
    differ.get = [&r = r_](int) -> Value {
      const auto& section = r.results.section();
      if (!section || !section->of.integrate || !section->finished) return std::monostate{};
      return static_cast<double>(section->disagreements);
    };
    registry_.declare(std::move(differ));
    for (const markov::LimitKind kind : {markov::LimitKind::GlobalMin, markov::LimitKind::LocalMin}) {
      ReadOut share;
      share.key = "flow.space.slice.share." + labelOf(kind);
      share.label = kind == markov::LimitKind::GlobalMin ? N_("Of the section to global minima")
                                                         : N_("Of the section to local minima");
      share.help = N_("Share of the section's pixels that end there.");
      share.applies = here_;
      share.numberWords = shownShare;
      share.get = [&r = r_, kind](int) -> Value {
        const auto& section = r.results.section();
        const auto label = static_cast<std::size_t>(kind);
        if (!section || label >= section->shares.size()) return std::monostate{};
        return section->shares[label];
      };
      registry_.declare(std::move(share));
    }
  }

  PropertyRegistry& registry_;
  const SpaceReadings& r_;
  std::function<bool(const Document&)> here_;
};

}  // namespace

void declareSpace(PropertyRegistry& registry, const SpaceReadings& readings) {
  Declaring(registry, readings).all();
}

}  // namespace sepx::ui
