#include "ricochet/mechanics/joints/measure.hpp"

#include <array>
#include <cmath>

namespace ricochet::mechanics {

namespace {

enum class MeasureFamily { translation, length, axes, lock, angle };

MeasureFamily family_of(JointMeasure measure) {
  switch (measure) {
    case JointMeasure::x:
    case JointMeasure::y:
    case JointMeasure::z:
      return MeasureFamily::translation;
    case JointMeasure::length:
      return MeasureFamily::length;
    case JointMeasure::xz:
    case JointMeasure::yz:
    case JointMeasure::zx:
      return MeasureFamily::axes;
    case JointMeasure::lock_x:
    case JointMeasure::lock_y:
    case JointMeasure::lock_z:
      return MeasureFamily::lock;
    default:
      return MeasureFamily::angle;
  }
}

int translation_axis(JointMeasure measure) { return static_cast<int>(measure) - static_cast<int>(JointMeasure::x); }
int lock_axis(JointMeasure measure) { return static_cast<int>(measure) - static_cast<int>(JointMeasure::lock_x); }

// A sum of products of axes, f = sum of factor P_kl over a few k, l. With p_k the row k of P (the axis k of A in the
// axes of B), dP = P w~ gives  dp_k = p_k x w  and
//   dP_kl = w . (e_l x p_k),      d(e_l x p_k) = e_l x (p_k x w) = p_k (e_l . w) - w (e_l . p_k).
class AxisProducts {
 public:
  AxisProducts& add(int axis_a, int axis_b, double factor = 1) {
    terms_[count_++] = {axis_a, axis_b, factor};
    return *this;
  }

  double value(const RelativePose& pose) const {
    double sum = 0;
    for (int i = 0; i < count_; ++i) sum += terms_[i].factor * pose.axes(terms_[i].axis_a, terms_[i].axis_b);
    return sum;
  }
  Vector3 gradient(const RelativePose& pose) const {
    Vector3 result = Vector3::Zero();
    for (int i = 0; i < count_; ++i) {
      const Term& term = terms_[i];
      const int next = (term.axis_b + 1) % 3, last = (term.axis_b + 2) % 3;
      result[next] -= term.factor * pose.axes(term.axis_a, last);
      result[last] += term.factor * pose.axes(term.axis_a, next);
    }
    return result;
  }
  Matrix3 hessian(const RelativePose& pose) const {
    Matrix3 result = Matrix3::Zero();
    for (int i = 0; i < count_; ++i) {
      const Term& term = terms_[i];
      result.col(term.axis_b) += term.factor * pose.axes.row(term.axis_a).transpose();
      result.diagonal().array() -= term.factor * pose.axes(term.axis_a, term.axis_b);
    }
    return result;
  }

 private:
  struct Term {
    int axis_a = 0;
    int axis_b = 0;
    double factor = 1;
  };
  std::array<Term, 2> terms_;
  int count_ = 0;
};

AxisProducts products_of(JointMeasure measure) {
  switch (measure) {
    case JointMeasure::xz:
      return AxisProducts().add(0, 2);
    case JointMeasure::yz:
      return AxisProducts().add(1, 2);
    default:
      return AxisProducts().add(2, 0);
  }
}

// An angle atan2(s, c) of two sums of products.
struct AxisAngle {
  AxisProducts sine, cosine;
};

AxisAngle angle_of(JointMeasure measure) {
  switch (measure) {
    case JointMeasure::first_angle:
      return {AxisProducts().add(1, 0), AxisProducts().add(0, 0)};
    case JointMeasure::second_angle:
      return {AxisProducts().add(2, 1), AxisProducts().add(2, 2)};
    default:
      return {AxisProducts().add(1, 0).add(0, 1, -1), AxisProducts().add(0, 0).add(1, 1)};
  }
}

double angle_value(const AxisAngle& angle, const RelativePose& pose) {
  return std::atan2(angle.sine.value(pose), angle.cosine.value(pose));
}

Vector3 angle_gradient(const AxisAngle& angle, const RelativePose& pose) {
  const double s = angle.sine.value(pose), c = angle.cosine.value(pose);
  return (c * angle.sine.gradient(pose) - s * angle.cosine.gradient(pose)) / (s * s + c * c);
}

// d2(atan2): -2 s c/r^4 for (s, s), 2 s c/r^4 for (c, c), (s^2 - c^2)/r^4 for (s, c), with r^2 = s^2 + c^2.
Matrix3 angle_hessian(const AxisAngle& angle, const RelativePose& pose) {
  const double s = angle.sine.value(pose), c = angle.cosine.value(pose), r2 = s * s + c * c;
  const Vector3 ds = angle.sine.gradient(pose), dc = angle.cosine.gradient(pose);
  const double same = 2 * s * c / (r2 * r2), mixed = (s * s - c * c) / (r2 * r2);
  return (c * angle.sine.hessian(pose) - s * angle.cosine.hessian(pose)) / r2 +
         same * (dc * dc.transpose() - ds * ds.transpose()) + mixed * (ds * dc.transpose() + dc * ds.transpose());
}

// The quaternion (w, u) of the rotation with w >= 0.
math::Quaternion near_identity(const math::Quaternion& rotation) {
  return rotation.w < 0 ? math::Quaternion{-rotation.w, -rotation.x, -rotation.y, -rotation.z} : rotation;
}

}  // namespace

JointUnit unit_of(JointMeasure measure) {
  const MeasureFamily family = family_of(measure);
  return family == MeasureFamily::translation || family == MeasureFamily::length ? JointUnit::length : JointUnit::angle;
}

bool is_periodic(JointMeasure measure) { return family_of(measure) == MeasureFamily::angle; }

double unwrapped(double angle, double earlier) {
  const double turns = std::round((earlier - angle) / (2 * M_PI));
  return turns == 0 ? angle : angle + turns * (2 * M_PI);
}

double measure_value(JointMeasure measure, const RelativePose& pose) {
  switch (family_of(measure)) {
    case MeasureFamily::translation:
      return pose.y[translation_axis(measure)];
    case MeasureFamily::length:
      return pose.y.norm();
    case MeasureFamily::axes:
      return products_of(measure).value(pose);
    case MeasureFamily::lock:
      return 2 * near_identity(pose.rotation).vector_part()[lock_axis(measure)];
    case MeasureFamily::angle:
      return angle_value(angle_of(measure), pose);
  }
  return 0;
}

Vector6 measure_gradient(JointMeasure measure, const RelativePose& pose) {
  Vector6 gradient = Vector6::Zero();
  switch (family_of(measure)) {
    case MeasureFamily::translation:
      gradient[translation_axis(measure)] = 1;
      break;
    case MeasureFamily::length: {
      const double length = pose.y.norm();
      if (length > 0) gradient.head<3>() = pose.y / length;
      break;
    }
    case MeasureFamily::axes:
      gradient.tail<3>() = products_of(measure).gradient(pose);
      break;
    case MeasureFamily::lock: {  // 2 du/dt = w omega + u x omega, so that the gradient is w e_k + e_k x u
      const math::Quaternion q = near_identity(pose.rotation);
      const Vector3 e = Vector3::Unit(lock_axis(measure));
      gradient.tail<3>() = q.w * e + math::cross(e, q.vector_part());
      break;
    }
    case MeasureFamily::angle:
      gradient.tail<3>() = angle_gradient(angle_of(measure), pose);
      break;
  }
  return gradient;
}

Matrix6 measure_hessian(JointMeasure measure, const RelativePose& pose) {
  Matrix6 hessian = Matrix6::Zero();
  switch (family_of(measure)) {
    case MeasureFamily::translation:
      break;
    case MeasureFamily::length: {
      const double length = pose.y.norm();
      if (length > 0) {
        const Vector3 n = pose.y / length;
        hessian.topLeftCorner<3, 3>() = (Matrix3::Identity() - n * n.transpose()) / length;
      }
      break;
    }
    case MeasureFamily::axes:
      hessian.bottomRightCorner<3, 3>() = products_of(measure).hessian(pose);
      break;
    case MeasureFamily::lock: {  // the gradient with dw = -1/2 u . omega and du = 1/2 (w omega + u x omega)
      const math::Quaternion q = near_identity(pose.rotation);
      const Vector3 e = Vector3::Unit(lock_axis(measure)), u = q.vector_part();
      hessian.bottomRightCorner<3, 3>() =
          0.5 * (math::skew(e) * (q.w * Matrix3::Identity() + math::skew(u)) - e * u.transpose());
      break;
    }
    case MeasureFamily::angle:
      hessian.bottomRightCorner<3, 3>() = angle_hessian(angle_of(measure), pose);
      break;
  }
  return hessian;
}

}  // namespace ricochet::mechanics
