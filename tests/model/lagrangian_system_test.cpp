// What is wrong with a system is told by the name of the wrong entry.
#include "ricochet/model/lagrangian_system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/system_models.hpp"

namespace ricochet::model {
namespace {

using test::DrivenMass;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string system_complaint(std::shared_ptr<const LagrangianSystem> equations, std::vector<double> q = {0.3, -0.2}) {
  const std::vector<double> v(q.size(), 0.5);
  try {
    check_system({"cart", {0}, std::move(equations)}, 0.4, q, v);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(LagrangianSystem, GoodOnesPass) {
  EXPECT_EQ(system_complaint(std::make_shared<DrivenMass>()), "");
  EXPECT_EQ(system_complaint(std::make_shared<SliderCrank>(test::flores_data()), {0.3, -0.2, 0.01}), "");
  EXPECT_EQ(system_complaint(make_rocking_block(1, 2, 3, 4, {0, -10}), {0.1, 0.2, 0.3}), "");
}

TEST(LagrangianSystemBadInput, WrongGradientIsNamed) {
  struct Wrong : DrivenMass {
    void gradients(int contact, double time, std::span<const double> q, std::span<double> gradients) const override {
      DrivenMass::gradients(contact, time, q, gradients);
      gradients[3] = -1;
    }
  };
  EXPECT_THAT(system_complaint(std::make_shared<Wrong>()),
              AllOf(HasSubstr("system 'cart'"), HasSubstr("gradient of the tangential displacement of contact 'left'"),
                    HasSubstr("along 'y' is given as -1"), HasSubstr("give 1")));
}

// At the angle zero the sine and its wrong sign are the same: looked at beside the start, they are not.
TEST(LagrangianSystemBadInput, WrongSignOfASineIsFoundBesideTheStart) {
  struct Wrong : DrivenMass {
    void displacements(int /*contact*/, double /*time*/, std::span<const double> q,
                       std::span<double> displacements) const override {
      displacements[0] = std::cos(q[0]);
      displacements[1] = q[1];
    }
    void gradients(int /*contact*/, double /*time*/, std::span<const double> q,
                   std::span<double> gradients) const override {
      gradients[0] = std::sin(q[0]);
      gradients[3] = 1;
    }
    void rates(int /*contact*/, double /*time*/, std::span<const double> /*q*/,
               std::span<double> /*rates*/) const override {}
  };
  EXPECT_THAT(system_complaint(std::make_shared<Wrong>(), {0, 0}), HasSubstr("gradient of the gap of contact 'left'"));
}

TEST(LagrangianSystemBadInput, WrongTimeTermIsNamed) {
  struct Wrong : DrivenMass {
    void rates(int /*contact*/, double /*time*/, std::span<const double> /*q*/,
               std::span<double> rates) const override {
      rates[1] = -belt;
    }
  };
  EXPECT_THAT(system_complaint(std::make_shared<Wrong>()),
              AllOf(HasSubstr("derivative of the gap of contact 'left' with respect to time is given as 0"),
                    HasSubstr("0.65955")));  // -0.1 * 7 * cos(2.8)
}

TEST(LagrangianSystemBadInput, WrongMassIsNamed) {
  struct Skew : DrivenMass {
    void mass(double /*time*/, std::span<const double> /*q*/, std::span<double> mass) const override {
      mass[0] = mass[3] = 2;
      mass[1] = 0.5;
    }
  };
  struct Light : DrivenMass {
    void mass(double /*time*/, std::span<const double> /*q*/, std::span<double> mass) const override { mass[0] = 2; }
  };
  struct Indefinite : DrivenMass {
    void mass(double /*time*/, std::span<const double> /*q*/, std::span<double> mass) const override {
      mass[0] = mass[3] = 1;
      mass[1] = mass[2] = 2;
    }
  };
  EXPECT_THAT(system_complaint(std::make_shared<Skew>()),
              AllOf(HasSubstr("not symmetric"), HasSubstr("entry (x, y) is 0.5"), HasSubstr("entry (y, x) is 0")));
  EXPECT_THAT(system_complaint(std::make_shared<Light>()), HasSubstr("the mass of 'y' is 0"));
  EXPECT_THAT(system_complaint(std::make_shared<Indefinite>()), HasSubstr("not positive definite"));
}

TEST(LagrangianSystemBadInput, WhatIsNotFiniteIsNamed) {
  struct Wrong : DrivenMass {
    void force(double /*time*/, std::span<const double> /*q*/, std::span<const double> /*v*/,
               std::span<double> force) const override {
      force[1] = std::nan("");
    }
  };
  EXPECT_THAT(system_complaint(std::make_shared<Wrong>()), HasSubstr("force along 'y' is not finite"));
}

// Probes tell coordinates and contacts by their names.
TEST(LagrangianSystemBadInput, TwoOfOneNameAreNamed) {
  struct SameCoordinates : DrivenMass {
    std::vector<std::string> coordinates() const override { return {"x", "x"}; }
  };
  struct SameContacts : DrivenMass {
    std::vector<ContactName> contacts() const override { return {{"left", "wall"}, {"left", "floor"}}; }
  };
  const auto complaint = [](std::shared_ptr<const LagrangianSystem> equations) -> std::string {
    Model model;
    test::add_system(model, std::move(equations), Vector2(1, 2), Vector2::Zero(), {}, "cart");
    try {
      validate(model);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint(std::make_shared<DrivenMass>()), "");
  EXPECT_EQ(complaint(std::make_shared<SameCoordinates>()), "system 'cart' has two coordinates 'x'");
  EXPECT_EQ(complaint(std::make_shared<SameContacts>()), "system 'cart' has two contacts 'left'");
}

}  // namespace
}  // namespace ricochet::model
