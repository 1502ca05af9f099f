#include "ricochet/model/machine_size.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace ricochet::model {

Vector3 placed(const Model& model, const Attachment& attachment) {
  if (!attachment.node.valid()) return attachment.offset;
  const Node& node = model.nodes[attachment.node.index];
  return node.position + node.orientation.rotate(attachment.offset);
}

namespace {

// How far a shape reaches from the origin of its axes, m; 0 where it has no end.
struct Reach {
  double operator()(const PointShape& /*shape*/) const { return 0; }
  double operator()(const SphereShape& shape) const { return shape.radius; }
  double operator()(const BoxShape& shape) const { return shape.half_extents.norm(); }
  double operator()(const CylinderShape& shape) const { return std::hypot(shape.radius, shape.half_length); }
  double operator()(const CapsuleShape& shape) const { return shape.radius + shape.half_length; }
  double operator()(const ConeShape& shape) const { return std::hypot(shape.radius, 0.5 * shape.height); }
  double operator()(const PolyhedronShape& shape) const {
    double most = 0;
    for (const Vector3& vertex : shape.vertices) most = std::max(most, vertex.norm());
    return most;
  }
  double operator()(const FaceShape& shape) const { return finite(shape.half_extents.norm()); }
  double operator()(const HollowSphereShape& shape) const { return shape.radius; }
  double operator()(const HollowCylinderShape& shape) const { return shape.radius; }

  static double finite(double length) { return std::isfinite(length) ? length : 0; }
};

double largest_reach(const Model& model, bool of_clearances) {
  double most = 0;
  for (const Body& body : model.bodies) {
    for (const ShapePart& part : body.parts) {
      if (of_clearances && part.channel == 0) continue;
      most = std::max(most, part.position.norm() + std::visit(Reach{}, part.shape));
    }
  }
  return most;
}

}  // namespace

double machine_size(const Model& model) {
  Vector3 lowest = Vector3::Constant(std::numeric_limits<double>::infinity());
  Vector3 highest = -lowest;
  const auto add = [&](const Vector3& point) {
    lowest = lowest.cwiseMin(point);
    highest = highest.cwiseMax(point);
  };
  for (const Node& node : model.nodes) {
    if (node.kind != NodeKind::generalised) add(node.position);
  }
  for (const Joint& joint : model.joints) {
    if (acts_on_coordinates(joint.type)) continue;
    add(placed(model, joint.first.attachment));
    add(placed(model, joint.second.attachment));
  }
  double size = (highest - lowest).allFinite() ? (highest - lowest).stableNorm() : 0;  // 0: there are no bodies
  size = std::max(size, largest_reach(model, true));    // a pin and its bearing stand at one place
  if (!(size > 0)) size = largest_reach(model, false);  // of a single body
  for (const System& system : model.systems) size = std::max(size, system.equations->size());
  return size > 0 ? size : 1;
}

}  // namespace ricochet::model
