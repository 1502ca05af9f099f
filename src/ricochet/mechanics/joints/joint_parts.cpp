#include "ricochet/mechanics/joints/joint_parts.hpp"

#include <cmath>
#include <stdexcept>

namespace ricochet::mechanics {

namespace {

void add_measure_row(JointLayout& layout, JointMeasure measure) {
  JointRow& row = layout.rows.at(layout.row_count++);
  row.terms[0].measure = measure;
  row.unit = unit_of(measure);
}

JointTerm coordinate_term(const JointLayout& layout, int coordinate, double factor) {
  JointTerm term = layout.coordinates.at(coordinate);
  term.factor = factor;
  return term;
}

}  // namespace

void add_line_part(JointLayout& layout) {
  add_measure_row(layout, JointMeasure::x);
  add_measure_row(layout, JointMeasure::y);
}

void add_plane_part(JointLayout& layout) { add_measure_row(layout, JointMeasure::z); }

void add_point_part(JointLayout& layout) {
  add_line_part(layout);
  add_plane_part(layout);
}

void add_parallel_part(JointLayout& layout) {
  add_measure_row(layout, JointMeasure::xz);
  add_measure_row(layout, JointMeasure::yz);
}

void add_perpendicular_part(JointLayout& layout) { add_measure_row(layout, JointMeasure::zx); }

void add_lock_part(JointLayout& layout) {
  add_measure_row(layout, JointMeasure::lock_x);
  add_measure_row(layout, JointMeasure::lock_y);
  add_measure_row(layout, JointMeasure::lock_z);
}

void add_relation_part(JointLayout& layout, int coordinate) {
  JointRow& row = layout.rows.at(layout.row_count++);
  row.terms[0] = coordinate_term(layout, coordinate, 1);
  row.unit = unit_of(row.terms[0].measure);
  row.has_target = true;
}

void add_relation_part(JointLayout& layout, int coordinate, double ratio, int other) {
  add_relation_part(layout, coordinate);
  JointRow& row = layout.rows[layout.row_count - 1];
  row.terms[1] = coordinate_term(layout, other, -ratio);
  row.term_count = 2;
}

void add_coordinate(JointLayout& layout, JointMeasure measure, int pair) {
  const int index = layout.coordinate_count++;
  layout.coordinates.at(index) = {measure, pair, 1, index};
}

JointLayout joint_layout(model::JointType type, double pitch) {
  using model::JointType;
  JointLayout layout;
  switch (type) {
    case JointType::ball:
      add_point_part(layout);
      break;
    case JointType::revolute:
      add_point_part(layout);
      add_parallel_part(layout);
      add_coordinate(layout, JointMeasure::twist);
      break;
    case JointType::universal:
      add_point_part(layout);
      add_perpendicular_part(layout);
      add_coordinate(layout, JointMeasure::first_angle);
      add_coordinate(layout, JointMeasure::second_angle);
      break;
    case JointType::cylindrical:
    case JointType::screw:
      add_line_part(layout);
      add_parallel_part(layout);
      add_coordinate(layout, JointMeasure::z);
      add_coordinate(layout, JointMeasure::twist);
      if (type == JointType::screw) add_relation_part(layout, 0, pitch / (2 * M_PI), 1);
      break;
    case JointType::prismatic:
      add_line_part(layout);
      add_lock_part(layout);
      add_coordinate(layout, JointMeasure::z);
      break;
    case JointType::planar:
      add_plane_part(layout);
      add_parallel_part(layout);
      add_coordinate(layout, JointMeasure::x);
      add_coordinate(layout, JointMeasure::y);
      add_coordinate(layout, JointMeasure::twist);
      break;
    case JointType::fixed:
      add_point_part(layout);
      add_lock_part(layout);
      break;
    case JointType::distance:
      add_coordinate(layout, JointMeasure::length);
      add_relation_part(layout, 0);
      break;
    case JointType::gear:
    case JointType::coupler:
    case JointType::drive:
      throw std::logic_error("the layout of a gear, coupler or drive depends on other joints");
  }
  return layout;
}

}  // namespace ricochet::mechanics
