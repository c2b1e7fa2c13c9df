// SPDX-License-Identifier: Apache-2.0
// The parameters of the space page: camera, box, surfaces, clip planes and the section.
#include <cmath>

#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/space/space_page.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kFarthestBox = 1e4;

Condition here() {
  return onPages({"space"}, canonical);
}

// clang-format off
void declareCamera(PropertyRegistry& registry) {
  const OrbitCamera home = homeCamera();
  const auto middle = [](const char* axis) {
    return Property{.key = std::string("target.") + axis, .label = N_("Middle of the view"), .symbol = axis,
                    .min = -50, .max = 50, .step = 0.05, .digits = 2, .fallback = 0.0,
                    .help = N_("Where the view is centred, in half sides of the box from its centre.")};
  };
  declareParameters(registry, {.prefix = "flow.space.", .applies = here(), .undoable = false, .detail = true}, {
      {.key = "yaw", .label = N_("Turned by"), .unit = "°", .min = -180, .max = 180, .step = 1, .digits = 1,
       .fallback = home.yaw, .help = N_("Degrees about the axis a; 0 looks along w with e to the right.")},
      {.key = "pitch", .label = N_("Raised by"), .unit = "°", .min = -90, .max = 90, .step = 1, .digits = 1,
       .fallback = home.pitch, .help = N_("Degrees of the eye above the plane of e and w.")},
      {.key = "distance", .label = N_("Distance"), .min = kLeastDistance, .max = kLargestDistance,
       .scale = Scale::Logarithmic, .step = 0.1, .digits = 2, .fallback = home.distance,
       .help = N_("Of the eye from the middle of the view, in half sides of the box.")},
      middle("e"), middle("w"), middle("a"),
      {.key = "perspective", .label = N_("Perspective"), .fallback = true,
       .help = N_("Near things look larger; without it, parallel lines stay parallel and lengths can be compared.")}});
}

Result<Document> boxFollows(std::size_t axis, const Document& with) {
  const auto value = [&](bool lower) {
    const Json& at = with.at(boxKey(axis, lower));
    return at.is_number() ? at.get<double>() : (lower ? -2.0 : 2.0);
  };
  constexpr double kThinnest = 1e-6;
  if (value(false) - value(true) > kThinnest * (1 + std::abs(value(true)))) return with;
  return fail(ErrorKind::Usage, tr("the lower end of the box is not below its upper end"));
}

void declareBox(PropertyRegistry& registry) {
  std::vector<Property> ends;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const bool low : {true, false})
      ends.push_back(
          {.key = boxKey(axis, low), .label = low ? N_("Box from") : N_("Box to"), .symbol = kSpaceAxes[axis],
           .min = -kFarthestBox, .max = kFarthestBox, .step = 0.1, .digits = 2, .fallback = low ? -2.0 : 2.0,
           .help = N_("What of space is shown: surfaces and paths are cut at the box."),
           .follow = [axis](const Document&, const Document& with) { return boxFollows(axis, with); }});
  declareParameters(registry, {.applies = here(), .detail = true}, std::move(ends));
}

void declareSurfaces(PropertyRegistry& registry) {
  declareParameters(registry, {.prefix = "flow.space.", .applies = here(), .formulaApplies = canonical}, {
      {.key = "show.theta_star", .label = N_("Minima Θ⋆"), .fallback = true,
       .help = N_("The sheets on which S = S⋆: every point of them predicts as well as can be. Lines of equal a."),
       .equation = "Local-to-Global, Theorem 10",
       .formula = std::string(kSpaceS) + " = S_\\star = \\log\\frac{(1-p)(1-q)}{p\\,q}"},
      {.key = "show.minima", .label = N_("Plane e = 0"), .fallback = true,
       .help = N_("The plane e = 0: local minima on one side of w = −1/√2, local maxima on the other."),
       .equation = "Local-to-Global, Theorem 10", .formula = "e = 0,\\quad \\sgn\\left((p+q-1)(1+2w|w|)\\right)"},
      {.key = "show.separatrix", .label = N_("Unbounded"), .fallback = true,
       .help = N_("The exact surface, for p + q > 1 and w ≥ 0, whose points never come to rest. It divides the two "
                  "basins. Lines of equal loss."),
       .equation = "Local-to-Global, Theorem 3", .formula = kSpaceSurface, .errata = {"l2g-1", "l2g-2"}},
      {.key = "show.energy", .label = N_("Energy sheet"), .fallback = false,
       .help = N_("All places with the energy of the selected point, on its side of w = 0: its path never leaves it. "
                  "Lines of equal loss."),
       .equation = "Local-to-Global, (10)", .formula = kSpaceEnergy},
      {.key = "show.curves", .label = N_("Saddles"), .fallback = true,
       .help = N_("The line of saddles, and the stationary curves 1 + ae² = 0, w = −1/√2: strict saddles."),
       .equation = "Local-to-Global, Theorem 10", .formula = "1+ae^2 = 0,\\quad 1+2w|w| = 0", .errata = {"l2g-3"}},
      {.key = "show.paths", .label = N_("Paths"), .fallback = true,
       .help = N_("The path of gradient flow from every initial point.")},
      {.key = "opacity", .label = N_("Opacity"), .min = 0.05, .step = 0.05, .digits = 2, .fallback = 0.3,
       .help = N_("Of the surfaces.")}});
}

void declareClips(PropertyRegistry& registry) {
  for (const char* const axis : kSpaceAxes) {
    const std::string keep = std::string("flow.space.clip.") + axis + ".keep";
    const auto cuts = [keep](const Document& document) {
      const Json& keeps = document.at(keep);
      return keeps.is_string() && keeps != "all";
    };
    declareParameters(registry, {.applies = here()}, {
        {.key = keep, .label = N_("Keep of"), .symbol = axis,
         .options = {{"all", N_("everything")}, {"below", N_("what is below")}, {"above", N_("what is above")}},
         .help = N_("Surfaces and paths are cut by a plane across this axis, so that what is inside is seen.")},
        {.key = std::string("flow.space.clip.") + axis + ".at", .label = N_("Cut at"), .symbol = axis,
         .min = -kFarthestBox, .max = kFarthestBox, .step = 0.05, .fallback = 0.0,
         .help = N_("Where the clip plane is; drag its corner."), .applies = cuts}});
  }
}

void declareSlice(PropertyRegistry& registry) {
  declareParameters(registry, {.prefix = "flow.space.slice.", .applies = here()}, {
      {.key = "show", .label = N_("Section"), .fallback = true,
       .help = N_("A plane across one axis, and beside the picture what it cuts.")},
      {.key = "axis", .label = N_("Across"), .choices = {"e", "w", "a"}, .fallback = "a",
       .help = N_("Which coordinate is the same all over the section.")},
      {.key = "at", .label = N_("At"), .min = -kFarthestBox, .max = kFarthestBox, .step = 0.02, .fallback = 0.0,
       .help = N_("Where the slice plane is; drag its corner, its slider, or turn the wheel over the section.")},
      {.key = "shade", .label = N_("Shaded by"), .options = {{"basin", N_("basin")}, {"loss", N_("loss")}},
       .help = N_("What the pixels of the section show: where each would end, or its loss.")},
      {.key = "method", .label = N_("Basins by"),
       .options = {{"exact", N_("theory")}, {"integrate", N_("integration")}},
       .help = N_("By the two invariants of the flow in three dimensions, or by following every pixel; then those "
                  "that differ are counted."),
       .errata = {"l2g-2"}}});
}
// clang-format on

}  // namespace

void declareSpace(PropertyRegistry& registry) {
  declareCamera(registry);
  declareBox(registry);
  declareSurfaces(registry);
  declareClips(registry);
  declareSlice(registry);
}

}  // namespace sepx::ui
