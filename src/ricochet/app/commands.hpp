// The subcommands. Each takes its options as plain data and returns the program's exit code; wrong input is thrown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ricochet::app {

struct RunOptions {
  std::string scene;                      // a file, or the id of a shipped scene
  std::string out;                        // result directory; out/<id> if empty
  std::vector<std::string> overrides;     // PATH=VALUE, in order
  std::string variant;                    // of the scene; empty: as it is written
  double checkpoint_every = 0;            // s of wall time; 0: as the scene says
  bool accept_unconverged = false;        // --continue
  int threads = 0;                        // of the computation; 0: one per core
  std::vector<std::string> dump_problem;  // steps whose contact problems are written: see io/problem_dump
  std::vector<long> trace_steps;          // steps whose Newton iterations are told
  bool quiet = false;
  bool report = true;  // write report.html
};
int run_command(const RunOptions& options);

struct ResumeOptions {
  std::string checkpoint;           // a file
  std::string end;                  // as for time.end; empty: as it was
  double checkpoint_every = 0;      // s of wall time; 0: as it was
  bool accept_unconverged = false;  // --continue; once given, it stays
  int threads = 0;                  // of the computation; 0: one per core
  bool quiet = false;
};
int resume_command(const ResumeOptions& options);

struct CheckOptions {
  std::string scene;
  std::string variant;
  std::vector<std::string> overrides;
  bool schema = false;     // print the JSON Schema
  bool reference = false;  // print the reference tables of docs/scene.md
};
int check_command(const CheckOptions& options);

// Makes report.html of a result directory anew.
int report_command(const std::string& directory);

struct ExportOptions {
  std::string result;  // directory
  std::string vtk;     // directory to write
  int frames = 501;    // at most; 0: all rows
};
int export_command(const ExportOptions& options);

struct ValidateOptions {
  std::vector<std::string> patterns;   // ids or globs of scenes and variants; all if empty
  std::vector<std::string> overrides;  // applied to every scene
  std::string json;                    // file to write, none if empty
  bool quiet = false;                  // only scenes that do not hold, and the count
  bool facts = false;                  // list every fact
  int threads = 0;                     // scenes at a time; 0: one per core
};
int validate_command(const ValidateOptions& options);

struct ConvergeOptions {
  std::string scene;  // a file, or the id of a shipped scene
  std::string variant;
  std::vector<std::string> overrides;   // PATH=VALUE, in order
  std::string steps;                    // H1,H2,... or A:B:N; two decades below the step of the scene if empty
  std::vector<std::string> probes;      // names; all visible ones if empty
  std::vector<std::string> references;  // EXPR, or NAME=EXPR
  std::string reference_step;           // a tenth of the smallest step if empty
  std::string out;                      // directory; out/<id>-converge if empty
  std::string json;                     // one more place for converge.json, none if empty
  int threads = 0;                      // runs at a time; 0: one per core
  bool quiet = false;
};
int converge_command(const ConvergeOptions& options);

struct CompareOptions {
  std::string scene;  // a file, or the id of a shipped scene
  std::string variant;
  std::vector<std::string> overrides;  // PATH=VALUE, in order, for all entries
  std::string integrators;             // NAME[:option=value...],...
  std::string out;                     // directory; out/<id>-compare if empty
  int threads = 0;                     // of each run; 0: one per core
  bool quiet = false;
};
int compare_command(const CompareOptions& options);

struct SweepOptions {
  std::string scene;  // a file, or the id of a shipped scene
  std::string variant;
  std::vector<std::string> overrides;   // PATH=VALUE, in order, for all samples
  std::vector<std::string> variations;  // PATH=VALUES, see vary_choice.hpp
  std::uint64_t seed = 0;               // of random values
  std::string out;                      // directory; out/<id>-sweep if empty
  int threads = 0;                      // samples at a time; 0: one per core
  bool quiet = false;
};
int sweep_command(const SweepOptions& options);

struct SolveCommandOptions {
  std::vector<std::string> problems;  // files, directories or globs
  std::string solver = "auto";        // a name of cone/solver_table, or all
  double tolerance = 1e-8;            // on the residual of cone/residual
  int max_iterations = 0;             // 0: as many as solvers take by themselves
  std::optional<int> worst;           // list so many of the worst contacts; without it, only where `json` has them
  std::string json;                   // file to write, none if empty
  bool quiet = false;                 // only problems that miss the tolerance, and the count
};
int solve_command(const SolveCommandOptions& options);

int scenes_list_command();
int scenes_show_command(const std::string& id);
struct GalleryOptions {
  std::string directory;              // results, and index.html
  std::vector<std::string> patterns;  // ids or globs of scenes; all if empty
};
int scenes_gallery_command(const GalleryOptions& options);
int scenes_copy_command(const std::string& id, const std::string& directory);

}  // namespace ricochet::app
