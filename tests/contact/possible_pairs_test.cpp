#include "ricochet/contact/possible_pairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "contact/contact_checks.hpp"

namespace ricochet::contact {
namespace {

std::string complaint_about(const model::Model& model) {
  try {
    check_pairs(model, PairRules(model), Forms(model));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(PossiblePairsBadInput, NamesTheRuleAndBothBodies) {
  model::Model model;
  test::add_ball(model, 1, 1, Vector3::Zero());
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3(5, 1, 0));
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  EXPECT_THAT(complaint_about(model), testing::HasSubstr("'rule0' pairs 'body0' (sphere) with 'body1' (box)"));
  model.contacts[0].except = {{test::body(1), test::body(0)}};
  EXPECT_EQ(complaint_about(model), "");
}

}  // namespace
}  // namespace ricochet::contact
