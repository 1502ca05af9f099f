#include "bindings/systems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/io/schema.hpp"

namespace ricochet::python {

namespace {

using Shape = std::vector<py::ssize_t>;

std::string shape_text(const Shape& shape) {
  if (shape.empty()) return "one number";
  if (shape == Shape{1}) return "1 number";
  return fmt::format("{} numbers", fmt::join(shape, " x "));
}

// Axes of length one mean nothing: a system of one coordinate may give its mass as a number.
Shape squeezed(Shape shape) {
  shape.erase(std::remove(shape.begin(), shape.end(), 1), shape.end());
  return shape;
}

Shape shape_of(const Doubles& values) { return {values.shape(), values.shape() + values.ndim()}; }

py::array_t<double> array_of(std::span<const double> values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

std::string checked_name(const py::handle& name, const std::string& what) {
  if (!py::isinstance<py::str>(name)) {
    throw py::type_error(fmt::format("{} must be names, but one is {}", what, std::string(py::repr(name))));
  }
  auto text = name.cast<std::string>();
  if (!io::is_valid_name(text)) {
    throw std::invalid_argument(
        fmt::format("{}: '{}' is no name; names are letters, digits, '_' and '-', after a letter", what, text));
  }
  return text;
}

// A text is a sequence of texts, too, but never meant as one.
py::iterable checked_list(const py::object& values, const std::string& what) {
  if (py::isinstance<py::str>(values) || !py::isinstance<py::iterable>(values)) {
    throw py::type_error(fmt::format("{} must be a list of names, but are {}", what, std::string(py::repr(values))));
  }
  return values;
}

class PythonSystem final : public model::LagrangianSystem, private PythonLaw {
 public:
  PythonSystem(const std::string& name, py::object system, bool planar, std::shared_ptr<PendingError> pending)
      : PythonLaw(fmt::format("system '{}'", name), std::move(pending)),
        system_(std::move(system)),
        directions_(planar ? 1 : 2) {
    read_coordinates();
    read_contacts();
    read_size();
    mass_ = required_method("mass", "no method mass(time, q)");
    force_ = required_method("force", "no method force(time, q, v)");
    potential_ = method("potential");
    tangents_ = method("tangents");
    if (contacts_.empty()) return;
    displacements_ = required_method("displacements", "contacts, but no method displacements(contact, time, q)");
    gradients_ = required_method("gradients", "contacts, but no method gradients(contact, time, q)");
    rates_ = method("rates");
    place_ = method("place");
  }

  std::vector<std::string> coordinates() const override { return coordinates_; }
  std::vector<ContactName> contacts() const override { return contacts_; }
  double size() const override { return size_; }
  int slip_directions() const override { return directions_; }

  void mass(double time, std::span<const double> q, std::span<double> mass) const override {
    with_python([&] { fill(mass_(time, array_of(q)), "mass(time, q)", {count(), count()}, mass); });
  }

  void force(double time, std::span<const double> q, std::span<const double> v,
             std::span<double> force) const override {
    with_python([&] { fill(force_(time, array_of(q), array_of(v)), "force(time, q, v)", {count()}, force); });
  }

  double potential(double time, std::span<const double> q) const override {
    double result = 0;
    if (!potential_) return result;
    with_python([&] { fill(potential_(time, array_of(q)), "potential(time, q)", {}, {&result, 1}); });
    return result;
  }

  void tangents(double time, std::span<const double> q, std::span<const double> v, std::span<double> stiffness,
                std::span<double> damping) const override {
    if (!tangents_) return;
    with_python([&] {
      const auto [k, c] =
          pair_of(tangents_(time, array_of(q), array_of(v)), "tangents(time, q, v)", "(stiffness, damping)");
      if (!k.is_none()) fill(k, "the stiffness of tangents(time, q, v)", {count(), count()}, stiffness);
      if (!c.is_none()) fill(c, "the damping of tangents(time, q, v)", {count(), count()}, damping);
    });
  }

  void displacements(int contact, double time, std::span<const double> q,
                     std::span<double> displacements) const override {
    with_python([&] {
      fill(displacements_(contact, time, array_of(q)), of_contact("displacements", contact), {1 + directions_},
           displacements);
    });
  }

  void gradients(int contact, double time, std::span<const double> q, std::span<double> gradients) const override {
    with_python([&] {
      fill(gradients_(contact, time, array_of(q)), of_contact("gradients", contact), {1 + directions_, count()},
           gradients);
    });
  }

  void rates(int contact, double time, std::span<const double> q, std::span<double> rates) const override {
    if (!rates_) return;
    with_python(
        [&] { fill(rates_(contact, time, array_of(q)), of_contact("rates", contact), {1 + directions_}, rates); });
  }

  Place place(int contact, double time, std::span<const double> q) const override {
    Place result;
    if (!place_) return result;
    with_python([&] {
      const std::string who = of_contact("place", contact);
      const auto [point, normal] = pair_of(place_(contact, time, array_of(q)), who, "(point, normal)");
      fill(point, fmt::format("the point of {}", who), {3}, {result.point.data(), 3});
      fill(normal, fmt::format("the normal of {}", who), {3}, {result.normal.data(), 3});
      if (std::abs(result.normal.norm() - 1) > 1e-9 || (directions_ == 1 && result.normal.z() != 0)) {
        throw std::invalid_argument(fmt::format("{}: the normal of {} must be a unit vector{}, but is {}", title(), who,
                                                directions_ == 1 ? " in the plane (z = 0)" : "",
                                                std::string(py::repr(normal))));
      }
    });
    return result;
  }

 private:
  py::ssize_t count() const { return static_cast<py::ssize_t>(coordinates_.size()); }

  // A null object if there is none.
  py::object method(const char* name) const {
    py::object found = py::getattr(system_, name, py::none());
    if (found.is_none()) return {};
    if (PyCallable_Check(found.ptr()) == 0) throw py::type_error(fmt::format("{}: {} is no method", title(), name));
    return found;
  }

  py::object required_method(const char* name, const char* complaint) const {
    py::object found = method(name);
    if (!found) throw py::type_error(fmt::format("{} has {}", title(), complaint));
    return found;
  }

  void read_coordinates() {
    const std::string what = fmt::format("the coordinates of {}", title());
    if (!py::hasattr(system_, "coordinates")) throw py::type_error(fmt::format("{} has no coordinates", title()));
    for (const py::handle name : checked_list(system_.attr("coordinates"), what)) {
      coordinates_.push_back(checked_name(name, what));
    }
  }

  // Names of what touches, or pairs: what touches, and what it touches.
  void read_contacts() {
    const std::string what = fmt::format("the contacts of {}", title());
    const py::object contacts = py::getattr(system_, "contacts", py::tuple());
    for (const py::handle contact : checked_list(contacts, what)) {
      if (py::isinstance<py::str>(contact)) {
        contacts_.push_back({checked_name(contact, what), "obstacle"});
      } else if (py::isinstance<py::sequence>(contact) && py::len(contact) == 2) {
        const auto names = py::reinterpret_borrow<py::sequence>(contact);
        contacts_.push_back({checked_name(py::object(names[0]), what), checked_name(py::object(names[1]), what)});
      } else {
        throw py::type_error(
            fmt::format("{} must be names, or pairs of names (what touches, and what it touches), but "
                        "one is {}",
                        what, std::string(py::repr(contact))));
      }
    }
  }

  void read_size() {
    const py::object given = py::getattr(system_, "size", py::none());
    if (given.is_none()) return;
    fill(given, "size", {}, {&size_, 1});
    if (size_ > 0) return;
    throw std::invalid_argument(fmt::format("{}: size must be a length above 0 (m), but is {}", title(), size_));
  }

  std::string of_contact(const char* method, int contact) const {
    return fmt::format("{}(contact, time, q) of contact '{}'", method,
                       contacts_[static_cast<std::size_t>(contact)].first);
  }

  void fill(const py::object& value, std::string_view who, const Shape& shape, std::span<double> result) const {
    const std::string full = fmt::format("{}: {}", title(), who);
    const Doubles values = finite_numbers(value, full);
    if (squeezed(shape_of(values)) != squeezed(shape)) {
      throw std::invalid_argument(
          fmt::format("{} must give {}, but gave {}", full, shape_text(shape), shape_text(shape_of(values))));
    }
    std::copy(values.data(), values.data() + values.size(), result.begin());
  }

  std::pair<py::object, py::object> pair_of(const py::object& value, std::string_view who, const char* what) const {
    const bool is_pair = py::isinstance<py::sequence>(value) && !py::isinstance<py::str>(value) && py::len(value) == 2;
    if (!is_pair) {
      throw std::invalid_argument(
          fmt::format("{}: {} must give {}, but gave {}", title(), who, what, std::string(py::repr(value))));
    }
    const auto both = py::reinterpret_borrow<py::sequence>(value);
    return {both[0], both[1]};
  }

  py::object system_;
  int directions_ = 1;
  std::vector<std::string> coordinates_;
  std::vector<ContactName> contacts_;
  double size_ = 1;
  py::object mass_, force_, potential_, tangents_, displacements_, gradients_, rates_, place_;
};

VectorX start_values(const SystemStart& start, const py::object& given, const char* what, std::size_t count) {
  if (given.is_none()) return VectorX::Zero(static_cast<Eigen::Index>(count));
  const Doubles values = Doubles::ensure(given);
  if (!values || values.ndim() > 1 || static_cast<std::size_t>(values.size()) != count) {
    PyErr_Clear();
    throw std::invalid_argument(fmt::format("system '{}' needs {} number{} for {}, but was given {}", start.name, count,
                                            count == 1 ? "" : "s", what, std::string(py::repr(given))));
  }
  return Eigen::Map<const VectorX>(values.data(), values.size());
}

template <class Elements>
void require_free(const std::string& name, const Elements& elements, const char* kind) {
  const auto is_taken = [&](const auto& element) { return element.name == name; };
  if (std::none_of(elements.begin(), elements.end(), is_taken)) return;
  throw std::invalid_argument(fmt::format("system '{}' has the name of a {}; give it another", name, kind));
}

void add_system(const SystemStart& start, const std::shared_ptr<PendingError>& pending, model::Model& model) {
  require_free(start.name, model.systems, "system that is there already");
  require_free(start.name, model.bodies, "body");
  require_free(start.name, model.contacts, "contact rule");
  auto equations = std::make_shared<PythonSystem>(start.name, start.system, model.planar, pending);
  const std::size_t count = equations->coordinates().size();
  model::Node node;
  node.name = start.name;
  node.kind = model::NodeKind::generalised;
  node.coordinates = start_values(start, start.q, "q", count);
  node.rates = start_values(start, start.v, "v", count);
  model::ContactRule rule;
  rule.name = start.name;
  rule.law = start.law;
  rule.system = {static_cast<int>(model.systems.size())};
  model.systems.push_back({start.name, {static_cast<int>(model.nodes.size())}, std::move(equations)});
  model.nodes.push_back(std::move(node));
  model.contacts.push_back(std::move(rule));
}

}  // namespace

void add_systems(const py::iterable& systems, const std::shared_ptr<PendingError>& pending, model::Model& model) {
  for (const py::handle system : systems) {
    if (!py::isinstance<SystemStart>(system)) throw py::type_error("systems must be ricochet.SystemStart");
    add_system(system.cast<const SystemStart&>(), pending, model);
  }
}

void bind_systems(py::module_& module) {
  using namespace py::literals;
  py::class_<SystemStart>(module, "SystemStart",
                          "A system in minimal coordinates, its name in probes, where it starts, and the law of its "
                          "contacts. The system is a ricochet.System, or any object with its methods.")
      .def(py::init([](const py::str& name, py::object system, py::object q, py::object v, double friction,
                       double restitution, double tangential_restitution) {
             SystemStart start{checked_name(name, "systems"), std::move(system), std::move(q), std::move(v), {}};
             start.law.friction = friction;
             start.law.restitution = restitution;
             start.law.tangential_restitution = tangential_restitution;
             return start;
           }),
           "name"_a, "system"_a, py::kw_only(), "q"_a = py::none(), "v"_a = py::none(), "friction"_a = 0.0,
           "restitution"_a = 0.0, "tangential_restitution"_a = 0.0)
      .def_readonly("name", &SystemStart::name)
      .def_readonly("system", &SystemStart::system);
}

}  // namespace ricochet::python
