// The section `assembly`: what mechanics::assemble found and did, in sentences.
#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "ricochet/io/scene_model.hpp"
#include "ricochet/mechanics/joints/assembly.hpp"

namespace ricochet::io {

namespace {

using mechanics::AssemblyReport;
using mechanics::AssemblyStatus;
using mechanics::JointUnit;
using mechanics::Misfit;

class AssemblyWords {
 public:
  AssemblyWords(const Entry& scene, const model::Model& model, const AssemblyReport& report)
      : scene_(scene), model_(model), report_(report) {}

  [[noreturn]] void refuse() const {
    const double tolerance = scene_["assembly"]["tolerance"].number();
    const Misfit& worst = report_.status == AssemblyStatus::velocities_too_far ? report_.velocity
                          : report_.status == AssemblyStatus::open_too_far     ? report_.position
                                                                               : report_.remaining;
    switch (report_.status) {
      case AssemblyStatus::open_too_far:
        at(worst).refuse(
            fmt::format("'{}' does not hold at the start: {} is missing ({:.3g} of {}); let its target start where the "
                        "bodies stand, or raise 'assembly.tolerance' ({:g})",
                        at(worst).path(), amount(worst, ""), worst.part,
                        worst.unit == JointUnit::angle ? "a radian" : "the size of the machine", tolerance));
      case AssemblyStatus::cannot_be_closed:
        at(worst).refuse(
            fmt::format("the machine cannot be closed: with the bodies moved as far as it helps, '{}' still lacks {}; "
                        "look at the lengths, axes and places of the bodies that it holds and of their neighbours",
                        at(worst).path(), amount(worst, "")));
      case AssemblyStatus::moves_too_far:
        at(report_.position)
            .refuse(fmt::format(
                "to close '{}' and the other joints, a point of '{}' must be moved by {:.3g} m ({:.3g} of the size of "
                "the machine); place the bodies nearer to where they belong, or raise 'assembly.tolerance' ({:g})",
                at(report_.position).path(), model_.bodies[report_.farthest_body].name, report_.farthest,
                report_.farthest / report_.size, tolerance));
      case AssemblyStatus::velocities_too_far:
        at(worst).refuse(
            fmt::format("the bodies start with velocities that '{}' does not allow: they differ by {} ({:.3g} of the "
                        "largest speed); give bodies velocities that fit, or let them be made to fit: 'assembly: "
                        "{{velocity_tolerance: 1}}'",
                        at(worst).path(), amount(worst, "/s"), worst.part));
      default:
        at(worst).refuse(
            fmt::format("no initial velocities fit all joints: '{}' always lacks {}; look at what drives it and the "
                        "joints around it",
                        at(worst).path(), amount(worst, "/s")));
    }
  }

  void add_notices(std::vector<std::string>& notices) const {
    if (report_.moved && report_.position.part > mechanics::kWrittenDigits) {
      const AssemblyReport::Move& move = report_.most_moved;
      notices.push_back(fmt::format("bodies were moved to close the joints ('{}' was open by {}): '{}' most, by {}",
                                    at(report_.position).path(), amount(report_.position, ""),
                                    model_.bodies[move.body].name, path_of(move)));
    }
    if (report_.changed_velocity && report_.velocity.part > mechanics::kWrittenDigits) {
      const AssemblyReport::VelocityChange& change = report_.most_changed;
      const AssemblyReport::VelocityChange& given = report_.most_changed_given;
      std::string notice =
          fmt::format("velocities were changed to fit the joints ('{}' was off by {}): that of '{}' most, {}",
                      at(report_.velocity).path(), amount(report_.velocity, "/s"), model_.bodies[change.body].name,
                      from_to(change));
      if (given.body >= 0 && given.body != change.body) {
        notice += fmt::format("; that of '{}' {}", model_.bodies[given.body].name, from_to(given));
      }
      notices.push_back(std::move(notice));
    }
  }

 private:
  bool turns(int body) const { return model_.nodes[model_.bodies[body].node.index].kind == model::NodeKind::frame; }

  std::string path_of(const AssemblyReport::Move& move) const {
    const std::string distance = fmt::format("{:.3g} m", move.distance);
    return turns(move.body) ? fmt::format("{} and {:.3g} degrees", distance, move.angle * 45 / std::atan(1.0))
                            : distance;
  }

  static std::string amount(const Misfit& misfit, std::string_view per) {
    return fmt::format("{:.6g} {}{}", misfit.value, misfit.unit == JointUnit::angle ? "rad" : "m", per);
  }

  // Where the joint or velocity condition of a row is written.
  Entry at(const Misfit& misfit) const {
    const auto joints = static_cast<int>(model_.joints.size());
    if (misfit.owner < joints) return scene_["joints"].entries()[misfit.owner];
    return scene_["velocity_conditions"].entries()[misfit.owner - joints];
  }

  std::string from_to(const AssemblyReport::VelocityChange& change) const {
    const auto vector = [](const Vector3& v) { return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", v.x(), v.y(), v.z()); };
    std::string text = fmt::format("from {} to {} m/s", vector(change.velocity_before), vector(change.velocity_after));
    if (!turns(change.body)) return text;
    const Vector3 &before = change.angular_velocity_before, &after = change.angular_velocity_after;
    return text + (model_.planar ? fmt::format(" and from {:.6g} to {:.6g} rad/s", before.z(), after.z())
                                 : fmt::format(" and from {} to {} rad/s", vector(before), vector(after)));
  }

  const Entry& scene_;
  const model::Model& model_;
  const AssemblyReport& report_;
};

}  // namespace

void read_assembly(const Entry& scene, model::Model& model, std::vector<std::string>& notices) {
  if (model.joints.empty() && model.velocity_rows.empty()) return;
  const Entry settings = scene["assembly"];
  mechanics::Assembly assembly =
      mechanics::assemble(model, {settings["tolerance"].number(), settings["velocity_tolerance"].number()});
  const AssemblyWords words(scene, model, assembly.report);
  if (assembly.report.status != AssemblyStatus::done) words.refuse();
  words.add_notices(notices);
  model = std::move(assembly.model);
}

}  // namespace ricochet::io
