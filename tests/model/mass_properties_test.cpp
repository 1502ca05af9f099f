#include "ricochet/model/mass_properties.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "model/test_models.hpp"
#include "model/test_polyhedra.hpp"

namespace ricochet::model {
namespace {

constexpr double kPi = std::numbers::pi;

// Relative, lengths measured by the radius of gyration, so that a centre at the origin can be compared too.
void expect_same(const MassProperties& actual, const MassProperties& expected, double tolerance) {
  const double gyration = std::sqrt(expected.inertia.trace() / (2 * expected.mass));
  EXPECT_NEAR(actual.mass, expected.mass, tolerance * expected.mass);
  EXPECT_LE((actual.center - expected.center).norm(), tolerance * gyration)
      << actual.center.transpose() << " is not " << expected.center.transpose();
  EXPECT_LE((actual.inertia - expected.inertia).norm(), tolerance * expected.inertia.norm())
      << actual.inertia << "\nis not\n"
      << expected.inertia;
}

Matrix3 diagonal(double x, double y, double z) { return Vector3(x, y, z).asDiagonal(); }

// Every kind of shape, the polyhedra neither centred nor in principal axes.
std::vector<Shape> one_of_each(double scale) {
  const math::Quaternion turn = math::Quaternion{0.5, -0.3, 0.7, 0.2}.normalized();
  const double s = scale;
  return {SphereShape{0.3 * s},
          BoxShape{s * Vector3(0.2, 0.5, 0.7)},
          CylinderShape{0.3 * s, 0.9 * s},
          CapsuleShape{0.3 * s, 0.9 * s},
          ConeShape{0.3 * s, 0.9 * s},
          test::transformed(test::corner_tetrahedron(1, 2, 3), s, s * Vector3(1, 2, 3), turn),
          test::transformed(test::l_shape(), s, s * Vector3(-3, 2, 5), turn)};
}

TEST(MassProperties, VolumesAreThoseOfTheTextbook) {
  EXPECT_EQ(volume(PointShape{}), 0);
  EXPECT_DOUBLE_EQ(volume(SphereShape{0.3}), 4.0 / 3 * kPi * 0.027);
  EXPECT_DOUBLE_EQ(volume(BoxShape{Vector3(1, 2, 3)}), 48);
  EXPECT_DOUBLE_EQ(volume(CylinderShape{0.5, 3}), kPi * 0.25 * 6);
  EXPECT_DOUBLE_EQ(volume(CapsuleShape{0.5, 3}), kPi * 0.25 * 6 + 4.0 / 3 * kPi * 0.125);
  EXPECT_DOUBLE_EQ(volume(ConeShape{0.5, 3}), kPi * 0.25);
  EXPECT_DOUBLE_EQ(volume(test::corner_tetrahedron(1, 2, 3)), 1);
  EXPECT_DOUBLE_EQ(volume(test::l_shape()), 6);
}

TEST(MassProperties, APointHasMassOnlyIfItIsGiven) {
  EXPECT_EQ(solid(PointShape{}, 1000).mass, 0);
  const MassProperties point = with_mass(PointShape{}, 2.5);
  EXPECT_EQ(point.mass, 2.5);
  EXPECT_TRUE(point.center.isZero(0));
  EXPECT_TRUE(point.inertia.isZero(0));
}

TEST(MassProperties, DensityAndMassAgree) {
  for (const Shape& shape : one_of_each(1)) {
    const MassProperties dense = solid(shape, 7800);
    EXPECT_DOUBLE_EQ(dense.mass, 7800 * volume(shape)) << shape_name(shape);
    expect_same(with_mass(shape, dense.mass), dense, 1e-15);
    EXPECT_EQ(dense.inertia, dense.inertia.transpose()) << shape_name(shape);
  }
}

// The legs a, b, c of the tetrahedron x/a + y/b + z/c <= 1: int x^2 dm = m a^2/10 and int x y dm = m a b/20 about the
// corner, the centre at a/4, so int x^2 dm = 3 m a^2/80 and int x y dm = -m a b/80 about the centre.
TEST(MassProperties, Tetrahedron) {
  const double a = 0.7, b = 1.1, c = 1.9, mass = 2.3;
  const Vector3 squares = 3 * mass / 80 * Vector3(a * a, b * b, c * c);
  Matrix3 inertia = diagonal(squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y());
  inertia(0, 1) = inertia(1, 0) = mass * a * b / 80;
  inertia(0, 2) = inertia(2, 0) = mass * a * c / 80;
  inertia(1, 2) = inertia(2, 1) = mass * b * c / 80;
  expect_same(with_mass(test::corner_tetrahedron(a, b, c), mass), {mass, Vector3(a, b, c) / 4, inertia}, 1e-12);
}

TEST(MassProperties, BoxAsPolyhedron) {
  const Vector3 half(0.3, 0.7, 1.1);
  expect_same(solid(test::box_polyhedron(half), 1200), solid(BoxShape{half}, 1200), 1e-12);
}

// |x| + |y| + |z| <= r: V = 4/3 r^3 and J = m r^2/5 about every axis.
TEST(MassProperties, Octahedron) {
  const double r = 0.9;
  const double mass = 500 * 4.0 / 3 * r * r * r;
  expect_same(solid(test::octahedron(r), 500), {mass, Vector3::Zero(), diagonal(1, 1, 1) * (mass * r * r / 5)}, 1e-12);
}

// An equilateral triangle of side a has the same second moment, a^4/(32 sqrt 3) = A a^2/24, about every axis in its
// plane through its centre, which is a/(2 sqrt 3) above the side.
TEST(MassProperties, TriangularPrism) {
  const double a = 0.8, length = 1.7, mass = 3.1;
  const PolyhedronShape shape =
      test::prism({Vector2(0, 0), Vector2(a, 0), Vector2(a / 2, a * std::sqrt(0.75))}, 0, length);
  const double across = mass * (a * a / 24 + length * length / 12);
  expect_same(with_mass(shape, mass),
              {mass, Vector3(a / 2, a / std::sqrt(12.0), length / 2), diagonal(across, across, mass * a * a / 12)},
              1e-12);
}

// Slices across the axis are discs of radius s(z): dm = rho pi s^2 dz, dJ_z = s^2/2 dm, dJ_x = (s^2/4 + z^2) dm. For
// cylinder and spheres these are polynomials of degree four at most, which three Gauss points per piece integrate
// exactly.
MassProperties sum_of_slices(double radius, double half_length, bool round, double density) {
  const auto squared_radius = [&](double z) {
    const double beyond = std::max(0.0, std::abs(z) - half_length);
    return radius * radius - beyond * beyond;
  };
  MassProperties sum;
  const double cap = round ? radius : 0;
  const double ends[] = {-half_length - cap, -half_length, half_length, half_length + cap};
  for (int piece = 0; piece < 3; ++piece) {
    const double middle = (ends[piece] + ends[piece + 1]) / 2, half = (ends[piece + 1] - ends[piece]) / 2;
    const double nodes[] = {-std::sqrt(0.6), 0, std::sqrt(0.6)}, weights[] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    for (int i = 0; i < 3; ++i) {
      const double z = middle + half * nodes[i], s2 = squared_radius(z);
      const double mass = density * kPi * s2 * half * weights[i];
      sum.mass += mass;
      sum.inertia += mass * diagonal(s2 / 4 + z * z, s2 / 4 + z * z, s2 / 2);
    }
  }
  return sum;
}

TEST(MassProperties, CylinderAndCapsuleAreSumsOfDiscs) {
  for (const double half_length : {0.01, 0.4, 7.0}) {
    expect_same(solid(CylinderShape{0.3, half_length}, 900), sum_of_slices(0.3, half_length, false, 900), 1e-13);
    expect_same(solid(CapsuleShape{0.3, half_length}, 900), sum_of_slices(0.3, half_length, true, 900), 1e-13);
  }
}

// Slices of a cone have the radius r (1/2 - z/H); three Gauss points again, moments about the middle.
TEST(MassProperties, ConeIsASumOfDiscs) {
  const double radius = 0.3, height = 1.1, density = 900;
  MassProperties sum;
  double moment = 0;
  const double nodes[] = {-std::sqrt(0.6), 0, std::sqrt(0.6)}, weights[] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  Matrix3 about_middle = Matrix3::Zero();
  for (int i = 0; i < 3; ++i) {
    const double z = height / 2 * nodes[i], s = radius * (0.5 - z / height);
    const double mass = density * kPi * s * s * (height / 2) * weights[i];
    sum.mass += mass;
    moment += mass * z;
    about_middle += mass * diagonal(s * s / 4 + z * z, s * s / 4 + z * z, s * s / 2);
  }
  sum.center = Vector3(0, 0, moment / sum.mass);
  sum.inertia = about_middle - sum.mass * diagonal(1, 1, 0) * (sum.center.z() * sum.center.z());
  expect_same(solid(ConeShape{radius, height}, density), sum, 1e-13);
}

TEST(MassProperties, ACapsuleWithoutStraightPartIsASphere) {
  expect_same(solid(CapsuleShape{0.3, 0}, 900), solid(SphereShape{0.3}, 900), 1e-15);
}

// The regular prism with n sides in the cylinder has 1 - O(1/n^2) of everything; the next term of the volume is
// (2 pi/n)^2/6.
TEST(MassProperties, ACylinderIsTheLimitOfPrisms) {
  const CylinderShape cylinder{0.3, 0.8};
  for (const int sides : {100, 1000}) {
    std::vector<Vector2> base;
    for (int i = 0; i < sides; ++i) {
      base.emplace_back(0.3 * std::cos(2 * kPi * i / sides), 0.3 * std::sin(2 * kPi * i / sides));
    }
    const MassProperties prism = solid(test::prism(base, -0.8, 0.8), 900);
    expect_same(prism, solid(cylinder, 900), 20.0 / (sides * sides));
    const double missing = std::pow(2 * kPi / sides, 2) / 6;
    EXPECT_NEAR(1 - prism.mass / solid(cylinder, 900).mass, missing, 0.01 * missing);
  }
}

TEST(MassProperties, ANonConvexPolyhedronIsTheSumOfItsBoxes) {
  const MassProperties lying = placed(solid(BoxShape{Vector3(1.5, 0.5, 0.5)}, 300), Vector3(1.5, 0.5, 0.5), {});
  const MassProperties standing = placed(solid(BoxShape{Vector3(0.5, 1.5, 0.5)}, 300), Vector3(0.5, 2.5, 0.5), {});
  expect_same(solid(test::l_shape(), 300), combined(std::array{lying, standing}), 1e-12);
}

// 1024 sizes away, but on coordinates that need no rounding: nothing is lost but the digits of the centre itself, whose
// last bit is worth 1024 * 2^-52 = 2e-13 sizes.
TEST(MassProperties, FarFromTheOriginNoDigitsOfTheInertiaAreLost) {
  const PolyhedronShape here = test::octahedron(1);
  const Vector3 away(1024, -2048, 4096);
  const MassProperties near = solid(here, 500), far = solid(test::transformed(here, 1, away), 500);
  EXPECT_NEAR(far.mass, near.mass, 1e-12 * near.mass);
  EXPECT_LE((far.inertia - near.inertia).norm(), 1e-12 * near.inertia.norm());
  EXPECT_LE((far.center - away).norm(), 2e-12);
}

// Where the coordinates do need rounding, each vertex moves by up to 1000 * 2^-53 = 1.1e-13 sizes; volume and inertia
// change by some times that (an inertia is of fifth degree in lengths), whatever the method. Integrals about the origin
// would lose 1000^2 times as much.
TEST(MassProperties, FarFromTheOriginTheRoundingOfTheVerticesIsAllThatIsLost) {
  const math::Quaternion turn = math::Quaternion{0.5, -0.3, 0.7, 0.2}.normalized();
  const Vector3 away(700, -500, 510);
  for (const PolyhedronShape& shape :
       {test::corner_tetrahedron(0.7, 1.1, 0.9), test::box_polyhedron(Vector3(0.3, 0.5, 0.4))}) {
    const MassProperties near = solid(test::transformed(shape, 1, Vector3::Zero(), turn), 500);
    const MassProperties far = solid(test::transformed(shape, 1, away, turn), 500);
    expect_same(far, placed(near, away, {}), 3e-12);
  }
}

TEST(MassProperties, PlacedSolidsAreThoseOfPlacedVertices) {
  math::Random random(11);
  for (int i = 0; i < 50; ++i) {
    const Vector3 position = test::random_vector3(random);
    const math::Quaternion turn = test::random_rotation(random);
    const MassProperties shape = solid(test::l_shape(), 300);
    expect_same(placed(shape, position, turn), solid(test::transformed(test::l_shape(), 1, position, turn), 300),
                1e-12);
    // Back again.
    expect_same(placed(placed(shape, position, turn), turn.rotate_inverse(-position), turn.conjugate()), shape, 1e-13);
  }
}

TEST(MassProperties, PlacingAndCombiningCommute) {
  math::Random random(12);
  for (int i = 0; i < 50; ++i) {
    const Vector3 position = test::random_vector3(random);
    const math::Quaternion turn = test::random_rotation(random);
    std::vector<MassProperties> parts, placed_parts;
    for (const Shape& shape : one_of_each(1)) {
      parts.push_back(
          placed(solid(shape, random.uniform(100, 9000)), test::random_vector3(random), test::random_rotation(random)));
      placed_parts.push_back(placed(parts.back(), position, turn));
    }
    const MassProperties whole = combined(parts);
    expect_same(combined(placed_parts), placed(whole, position, turn), 1e-12);
    // In groups, and in another order.
    const std::span<const MassProperties> all(parts);
    expect_same(combined(std::array{combined(all.subspan(2)), combined(all.first(2))}), whole, 1e-12);
  }
}

TEST(MassProperties, TwoHalvesMakeAWhole) {
  const MassProperties half = solid(BoxShape{Vector3(0.5, 0.7, 0.9)}, 100);
  const MassProperties whole =
      combined(std::array{placed(half, Vector3(-0.5, 0, 0), {}), placed(half, Vector3(0.5, 0, 0), {})});
  expect_same(whole, solid(BoxShape{Vector3(1, 0.7, 0.9)}, 100), 1e-14);
}

TEST(MassProperties, PointMassesMakeADumbbell) {
  const std::array points = {placed(with_mass(PointShape{}, 1), Vector3(0, 0, 3), {}),
                             placed(with_mass(PointShape{}, 2), Vector3(0, 0, 0), {})};
  // The reduced mass 2/3 kg at the distance 3 m.
  expect_same(combined(points), {3, Vector3(0, 0, 1), diagonal(6, 6, 0)}, 1e-15);
}

TEST(MassProperties, NothingCombinedIsNothing) {
  EXPECT_EQ(combined({}).mass, 0);
  const std::array points = {placed(solid(PointShape{}, 100), Vector3(1, 2, 3), {}), solid(PointShape{}, 100)};
  EXPECT_EQ(combined(points).mass, 0);
  EXPECT_EQ(combined(points).center, Vector3(1, 2, 3));
  EXPECT_TRUE(combined(points).inertia.isZero(0));
}

// A rod of length 2 h has m (2 h)^2/3 about its end: the box, thin, about the middle of one side.
TEST(MassProperties, AboutAnotherPoint) {
  const MassProperties rod = with_mass(BoxShape{Vector3(1e-9, 1e-9, 2)}, 3);
  EXPECT_TRUE(about_point(rod, Vector3(0, 0, 2)).isApprox(diagonal(16, 16, 0), 1e-14));
  const MassProperties box = placed(with_mass(BoxShape{Vector3(1, 2, 3)}, 3), Vector3(1, 0, 0), {});
  EXPECT_EQ(about_point(box, box.center), box.inertia);
  // d = (0, 2, 0): adds m d^2 about x and z.
  EXPECT_TRUE(about_point(box, Vector3(1, -2, 0)).isApprox(box.inertia + diagonal(12, 0, 12), 1e-15));
  // d = (1, 1, 0) has products too.
  EXPECT_NEAR(about_point(box, Vector3(0, -1, 0))(0, 1), -3, 1e-14);
}

TEST(MassProperties, PowersOfTwoScaleBitForBit) {
  for (const int exponent : {-20, 10}) {
    const double scale = std::ldexp(1, exponent);
    const std::vector<Shape> shapes = one_of_each(1), scaled = one_of_each(scale);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const MassProperties before = solid(shapes[i], 300), after = solid(scaled[i], 300);
      EXPECT_EQ(after.mass, before.mass * std::ldexp(1, 3 * exponent)) << shape_name(shapes[i]);
      EXPECT_EQ(after.center, before.center * scale) << shape_name(shapes[i]);
      EXPECT_EQ(after.inertia, before.inertia * std::ldexp(1, 5 * exponent)) << shape_name(shapes[i]);
    }
  }
}

TEST(MassProperties, FacesAndHollowsHaveNone) {
  EXPECT_EQ(volume(FaceShape{Vector2(1, 2)}), 0);
  EXPECT_EQ(solid(FaceShape{}, 1000).mass, 0);
  EXPECT_TRUE(with_mass(FaceShape{}, 3).inertia.isZero(0));
  EXPECT_EQ(volume(HollowSphereShape{2}), 0);
  EXPECT_EQ(volume(HollowCylinderShape{2, 1}), 0);
  EXPECT_TRUE(with_mass(HollowSphereShape{2}, 3).inertia.isZero(0));
  EXPECT_TRUE(with_mass(HollowCylinderShape{2}, 3).inertia.isZero(0));
}

}  // namespace
}  // namespace ricochet::model
