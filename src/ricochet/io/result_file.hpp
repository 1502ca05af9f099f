// result.h5: the run for programs, with all that is needed to draw it.
//
//   /format                      1; the file itself has the attributes program, version and scene (its id)
//   /scene                       the scene as written, a text; /overrides the --set that were applied to it, in order
//   /time[n]                     s, of the n rows
//   /bodies/names[b]             and for each body: node[b], mass[b], shape[b] (as in scenes, or composite),
//          /size[b,3]            m: radius and half length, or half extents; 0 for polyhedra and composites
//          /position[n,b,3]      m, of the origin of the body
//          /quaternion[n,b,4]    w x y z; a point has 1 0 0 0
//          /velocity[n,b,6]      m/s in the world, then rad/s in the body
//   /nodes/names[k]              with kinds[k] (point, frame)
//   /surfaces/names[s]           with point[s,3] and normal[s,3], at t = 0
//            /driven[d]          indices of those that drivers move; in every row they are at
//            /driven_point[n,d,3] /driven_normal[n,d,3]
//   /geometry/...                shapes of bodies, meshes, springs, joints: see result_geometry.hpp
//   /contacts/names[i]           the identities in the order in which they first appear
//            /row_start[n+1]     row k has the contacts row_start[k] <= m < row_start[k+1], sorted by their names
//            /identity[m]        index into names
//            /body_a[m] /body_b[m]   index into /bodies/names, then, counting on, into /surfaces/names
//            /point[m,3] /normal[m,3] /tangent1[m,3] /gap[m] /velocity[m,3] /status[m] (0 open, 1 stick, 2 slip)
//            /impulse[m,3] /work[m,2]   since the previous row; work is (normal, tangential)
//   /energy/...[n]               J; the names of simulation::ledger_entries
//   /solver/iterations[n] /solver/residual[n]
//   /probes/names[p] /probes/values[n,p]
//   /portraits/names[k]          only if the scene has such: the probes x[k] and y[k] over each other, by their names
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/io/hdf5_file.hpp"
#include "ricochet/mechanics/surface_motion.hpp"
#include "ricochet/simulation/frame.hpp"
#include "ricochet/study/case.hpp"

namespace ricochet::io {

// A contact of a row with its number among the identities seen so far.
struct RowContact {
  const integrate::ContactRecord* record = nullptr;
  int identity = 0;
};

class ResultFile {
 public:
  // Writes what does not change during the run.
  ResultFile(const std::filesystem::path& path, const study::Case& run_case, std::span<const std::string> probe_names);

  // The next identity in use; they are numbered from zero in the order of these calls.
  void add_identity(std::string_view name) { identities_.append(name); }

  // `frame.contacts` is not looked at: `contacts` are those of the row.
  void write_row(const simulation::Frame& frame, std::span<const RowContact> contacts, std::span<const double> probes);

  void flush() { file_.flush(); }
  void close() { file_.close(); }

 private:
  void write_bodies(const simulation::Frame& frame);
  void write_driven_surfaces(double time);
  void write_contact(const RowContact& contact);

  Hdf5File file_;
  mechanics::SurfaceMotion surface_motion_;
  std::vector<int> driven_surfaces_;
  Hdf5Series<double> time_;
  Hdf5Series<double> position_, quaternion_, velocity_;
  Hdf5Series<double> driven_point_, driven_normal_;
  Hdf5TextSeries identities_;
  Hdf5Series<std::int64_t> row_start_, identity_, body_a_, body_b_, status_;
  Hdf5Series<double> point_, normal_, tangent1_, gap_, contact_velocity_, impulse_, work_, moment_;
  std::array<Hdf5Series<double>, simulation::ledger_entries.size()> energy_;
  Hdf5Series<std::int64_t> iterations_;
  Hdf5Series<double> residual_;
  Hdf5Series<double> probes_;
  std::vector<double> row_;  // workspace
};

}  // namespace ricochet::io
