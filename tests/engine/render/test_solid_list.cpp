// SPDX-License-Identifier: Apache-2.0
#include "engine/render/solid_list.h"

#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/engine/render/sample_scene3.h"

namespace sepx::render {
namespace {

constexpr float kFloatNaN = std::numeric_limits<float>::quiet_NaN();

SolidList listOf(const Scene3& scene, double scale = 1) {
  SolidList list;
  EdgeCache edges;
  const auto side = [&](double points) { return static_cast<std::uint32_t>(points * scale); };
  const ClipBox box{static_cast<std::int32_t>(scene.plot.min.x * scale),
                    static_cast<std::int32_t>(scene.plot.min.y * scale), side(scene.plot.width()),
                    side(scene.plot.height())};
  list.make(scene, placeScene({}, scale, side(scene.plot.max.x), side(scene.plot.max.y)), box, edges);
  return list;
}

Surface surfaceOf(std::shared_ptr<const Mesh> mesh, Color color) {
  Surface surface;
  surface.mesh = std::move(mesh);
  surface.color = color;
  return surface;
}

// The distance of the centre of each triangle from the eye, in drawing order.
std::vector<double> depths(const Scene3& scene, const std::vector<std::uint32_t>& indices) {
  std::vector<SurfaceVertex> vertices(surfaceVertices(scene));
  writeSurfaceVertices(scene, vertices.data());
  const auto projection = Projection3::of(scene);
  std::vector<double> found;
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const float* at = vertices.at(indices[i + k]).position;
      sum -= projection->eye({at[0], at[1], at[2]}).z;
    }
    found.push_back(sum / 3);
  }
  return found;
}

const Rect kSolidPlot{{40, 30}, {360, 270}};

}  // namespace

TEST_CASE("Opaque triangles are sorted from near to far, translucent ones from far to near", "[solid]") {
  for (const bool turned : {false, true}) {
    Scene3 scene = test::sampleScene3(kSolidPlot, 12);
    if (turned) std::reverse(scene.surfaces.begin(), scene.surfaces.end());
    scene.surfaces.push_back(
        surfaceOf(test::graph(9, 0.8, [](double x, double y) { return x + y; }), {0.5F, 0.5F, 0.5F, 1}));
    const SolidList list = listOf(scene);
    CHECK(list.sheets.size() == 3 * 2 * 2 * 12 * 12);
    CHECK(list.opaque.size() == 3 * (2 * 4 + 2 * 81));
    const auto sheets = depths(scene, list.sheets), opaque = depths(scene, list.opaque);
    // The sort uses 32 bits of the depth.
    const auto ascending = [](double a, double b) { return a < b - 1e-5; };
    CHECK(std::is_sorted(opaque.begin(), opaque.end(), ascending));
    CHECK(std::is_sorted(sheets.rbegin(), sheets.rend(), ascending));
  }
}

TEST_CASE("Slabs contain every sheet, every soft piece and every marker once and in order", "[solid]") {
  const Scene3 scene = test::sampleScene3(kSolidPlot, 16);
  const SolidList list = listOf(scene);
  REQUIRE(list.slabs.size() > 10);
  CHECK(list.soft.size() > list.tubes.size());  // tubes again, faded pieces, outlines
  CHECK(list.markers.size() == 3);
  std::uint32_t sheet = 0, soft = 0, mark = 0;
  const std::vector<double> depth = depths(scene, list.sheets);
  const auto projection = Projection3::of(scene);
  for (std::size_t i = 0; i < list.slabs.size(); ++i) {
    const Slab& slab = list.slabs[i];
    CHECK(slab.firstSheet == sheet);
    CHECK(slab.firstSoft == soft);
    CHECK(slab.firstMarker == mark);
    sheet += slab.sheets;
    soft += slab.soft;
    mark += slab.markers;
    // A piece in an earlier slab is not nearer than the sheets of a later slab.
    if (slab.soft > 0 && sheet < list.sheets.size()) {
      const TubeRecord& last = list.soft[soft - 1];
      CHECK((last.z0 + last.z1) / 2 >= projection->depthValue(depth[sheet / 3]) - 1e-5);
    }
  }
  CHECK(sheet == list.sheets.size());
  CHECK(soft == list.soft.size());
  CHECK(mark == list.markers.size());
}

TEST_CASE("Without sheets tubes are drawn once and there are no slabs", "[solid]") {
  Scene3 scene = test::sampleScene3(kSolidPlot, 8);
  for (Surface& surface : scene.surfaces)
    surface.color.a = 1;
  const SolidList list = listOf(scene);
  CHECK(list.sheets.empty());
  CHECK(list.slabs.empty());
  CHECK_FALSE(list.tubes.empty());
  for (const TubeRecord& piece : list.soft)
    CHECK((piece.kind & 2U) == 0);
  for (const TubeRecord& piece : list.tubes)
    CHECK((piece.kind & 2U) == 2);
}

TEST_CASE("The records of a tube are in picture pixels, and the tube is nearer than its axis", "[solid]") {
  Scene3 scene;
  scene.plot = kSolidPlot;
  scene.eye = test::orbit(0, 0, 4);
  Tube tube;
  tube.points = {{0, -0.5, 0}, {0, 0.5, 0.25}};
  tube.width = 4;
  scene.tubes.push_back(tube);
  for (const double scale : {1.0, 2.0}) {
    const SolidList list = listOf(scene, scale);
    REQUIRE(list.tubes.size() == 1);
    const TubeRecord& piece = list.tubes[0];
    const Point from = *toPage(scene, tube.points[0]), to = *toPage(scene, tube.points[1]);
    CHECK(piece.segment.p0[0] == Approx(scale * (from.x - kSolidPlot.min.x)));
    CHECK(piece.segment.p0[1] == Approx(scale * (from.y - kSolidPlot.min.y)));
    CHECK(piece.segment.p1[0] == Approx(scale * (to.x - kSolidPlot.min.x)));
    CHECK(piece.segment.halfWidth == Approx(2 * scale));
    const auto projection = Projection3::of(scene);
    CHECK(piece.z0 < projection->depthValue(4));
    CHECK(piece.z0 > projection->depthValue(3.9));
    CHECK(piece.slope == Approx(0));
  }
}

TEST_CASE("The record of the eye gives the pixels of toPage", "[solid]") {
  for (const bool perspective : {true, false}) {
    Scene3 scene = test::sampleScene3(kSolidPlot, 4);
    scene.eye = test::orbit(0.9, 0.3, 5, perspective);
    const SolidList list = listOf(scene, 2);
    const EyeRecord& eye = list.eye;
    CHECK(list.perspective == perspective);
    for (const Point3 at : {Point3{0.3, -0.7, 0.2}, Point3{-1, 0.5, -0.4}}) {
      const auto row = [&](const float(&r)[4]) { return r[0] * at.x + r[1] * at.y + r[2] * at.z + r[3]; };
      const double x = row(eye.toEye[0]), y = row(eye.toEye[1]), depth = -row(eye.toEye[2]);
      const double w = eye.depth[2] * depth + eye.depth[3];
      const double clipX = eye.scale[0] * x + eye.scale[2] * w, clipY = eye.scale[3] * w - eye.scale[1] * y;
      const Point page = *toPage(scene, at);
      CHECK((clipX / w + 1) / 2 * 640 == Approx(2 * (page.x - kSolidPlot.min.x)));
      CHECK((clipY / w + 1) / 2 * 480 == Approx(2 * (page.y - kSolidPlot.min.y)));
      CHECK((eye.depth[0] * depth + eye.depth[1]) / w == Approx(Projection3::of(scene)->depthValue(depth)));
    }
  }
}

TEST_CASE("Evenly spaced contour values are stored as a start and a step, others as a list", "[solid]") {
  Scene3 scene;
  scene.plot = kSolidPlot;
  scene.eye = test::orbit(0.5, 0.5, 4);
  Surface surface = surfaceOf(test::wall(0, 1), {0.5F, 0.5F, 0.5F, 1});
  surface.contours = {-0.5F, -0.25F, 0, 0.25F, 0.5F};
  scene.surfaces.push_back(surface);
  surface.contours = {0.5F, 0.1F, 0.2F};
  surface.contourWidth = 3;
  scene.surfaces.push_back(surface);
  surface.contours = {0.7F};
  surface.clipped = false;
  scene.surfaces.push_back(surface);
  surface.contours = {kFloatNaN, 0.5F};
  scene.surfaces.push_back(surface);
  surface.contours.clear();
  scene.surfaces.push_back(surface);
  const SolidList list = listOf(scene, 2);
  REQUIRE(list.styles.size() == 5);
  const auto lines = [&](std::size_t i) { return list.styles[i].flags >> 8 & 0xfffU; };
  const auto uneven = [&](std::size_t i) { return (list.styles[i].flags & 64U) != 0; };
  CHECK(lines(0) == 5);
  CHECK_FALSE(uneven(0));
  CHECK(list.styles[0].contourStart == -0.5F);
  CHECK(list.styles[0].contourStep == 0.25F);
  CHECK(list.styles[0].flags >> 20 == 16);  // half of 2 pixels
  CHECK(lines(1) == 3);
  CHECK(uneven(1));
  CHECK(list.contours.at(list.styles[1].firstContour + 2) == 0.5F);
  CHECK(list.styles[1].flags >> 20 == 48);
  CHECK(lines(2) == 1);
  CHECK_FALSE(uneven(2));
  CHECK((list.styles[1].flags & 32U) == 32);
  CHECK((list.styles[2].flags & 32U) == 0);
  CHECK(lines(3) == 1);  // NaN is not a contour line
  CHECK(lines(4) == 0);
}

TEST_CASE("Invalid elements are omitted", "[solid]") {
  Scene3 scene;
  scene.plot = kSolidPlot;
  scene.eye = test::orbit(0.5, 0.5, 4);
  auto mesh = std::make_shared<Mesh>(*test::wall(0, 1));
  mesh->positions.push_back({kFloatNaN, 0, 0});
  mesh->positions.push_back({1e30F, 0, 0});
  mesh->triangles = {0, 1, 2, 0,  1, 4, 0, 1,
                     5, 0, 1, 77, 2, 2, 2, 3};  // NaN, too large, invalid index, and an extra index
  scene.surfaces.push_back(surfaceOf(mesh, {1, 1, 1, 1}));
  scene.surfaces.push_back(surfaceOf(nullptr, {1, 1, 1, 1}));
  scene.surfaces.push_back(surfaceOf(test::wall(0, 1), {1, 1, 1, 0}));   // fully transparent
  scene.surfaces.push_back(surfaceOf(test::wall(90, 1), {1, 1, 1, 1}));  // behind the eye
  Tube tube;
  tube.points = {{0, 0, 0}, {0, 1, 0}};
  for (const float width : {0.0F, -1.0F, kFloatNaN, 1e30F}) {
    tube.width = width;
    scene.tubes.push_back(tube);
  }
  scene.markers.push_back({{0, std::nan(""), 0}});
  scene.markers.push_back({{0, 0, 0}, Shape::Circle, kFloatNaN});
  const SolidList list = listOf(scene);
  CHECK(list.opaque.size() == 6);  // the wall and the triangle without area
  CHECK(list.sheets.empty());
  CHECK(list.tubes.empty());
  CHECK(list.markers.empty());
  scene.plot = {{10, 10}, {10, 10}};
  CHECK(listOf(scene).opaque.empty());
  CHECK(listOf(Scene3{}).opaque.empty());
}

TEST_CASE("Thin lines are fainter, and translucent pieces have no core", "[solid]") {
  Scene3 scene;
  scene.plot = kSolidPlot;
  scene.eye = test::orbit(0, 0, 4);
  Tube tube;
  tube.points = {{0, -0.5, 0}, {0, 0.5, 0}};
  tube.color = {1, 1, 1, 1};
  tube.width = 0.5F;
  scene.tubes.push_back(tube);
  const SolidList thin = listOf(scene);
  REQUIRE(thin.tubes.empty());
  REQUIRE(thin.soft.size() == 1);
  CHECK(thin.soft[0].segment.halfWidth == 0.5F);
  CHECK((thin.soft[0].segment.color >> 24) == 128);
  scene.tubes[0].width = 3;
  scene.tubes[0].fade = {1, 0.2F};
  CHECK(listOf(scene).soft.size() == 1);
  scene.tubes[0].fade = {1, kFloatNaN};
  CHECK(listOf(scene).soft.at(0).segment.alpha1 == 0);
}

}  // namespace sepx::render
