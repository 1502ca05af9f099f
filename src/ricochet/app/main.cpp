// The program: reads the command line, calls one subcommand, turns exceptions into messages and exit codes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/exit_code.hpp"
#include "ricochet/app/interrupt.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/io/file_error.hpp"
#include "ricochet/io/input_error.hpp"
#include "ricochet/io/version.hpp"
#include "ricochet/math/text_distance.hpp"

namespace ricochet::app {
namespace {

constexpr const char* examples =
    "Examples:\n"
    "  ricochet run scenes/bouncing-ball.yaml --out out/ball\n"
    "  ricochet run bouncing-ball --set parameters.restitution=0.9 --step 1e-4\n"
    "  ricochet run my-scene.yaml --out out/long --checkpoint-every 60\n"
    "  ricochet resume out/long.partial-4711/checkpoint-12000.h5\n"
    "  ricochet check my-scene.yaml\n"
    "  ricochet scenes list\n"
    "  ricochet validate 'galvez-*'\n"
    "  ricochet converge bouncing-ball --probe altitude\n"
    "  ricochet compare bouncing-ball --integrator moreau-jean:theta=1,moreau-jean:theta=0.5\n"
    "  ricochet sweep bouncing-ball --vary 'parameters.restitution=uniform(0,1):200'\n"
    "  ricochet solve problems/*.hdf5 --solver all\n"
    "  ricochet export out/ball --vtk out/ball-vtk\n\n"
    "Exit codes: 0 done; 1 a tolerance was not reached; 2 wrong input or usage; 3 unreadable file;\n"
    "            4 an expectation does not hold; 130 interrupted.";

// Options that stand for a --set keep their place among the other overrides: the last one wins.
void add_override_options(CLI::App& command, std::vector<std::string>& overrides, bool with_integrator = true) {
  const auto add = [&](const std::string& names, const std::string& prefix, const std::string& value,
                       const std::string& help) {
    command
        .add_option_function<std::vector<std::string>>(
            names,
            [&overrides, prefix](const std::vector<std::string>& values) {
              for (const std::string& text : values) overrides.push_back(prefix + text);
            },
            help)
        ->type_name(value)
        ->trigger_on_parse()
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  add("--set", "", "PATH=VALUE", "Replace one scalar of the scene, e.g. parameters.friction=0.4");
  add("--end", "time.end=", "T", "Time at which the run ends, s");
  add("--step", "time.step=", "H", "Time step, s");
  if (with_integrator) add("--integrator", "integrator.scheme=", "NAME", "Time scheme");
  add("--solver", "solver.name=", "NAME", "Contact solver");
  add("--tolerance", "solver.tolerance=", "X", "Tolerance of the contact problem, dimensionless");
  command.add_flag_callback(
      "--allow-energy-growth", [&overrides] { overrides.emplace_back("integrator.allow_energy_growth=true"); },
      "Run Fremond's impact law also at a theta where energy may grow");
}

// What `run` and `resume` may do so that a run goes on.
template <class Options>
void add_going_on_options(CLI::App& command, Options& options) {
  command.add_option("--checkpoint-every", options.checkpoint_every, "Wall time from one checkpoint to the next, s")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  command.add_flag("--continue", options.accept_unconverged,
                   "Accept steps that miss their tolerance; they are counted");
  command
      .add_option("--threads", options.threads,
                  "Threads (default: one per core); results do not depend on their number")
      ->check(CLI::Range(1, 1024));
}

CLI::Option* add_scene_option(CLI::App& command, std::string& scene) {
  return command.add_option("scene", scene, "Scene file, or the id of a shipped scene")->type_name("SCENE");
}

void add_converge_command(CLI::App& program, ConvergeOptions& options) {
  CLI::App& command = *program.add_subcommand("converge", "Run a scene with many steps: the order of its probes");
  add_scene_option(command, options.scene)->required();
  command
      .add_option("--steps", options.steps,
                  "Steps in s: a list, or LARGEST:SMALLEST:COUNT in equal ratios (default: step:step/100:20)")
      ->type_name("H1,H2,…");
  command.add_option("--probe", options.probes, "Probe to look at; may be repeated (default: all)")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option("--reference", options.references,
                  "True value of a probe, of t and parameters; NAME= may be left out with one probe")
      ->type_name("NAME=EXPR")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option("--reference-step", options.reference_step,
                  "Step of the run that probes without a true value are compared with (default: smallest/10)")
      ->type_name("H");
  command.add_option("--out", options.out, "Directory for the results (default: out/<scene>-converge)")
      ->type_name("DIR");
  command.add_option("--json", options.json, "Write converge.json to this file, too")->type_name("FILE");
  command.add_option("--variant", options.variant, "Variant of the scene")->type_name("NAME");
  add_override_options(command, options.overrides);
  command.add_option("--threads", options.threads, "Runs at a time (default: one per core)")
      ->check(CLI::Range(1, 1024));
  command.add_flag("--quiet", options.quiet, "No progress, no table; errors only");
  command.footer("Example:\n  ricochet converge bouncing-ball --steps 1e-2:1e-4:20 --probe altitude");
}

void add_compare_command(CLI::App& program, CompareOptions& options) {
  CLI::App& command = *program.add_subcommand("compare", "Run a scene with several time schemes, side by side");
  add_scene_option(command, options.scene)->required();
  command
      .add_option("--integrator", options.integrators,
                  "Schemes, each with options of integrator: NAME[:option=value[:option=value…]]")
      ->required()
      ->type_name("A,B,…");
  command.add_option("--out", options.out, "Directory for the results (default: out/<scene>-compare)")
      ->type_name("DIR");
  command.add_option("--variant", options.variant, "Variant of the scene")->type_name("NAME");
  add_override_options(command, options.overrides, false);
  command.add_option("--threads", options.threads, "Threads of each run (default: one per core)")
      ->check(CLI::Range(1, 1024));
  command.add_flag("--quiet", options.quiet, "No progress, no table; errors only");
  command.footer("Example:\n  ricochet compare bouncing-ball --integrator moreau-jean:theta=1,moreau-jean:theta=0.5");
}

void add_sweep_command(CLI::App& program, SweepOptions& options) {
  CLI::App& command = *program.add_subcommand("sweep", "Run a scene with many values, on all cores: one table");
  add_scene_option(command, options.scene)->required();
  command
      .add_option("--vary", options.variations,
                  "Values of a place of the scene; may be repeated. A list a,b,…; linear(a,b):n or logarithmic(a,b):n; "
                  "random: uniform(a,b):n or normal(mean,deviation):n")
      ->required()
      ->type_name("PATH=VALUES")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--seed", options.seed, "Seed of random values (default: 0)")
      ->type_name("S")
      ->check([](const std::string& text) -> std::string {  // a sign would be taken, and wrapped around
        return text.find_first_not_of("0123456789") == std::string::npos ? "" : "must be a whole number from 0 on";
      });
  command.add_option("--out", options.out, "Directory for the results (default: out/<scene>-sweep)")->type_name("DIR");
  command.add_option("--variant", options.variant, "Variant of the scene")->type_name("NAME");
  add_override_options(command, options.overrides);
  command.add_option("--threads", options.threads, "Samples at a time (default: one per core)")
      ->check(CLI::Range(1, 1024));
  command.add_flag("--quiet", options.quiet, "No progress, no table; errors only");
  command.footer("Example:\n  ricochet sweep bouncing-ball --vary parameters.restitution=0.1,0.4,0.6,0.9");
}

int run(int argument_count, char** arguments) {
  CLI::App program("Ricochet simulates machines and bodies that touch, strike, stick and slide.");
  program.name("ricochet");
  program.set_version_flag("--version", "ricochet " + std::string(io::version()));
  program.set_help_flag("-h,--help", "Show this help and exit");
  program.require_subcommand(1);
  program.footer(examples);

  RunOptions run_options;
  CLI::App* run_app = program.add_subcommand("run", "Run a scene and write a result directory");
  add_scene_option(*run_app, run_options.scene)->required();
  run_app->add_option("--out", run_options.out, "Result directory (default: out/<scene>)")->type_name("DIR");
  run_app->add_option("--variant", run_options.variant, "Variant of the scene")->type_name("NAME");
  add_override_options(*run_app, run_options.overrides);
  add_going_on_options(*run_app, run_options);
  run_app
      ->add_option("--dump-problem", run_options.dump_problem,
                   "Write the contact problem of a step (a number), of every:N-th step, or of failed ones")
      ->type_name("WHEN")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  run_app
      ->add_option("--trace-step", run_options.trace_steps,
                   "Print the residuals of all Newton iterations of a step (a number, counted from 1)")
      ->type_name("N")
      ->delimiter(',')
      ->check(CLI::Range(1L, 1'000'000'000'000L));
  run_app->add_flag("--quiet", run_options.quiet, "No progress, no table; errors only");
  run_app->add_flag_callback(
      "--no-report", [&] { run_options.report = false; }, "Write no report.html");
  run_app->footer("Example:\n  ricochet run scenes/bouncing-ball.yaml --set parameters.restitution=0.5 --out out/ball");

  ResumeOptions resume_options;
  CLI::App* resume_app = program.add_subcommand("resume", "Continue a run from a checkpoint, bit for bit");
  resume_app->add_option("checkpoint", resume_options.checkpoint, "A file checkpoint-<step>.h5 of the run")
      ->required()
      ->type_name("CHECKPOINT");
  resume_app->add_option("--end", resume_options.end, "Another time at which the run ends, s")->type_name("T");
  add_going_on_options(*resume_app, resume_options);
  resume_app->add_flag("--quiet", resume_options.quiet, "No progress, no table; errors only");
  resume_app->footer("Example:\n  ricochet resume out/ball.partial-4711/checkpoint-12000.h5");

  CheckOptions check_options;
  CLI::App* check_app = program.add_subcommand("check", "Read and check a scene, run nothing");
  add_scene_option(*check_app, check_options.scene);
  check_app->add_option("--variant", check_options.variant, "Variant of the scene")->type_name("NAME");
  add_override_options(*check_app, check_options.overrides);
  check_app->add_flag("--schema", check_options.schema, "Print the JSON Schema of scenes");
  check_app->add_flag("--reference", check_options.reference, "Print the reference tables of docs/scene.md");
  check_app->footer("Example:\n  ricochet check my-scene.yaml");

  ValidateOptions validate_options;
  CLI::App* validate_app =
      program.add_subcommand("validate", "Run shipped scenes and their variants against the facts that they carry");
  validate_app->add_option("patterns", validate_options.patterns, "Scene ids or globs; all scenes if there are none")
      ->type_name("ID|GLOB");
  add_override_options(*validate_app, validate_options.overrides);
  validate_app->add_option("--json", validate_options.json, "Write the verdicts to this file")->type_name("FILE");
  validate_app->add_option("--threads", validate_options.threads, "Scenes at a time (default: one per core)")
      ->check(CLI::Range(1, 1024));
  validate_app->add_flag("--facts", validate_options.facts, "List every fact");
  validate_app->add_flag("--quiet", validate_options.quiet, "List only what does not hold");
  validate_app->footer("Examples:\n  ricochet validate\n  ricochet validate 'box-on-incline/*' --facts");

  ConvergeOptions converge_options;
  add_converge_command(program, converge_options);
  CompareOptions compare_options;
  add_compare_command(program, compare_options);
  SweepOptions sweep_options;
  add_sweep_command(program, sweep_options);

  SolveCommandOptions solve_options;
  CLI::App* solve_app = program.add_subcommand("solve", "Solve contact problems from files (FCLIB, Siconos text)");
  solve_app->add_option("problems", solve_options.problems, "Problem files, directories of them, or globs")
      ->required()
      ->type_name("PROBLEM");
  solve_app->add_option("--solver", solve_options.solver, "Name of a solver, or all (default: auto)")
      ->type_name("NAME");
  solve_app->add_option("--tolerance", solve_options.tolerance, "Residual to reach, dimensionless (default: 1e-8)")
      ->type_name("X");
  solve_app->add_option("--max-iterations", solve_options.max_iterations, "Iterations that a solver may take")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000'000));
  solve_app->add_option("--worst", solve_options.worst, "List the N contacts with the largest residual")
      ->type_name("N")
      ->check(CLI::Range(0, 1'000'000'000));
  solve_app->add_option("--json", solve_options.json, "Write results, impulses and velocities to this file")
      ->type_name("FILE");
  solve_app->add_flag("--quiet", solve_options.quiet, "List only what misses the tolerance");
  solve_app->footer("Example:\n  ricochet solve tower.hdf5 --solver all --tolerance 1e-10 --json tower.json");

  std::string report_directory;
  CLI::App* report_app = program.add_subcommand("report", "Make report.html of a result directory anew");
  report_app->add_option("result", report_directory, "Result directory")->required()->type_name("DIR");
  report_app->footer("Example:\n  ricochet report out/bouncing-ball");

  ExportOptions export_options;
  CLI::App* export_app = program.add_subcommand("export", "Write a result for ParaView");
  export_app->add_option("result", export_options.result, "Result directory")->required()->type_name("RESULT");
  export_app->add_option("--vtk", export_options.vtk, "Directory for .pvd series of bodies, contacts and surfaces")
      ->required()
      ->type_name("DIR");
  export_app->add_option("--frames", export_options.frames, "Rows to export at most, at equal distances; 0: all")
      ->type_name("N")
      ->check(CLI::Range(0, 1'000'000'000))
      ->capture_default_str();
  export_app->footer("Example:\n  ricochet export out/box-pile --vtk out/box-pile-vtk");

  CLI::App* scenes_app = program.add_subcommand("scenes", "List, show, copy or run the shipped scenes");
  scenes_app->require_subcommand(0, 1);
  scenes_app->add_subcommand("list", "List the shipped scenes");
  std::string scene_id;
  std::string copy_directory;
  CLI::App* show_app = scenes_app->add_subcommand("show", "Print a scene");
  show_app->add_option("id", scene_id, "Scene id")->required()->type_name("ID");
  CLI::App* copy_app = scenes_app->add_subcommand("copy", "Copy a scene to a directory");
  copy_app->add_option("id", scene_id, "Scene id")->required()->type_name("ID");
  copy_app->add_option("directory", copy_directory, "Where to")->required()->type_name("DIR");
  GalleryOptions gallery_options;
  CLI::App* gallery_app = scenes_app->add_subcommand("gallery", "Run scenes and make a page with their pictures");
  gallery_app->add_option("directory", gallery_options.directory, "Where to")->required()->type_name("DIR");
  gallery_app->add_option("patterns", gallery_options.patterns, "Scene ids or globs; all scenes if there are none")
      ->type_name("ID|GLOB");
  scenes_app->footer("Example:\n  ricochet scenes copy bouncing-ball .");

  if (const std::string word = argument_count > 1 ? arguments[1] : "-"; !word.starts_with("-")) {
    const std::vector<std::string> commands = {"run",   "resume", "check",  "validate", "converge", "compare",
                                               "sweep", "solve",  "report", "export",   "scenes"};
    if (std::find(commands.begin(), commands.end(), word) == commands.end()) {
      const std::string near = math::nearest(word, commands);
      complain(fmt::format("there is no command '{}'{}. See 'ricochet --help'.", word,
                           near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
      return exit_wrong_input;
    }
  }
  try {
    program.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // help and version
    complain(std::string(error.what()) + ". See 'ricochet --help'.");
    return exit_wrong_input;
  }

  if (*run_app) return run_command(run_options);
  if (*resume_app) return resume_command(resume_options);
  if (*check_app) {
    if (check_options.scene.empty() && !check_options.schema && !check_options.reference) {
      complain("check needs a scene file or --schema. See 'ricochet check --help'.");
      return exit_wrong_input;
    }
    return check_command(check_options);
  }
  if (*validate_app) return validate_command(validate_options);
  if (program.got_subcommand("converge")) return converge_command(converge_options);
  if (program.got_subcommand("compare")) return compare_command(compare_options);
  if (program.got_subcommand("sweep")) return sweep_command(sweep_options);
  if (*solve_app) return solve_command(solve_options);
  if (*report_app) return report_command(report_directory);
  if (*export_app) return export_command(export_options);
  if (*show_app) return scenes_show_command(scene_id);
  if (*gallery_app) return scenes_gallery_command(gallery_options);
  if (*copy_app) return scenes_copy_command(scene_id, copy_directory);
  return scenes_list_command();
}

}  // namespace
}  // namespace ricochet::app

int main(int argument_count, char** arguments) {
  using namespace ricochet;
  app::install_interrupt_handler();
  try {
    const int code = app::run(argument_count, arguments);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      app::complain("the standard output could not be written.");
      return app::exit_not_reached;
    }
    return code;
  } catch (const io::InputError& error) {
    app::complain(error.what());
    return app::exit_wrong_input;
  } catch (const io::OutputError& error) {
    app::complain(error.what());
    return app::exit_wrong_input;
  } catch (const io::WriteError& error) {
    app::complain(error.what());
    return app::exit_not_reached;
  } catch (const io::FileError& error) {
    app::complain(error.what());
    return app::exit_unreadable_file;
  } catch (const std::exception& error) {
    app::complain(std::string("unexpected error: ") + error.what());
    return app::exit_not_reached;
  }
}
