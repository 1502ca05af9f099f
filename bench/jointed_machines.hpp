// Machines with joints for the benchmarks, as models: chains, slider-cranks and crowds of small systems.
#pragma once

#include "ricochet/model/model.hpp"

namespace ricochet::bench {

/// Hinged bars of 0.1 m and 1 kg in a plane, hanging from the origin along a line that is 0.5 rad from the vertical,
/// released from rest: the chain swings.
model::Model swinging_chain(int links);

/// Crank, rod and slider with the measures of P. Flores, J. Ambrósio, J. C. P. Claro and H. M. Lankarani (Kinematics
/// and Dynamics of Multibody Systems with Imperfect Joints, 2008), as Siconos has them in its example: crank 153 mm,
/// rod 306 mm, no gravity, the crank starts in line with the rod at 150 rad/s. Three hinges and a guide, all ideal. In
/// space these are 20 rows for 17 motions that they have to hold: three are redundant.
model::Model slider_crank(bool planar);

/// Balls side by side that bounce on a plane, and a spring between two more that hang in the air.
model::Model loose_bodies_and_one_spring(int balls);

/// Pendulums side by side, each hinged to the world by an axis along z and touching a plane with its bob.
model::Model touching_pendulums(int count);

}  // namespace ricochet::bench
