#include "ricochet/model/machine_size.hpp"

#include <limits>

namespace ricochet::model {

Vector3 placed(const Model& model, const Attachment& attachment) {
  if (!attachment.node.valid()) return attachment.offset;
  const Node& node = model.nodes[attachment.node.index];
  return node.position + node.orientation.rotate(attachment.offset);
}

double machine_size(const Model& model) {
  Vector3 lowest = Vector3::Constant(std::numeric_limits<double>::infinity());
  Vector3 highest = -lowest;
  const auto add = [&](const Vector3& point) {
    lowest = lowest.cwiseMin(point);
    highest = highest.cwiseMax(point);
  };
  for (const Node& node : model.nodes) add(node.position);
  for (const Joint& joint : model.joints) {
    if (acts_on_coordinates(joint.type)) continue;
    add(placed(model, joint.first.attachment));
    add(placed(model, joint.second.attachment));
  }
  if (!(highest - lowest).allFinite()) return 1;  // there is nothing
  const double size = (highest - lowest).stableNorm();
  return size > 0 ? size : 1;
}

}  // namespace ricochet::model
