// What drivers had to do in a step, into the report: of a driven component of a node, and of a driven surface that
// bodies touch. How much work that is, the schemes know.
#pragma once

#include "ricochet/integrate/scheme.hpp"

namespace ricochet::integrate {

// `reaction` (N s, N m s) is what keeps the component on its way; `at`: where the node stands then.
inline void account_driven_component(const mechanics::DofMap& map, const mechanics::State& at,
                                     const mechanics::DrivenMotion::Component& component, double reaction, double work,
                                     double h, StepReport& report) {
  DriverRecord& driver = report.drivers[component.driver];
  const int within = component.index - map.v_start(component.node);
  if (within < 3) {
    driver.force[within] = reaction / h;
  } else {
    const math::Quaternion rotation = mechanics::orientation(map, at, component.node);
    driver.torque += rotation.rotate(Vector3(Vector3::Unit(within - 3) * (reaction / h)));
  }
  driver.power += work / h;
  report.works.drivers += work;
}

// Holds a driven surface against the impulse of a contact, along `mean`: minus the velocity of the surface there, in
// the axes of the contact. The torque is about the centre of its rotation at a time. Nothing happens if no driver moves
// it.
inline void account_driven_surface(const contact::ContactSet& contacts, const contact::Contact& contact,
                                   const ContactRecord& record, const Vector3& mean, const Vector3& mean_spin,
                                   double time, double h, StepReport& report) {
  const int index = contacts.driver(contact.key);
  const double work = -record.impulse.dot(mean) - record.moment.dot(mean_spin);
  // What is explicit in time in the gaps of a system has no name, but gives as much.
  if (contact.kind == contact::ContactKind::generalised) report.works.drivers += work;
  if (index < 0) return;
  DriverRecord& driver = report.drivers[index];
  const Vector3 force = contact::to_world(contact.axes, record.impulse) / h;
  driver.force += force;
  driver.torque += math::cross(contact.point - contacts.driver_center(contact.key, time), force) +
                   contact::to_world(contact.axes, record.moment) / h;
  driver.power += work / h;
  report.works.drivers += work;
}

}  // namespace ricochet::integrate
