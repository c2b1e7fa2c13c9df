// SPDX-License-Identifier: Apache-2.0
// An autonomous vector field dx/dt = f(x; parameters) in up to four dimensions, and the list of those the program
// knows.
//
// To add a field (the newcomer's first change):
//   1. engine/dynamics/fields/NAME.cpp    derive VectorField, end with a function std::unique_ptr<VectorField>
//   makeNAME()
//   2. engine/dynamics/field_registry.cpp one line in the list
//   3. shaders/fields/NAME.glsl           vec2 field(vec2 x, vec4 parameters)
//   4. shaders/CMakeLists.txt             one line in the list of fields
// The Flow exhibit, `sepx`, the kernels and the registry-driven tests (kernel against twin, Jacobian against
// differences, fixed points really fixed) then know it. Everything here is const and may be used from any thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

namespace sepx::dynamics {

/// A point of phase space; dimension 1 to 4, never on the heap.
using State = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 4, 1>;
using Jacobian = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 4, 4>;

struct FieldParameter {   ///< one number that a person may set
  std::string key;        ///< "mu"
  std::string symbol;     ///< as in the literature
  double fallback = 0.0;  ///< value before a person sets one
  double min = 0.0;       ///< least that a person may set
  double max = 1.0;       ///< most that a person may set
};

/// What a limit of the flow is. The order is that of the labels in a basin map.
enum class LimitKind { Undecided, GlobalMin, LocalMin, Saddle, LocalMax, Attractor };

struct FixedPoint {                       ///< where the field vanishes
  State x;                                ///< its place in phase space
  LimitKind kind = LimitKind::Attractor;  ///< Attractor, Saddle or (a source) LocalMax for fields without a potential
};

struct FieldInfo {                         ///< what is known of a field
  std::string key;                         ///< "duffing": name in scripts, shaders/fields/<key>.glsl
  std::string name;                        ///< for the person
  std::string description;                 ///< one line
  std::string equation;                    ///< plain text, e.g. "x' = v, v' = x - x^3 - delta v"
  std::vector<std::string> variables;      ///< symbols of the axes; its size is the dimension
  std::vector<FieldParameter> parameters;  ///< at most four: they travel to the kernel as one vec4
  State windowMin, windowMax;              ///< the window on which the field is worth seeing first
};

class VectorField {
 public:
  virtual ~VectorField() = default;
  virtual const FieldInfo& info() const = 0;                                   ///< name, variables, parameters
  int dimension() const { return static_cast<int>(info().variables.size()); }  ///< of phase space

  /// f(x). `parameters` in the order of info().parameters.
  virtual State evaluate(const State& x, std::span<const double> parameters) const = 0;
  /// f at many points of the plane at once, for pictures that want a million of them: (fx[i], fy[i]) at lift(x[i],
  /// y[i]). Fields override it with a loop over lanes; its last bits may differ from those of evaluate(). All spans of
  /// one size.
  virtual void evaluateMany(std::span<const double> x, std::span<const double> y, std::span<const double> parameters,
                            std::span<double> fx, std::span<double> fy) const;
  /// d f_i / d x_j
  virtual Jacobian jacobian(const State& x, std::span<const double> parameters) const = 0;
  /// The point of phase space that pixel (x, y) of a plane picture stands for: the first two coordinates, the others
  /// zero unless the field knows better.
  virtual State lift(double x, double y, std::span<const double> parameters) const;
  /// Known isolated fixed points; the attractors among them are the basins of a map.
  virtual std::vector<FixedPoint> fixedPoints(std::span<const double> parameters) const;
  /// What an orbit that has come to `x` will certainly reach, for fields that know more than isolated fixed points;
  /// Undecided: go on. The kernels call `classify` of shaders/fields/<key>.glsl at the same places. `start` is the
  /// orbit's first point (an orbit may only be judged by what it crossed).
  virtual bool hasClassifier() const { return false; }
  virtual LimitKind classify(const State& start, const State& x, std::span<const double> parameters) const;
  /// For fields with a function that falls along every orbit: how far it lies above the level under which an orbit can
  /// no longer leave the basin of attractor `attractor` (its index among the attractors of fixedPoints()). Below that
  /// level, excess < 0, a basin map knows the answer; and where the fall is too slow to get there it need not go on. No
  /// value: nothing is known. In shaders/fields/<key>.glsl: #define FIELD_TRAPS, vec2 trap(vec2 x, vec4 parameters) =
  /// (excess, attractor).
  struct Trap {
    double excess = 0;  ///< height above the level, in units of that function
    int attractor = 0;  ///< among the attractors of fixedPoints(), from 0
  };
  virtual std::optional<Trap> trap(const State& x, std::span<const double> parameters) const;
  /// Bit i: f_i = 0 wherever x_i = 0, and orbits come so near to that plane, or start so near, that only log|x_i| tells
  /// them from it: basin maps follow that logarithm. In shaders/fields/<key>.glsl: #define FIELD_INVARIANT bvec2(...).
  virtual unsigned invariantPlanes() const { return 0; }
  /// The potential whose negative gradient the field is, where there is one.
  virtual std::optional<double> potential(const State& x, std::span<const double> parameters) const;
};

/// The fields by key. A value; filled once at start, read from any thread afterwards.
class FieldRegistry {
 public:
  void add(std::unique_ptr<VectorField> field);         ///< once a key, before others read
  const VectorField* find(std::string_view key) const;  ///< nullptr when unknown
  /// In the order in which they were added.
  const std::vector<std::shared_ptr<const VectorField>>& all() const { return fields_; }

 private:
  std::vector<std::shared_ptr<const VectorField>> fields_;
};

/// The textbook fields of engine/dynamics/fields. markov::addCanonicalFields adds the paper's.
FieldRegistry textbookFields();

}  // namespace sepx::dynamics
