// SPDX-License-Identifier: Apache-2.0
// An autonomous vector field dx/dt = f(x; parameters) in up to four dimensions, and the registry of the known fields.
//
// To add a field (a good first change for a newcomer):
//   1. engine/dynamics/fields/NAME.cpp    derive VectorField, end with a function std::unique_ptr<VectorField>
//   makeNAME()
//   2. engine/dynamics/field_registry.cpp one line in the list
//   3. shaders/fields/NAME.glsl           vec2 field(vec2 x, vec4 parameters)
//   4. shaders/CMakeLists.txt             one line in the list of fields
// The Flow exhibit, `sepx`, the kernels and the registry-driven tests (kernel against twin, Jacobian against
// differences, f = 0 at fixed points) then include it. Everything here is const and may be used from any thread.
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

struct FieldParameter {   ///< a number that the user can set
  std::string key;        ///< "mu"
  std::string symbol;     ///< as in the literature
  double fallback = 0.0;  ///< default value
  double min = 0.0;       ///< smallest value that the user can set
  double max = 1.0;       ///< largest value that the user can set
};

/// The kind of a limit of the flow. The order is that of the labels in a basin map.
enum class LimitKind { Undecided, GlobalMin, LocalMin, Saddle, LocalMax, Attractor };

struct FixedPoint {                       ///< where the field vanishes
  State x;                                ///< its place in phase space
  LimitKind kind = LimitKind::Attractor;  ///< Attractor, Saddle or (a source) LocalMax for fields without a potential
};

struct FieldInfo {                         ///< description of a field
  std::string key;                         ///< "duffing": name in scripts, shaders/fields/<key>.glsl
  std::string name;                        ///< shown to the user
  std::string description;                 ///< one line
  std::string equation;                    ///< plain text, e.g. "x' = v, v' = x - x^3 - delta v"
  std::vector<std::string> variables;      ///< symbols of the axes; its size is the dimension
  std::vector<FieldParameter> parameters;  ///< at most four: they are passed to the kernel as one vec4
  State windowMin, windowMax;              ///< default window
};

class VectorField {
 public:
  virtual ~VectorField() = default;
  virtual const FieldInfo& info() const = 0;                                   ///< name, variables, parameters
  int dimension() const { return static_cast<int>(info().variables.size()); }  ///< of phase space

  /// f(x). `parameters` in the order of info().parameters.
  virtual State evaluate(const State& x, std::span<const double> parameters) const = 0;
  /// f at many points of the plane at once, for pictures that need a million of them: (fx[i], fy[i]) at lift(x[i],
  /// y[i]). Fields override it with a vectorised loop, whose last bits may differ from those of evaluate(). All spans
  /// have the same size.
  virtual void evaluateMany(std::span<const double> x, std::span<const double> y, std::span<const double> parameters,
                            std::span<double> fx, std::span<double> fy) const;
  /// d f_i / d x_j
  virtual Jacobian jacobian(const State& x, std::span<const double> parameters) const = 0;
  /// The point of phase space at point (x, y) of a plane picture: x and y are the first two coordinates, and the others
  /// are zero unless the field overrides this.
  virtual State lift(double x, double y, std::span<const double> parameters) const;
  /// Known isolated fixed points. A basin map has one basin for each attractor among them.
  virtual std::vector<FixedPoint> fixedPoints(std::span<const double> parameters) const;
  /// The limit that an orbit at `x` will certainly reach, for fields that know more than isolated fixed points.
  /// Undecided: the integration continues. `start` is the initial point of the orbit, for answers that depend on what
  /// the orbit has crossed. The kernels call `classify` of shaders/fields/<key>.glsl at the same points.
  virtual bool hasClassifier() const { return false; }
  virtual LimitKind classify(const State& start, const State& x, std::span<const double> parameters) const;
  /// For fields with a function that decreases along every orbit: its height above the level below which an orbit can
  /// no longer leave the basin of `attractor`. Below that level (excess < 0) the basin is certain. A basin map stops
  /// early if the decrease is too slow to reach the level. Empty: nothing is known. In shaders/fields/<key>.glsl:
  /// #define FIELD_TRAPS, vec2 trap(vec2 x, vec4 parameters) = (excess, attractor).
  struct Trap {
    double excess = 0;  ///< height above the level, in units of that function
    int attractor = 0;  ///< among the attractors of fixedPoints(), from 0
  };
  virtual std::optional<Trap> trap(const State& x, std::span<const double> parameters) const;
  /// Bit i: f_i = 0 wherever x_i = 0, and orbits start or come so close to that plane that only log|x_i| distinguishes
  /// them from it. Basin maps then integrate this logarithm. In shaders/fields/<key>.glsl: #define FIELD_INVARIANT
  /// bvec2(...).
  virtual unsigned invariantPlanes() const { return 0; }
  /// The potential if the field is its negative gradient, otherwise empty.
  virtual std::optional<double> potential(const State& x, std::span<const double> parameters) const;
};

/// The fields by key. A value type; filled once at program start, then read from any thread.
class FieldRegistry {
 public:
  void add(std::unique_ptr<VectorField> field);         ///< once for each key, before other threads read
  const VectorField* find(std::string_view key) const;  ///< nullptr when unknown
  /// In the order in which they were added.
  const std::vector<std::shared_ptr<const VectorField>>& all() const { return fields_; }

 private:
  std::vector<std::shared_ptr<const VectorField>> fields_;
};

/// The textbook fields of engine/dynamics/fields. markov::addCanonicalFields adds the paper's.
FieldRegistry textbookFields();

}  // namespace sepx::dynamics
