#include "bindings/forces.hpp"

#include <fmt/format.h>

#include "ricochet/io/schema.hpp"

namespace ricochet::python {

namespace {

py::array_t<double> vector_array(const Vector3& vector) { return py::array_t<double>(3, vector.data()); }

py::array_t<double> quaternion_array(const math::Quaternion& q) {
  const std::array<double, 4> values = {q.w, q.x, q.y, q.z};
  return py::array_t<double>(4, values.data());
}

py::array_t<double> matrix_array(const Matrix3& matrix) {
  const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rows = matrix;
  return py::array_t<double>({3, 3}, rows.data());
}

// A law and its tangents.
class PythonForce : protected PythonLaw {
 public:
  PythonForce(py::object law, py::object stiffness, py::object damping, const std::string& name,
              std::shared_ptr<PendingError> pending)
      : PythonLaw(fmt::format("the user-defined force '{}'", name), std::move(pending)),
        law_(std::move(law)),
        stiffness_(std::move(stiffness)),
        damping_(std::move(damping)) {}

 protected:
  // What a tangent says now; None if there is none.
  template <class... Arguments>
  static py::object value_of(const py::object& tangent, const Arguments&... arguments) {
    return PyCallable_Check(tangent.ptr()) != 0 ? tangent(arguments...) : tangent;
  }

  Doubles numbers(const py::object& value) const { return finite_numbers(value, title()); }

  py::object law_, stiffness_, damping_;
};

class PythonForceLaw final : public model::ForceLaw, private PythonForce {
 public:
  using PythonForce::PythonForce;

  void evaluate(double time, std::span<const model::PointMotion> points,
                std::span<model::Wrench> wrenches) const override {
    with_python([&] {
      const Doubles values = numbers(law_(time, *motions(points)));
      const std::size_t count = points.size(), given = static_cast<std::size_t>(values.size());
      if (given != 3 * count && given != 6 * count) {
        throw std::invalid_argument(
            fmt::format("{} must give {} numbers (forces) or {} (force and torque of each body), but gave {}", title(),
                        3 * count, 6 * count, given));
      }
      const bool with_torques = given == 6 * count;
      for (std::size_t i = 0; i < count; ++i) {
        const double* first = values.data() + i * (with_torques ? 6 : 3);
        wrenches[i].force = Eigen::Map<const Vector3>(first);
        if (with_torques) wrenches[i].torque = Eigen::Map<const Vector3>(first + 3);
      }
    });
  }

  void tangents(double time, std::span<const model::PointMotion> points, MatrixX& stiffness,
                MatrixX& damping) const override {
    if (stiffness_.is_none() && damping_.is_none()) return;
    with_python([&] {
      const py::tuple arguments = motions(points);
      fill(value_of(stiffness_, time, *arguments), "stiffness", stiffness);
      fill(value_of(damping_, time, *arguments), "damping", damping);
    });
  }

 private:
  static py::tuple motions(std::span<const model::PointMotion> points) {
    py::tuple result(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) result[i] = py::cast(points[i]);
    return result;
  }

  // A number is a multiple of the identity for each point; a matrix is of positions, or of positions and rotations.
  void fill(const py::object& value, const char* what, MatrixX& matrix) const {
    if (value.is_none()) return;
    const Doubles values = numbers(value);
    const Eigen::Index all = matrix.rows(), half = all / 2;
    if (values.ndim() == 0) {
      for (Eigen::Index i = 0; i < all; ++i) matrix(i, i) = i % 6 < 3 ? *values.data() : 0;
      return;
    }
    const bool square = values.ndim() == 2 && values.shape(0) == values.shape(1);
    if (!square || (values.shape(0) != all && values.shape(0) != half)) {
      throw std::invalid_argument(fmt::format("the {} of {} must be a number, or a matrix of {} or {} rows and columns",
                                              what, title(), half, all));
    }
    const auto at = values.unchecked<2>();
    const auto place = [&](Eigen::Index i) { return values.shape(0) == all ? i : 6 * (i / 3) + i % 3; };
    for (Eigen::Index i = 0; i < values.shape(0); ++i) {
      for (Eigen::Index j = 0; j < values.shape(0); ++j) matrix(place(i), place(j)) = at(i, j);
    }
  }
};

class PythonEffortLaw final : public model::EffortLaw, private PythonForce {
 public:
  using PythonForce::PythonForce;

  double effort(double time, double coordinate, double speed) const override {
    double result = 0;
    with_python([&] { result = number(law_(time, coordinate, speed)); });
    return result;
  }

  Tangent tangent(double time, double coordinate, double speed) const override {
    Tangent result;
    if (stiffness_.is_none() && damping_.is_none()) return result;
    with_python([&] {
      const py::object k = value_of(stiffness_, time, coordinate, speed);
      const py::object c = value_of(damping_, time, coordinate, speed);
      result = {k.is_none() ? 0 : number(k), c.is_none() ? 0 : number(c)};
    });
    return result;
  }

 private:
  double number(const py::object& value) const {
    const Doubles values = numbers(value);
    if (values.size() == 1) return *values.data();
    throw std::invalid_argument(fmt::format("{} must give one number, but gave {}", title(), values.size()));
  }
};

template <class Elements>
int find_element(const Elements& elements, const std::string& name, const char* kind) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].name == name) return static_cast<int>(i);
    names.push_back(elements[i].name);
  }
  throw std::invalid_argument(
      fmt::format("there is no {} '{}'{}", kind, name, io::suggestion(name, names, "there are")));
}

BodyForce make_body_force(const py::object& bodies, py::object law, const py::object& at, py::object stiffness,
                          py::object damping, std::string name) {
  BodyForce force;
  if (py::isinstance<py::str>(bodies)) {
    force.bodies = {bodies.cast<std::string>()};
  } else {
    force.bodies = bodies.cast<std::vector<std::string>>();
  }
  force.at.assign(force.bodies.size(), Vector3::Zero());
  if (!at.is_none()) {
    const Doubles points = Doubles::ensure(at);
    if (!points || static_cast<std::size_t>(points.size()) != 3 * force.bodies.size()) {
      PyErr_Clear();
      throw std::invalid_argument("`at` must have three coordinates for each body");
    }
    for (std::size_t i = 0; i < force.at.size(); ++i) force.at[i] = Eigen::Map<const Vector3>(points.data() + 3 * i);
  }
  force.law = std::move(law);
  force.stiffness = std::move(stiffness);
  force.damping = std::move(damping);
  force.name = name.empty() ? fmt::format("{}", fmt::join(force.bodies, "-")) : std::move(name);
  return force;
}

}  // namespace

void add_forces(const py::iterable& forces, const std::shared_ptr<PendingError>& pending, model::Model& model) {
  for (const py::handle force : forces) {
    if (py::isinstance<BodyForce>(force)) {
      const auto& given = force.cast<const BodyForce&>();
      model::UserForce added;
      added.name = given.name;
      for (std::size_t i = 0; i < given.bodies.size(); ++i) {
        const int body = find_element(model.bodies, given.bodies[i], "body");
        added.points.push_back(model::point_of(model.bodies[static_cast<std::size_t>(body)], given.at[i]));
      }
      added.law = std::make_shared<PythonForceLaw>(given.law, given.stiffness, given.damping, given.name, pending);
      model.user_forces.push_back(std::move(added));
    } else if (py::isinstance<JointForce>(force)) {
      const auto& given = force.cast<const JointForce&>();
      model::UserEffort added;
      added.name = given.name;
      added.coordinate = {{find_element(model.joints, given.joint, "joint")}, given.coordinate};
      added.law = std::make_shared<PythonEffortLaw>(given.law, given.stiffness, given.damping, given.name, pending);
      model.user_efforts.push_back(std::move(added));
    } else {
      throw py::type_error("forces must be ricochet.Force or ricochet.JointForce");
    }
  }
}

void bind_forces(py::module_& module) {
  using namespace py::literals;
  using model::PointMotion;
  py::class_<PointMotion>(module, "Motion", "How a point of a body moves, as a law sees it.")
      .def_property_readonly(
          "position", [](const PointMotion& self) { return vector_array(self.position); }, "m, world")
      .def_property_readonly(
          "orientation", [](const PointMotion& self) { return quaternion_array(self.orientation); },
          "Quaternion w x y z, body to world.")
      .def_property_readonly(
          "rotation", [](const PointMotion& self) { return matrix_array(self.orientation.matrix()); },
          "Matrix, body to world.")
      .def_property_readonly(
          "velocity", [](const PointMotion& self) { return vector_array(self.velocity); }, "m/s, world")
      .def_property_readonly(
          "angular_velocity", [](const PointMotion& self) { return vector_array(self.angular_velocity); },
          "rad/s, body components")
      .def_property_readonly(
          "angular_velocity_world",
          [](const PointMotion& self) { return vector_array(self.orientation.rotate(self.angular_velocity)); },
          "rad/s, world components");

  py::class_<BodyForce>(module, "Force",
                        "A force on bodies by a Python function, law(time, motion, ...) with one Motion per body. It "
                        "gives a force (N, world) for each body, or force and torque (N m, world).")
      .def(py::init(&make_body_force), "bodies"_a, "law"_a, py::kw_only(), "at"_a = py::none(),
           "stiffness"_a = py::none(), "damping"_a = py::none(), "name"_a = "")
      .def_readonly("bodies", &BodyForce::bodies)
      .def_readonly("law", &BodyForce::law)
      .def_readonly("name", &BodyForce::name);

  py::class_<JointForce>(module, "JointForce",
                         "A force or torque along a coordinate of a joint by a Python function, law(time, coordinate, "
                         "speed), in N or N m.")
      .def(py::init([](std::string joint, py::object law, int coordinate, py::object stiffness, py::object damping,
                       std::string name) {
             if (name.empty()) name = joint;
             return JointForce{std::move(joint),     std::move(law),     coordinate,
                               std::move(stiffness), std::move(damping), std::move(name)};
           }),
           "joint"_a, "law"_a, py::kw_only(), "coordinate"_a = 0, "stiffness"_a = py::none(), "damping"_a = py::none(),
           "name"_a = "")
      .def_readonly("joint", &JointForce::joint)
      .def_readonly("law", &JointForce::law)
      .def_readonly("name", &JointForce::name);
}

}  // namespace ricochet::python
