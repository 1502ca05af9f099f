// report.html: a run on one page that needs nothing but a browser. The page is made from viewer/ when Ricochet is
// built; here the numbers of a result directory are put into it, as JSON.
//
//   summary               summary.json
//   scene                 {name, description, variant, text}: the text as run, and what it says of itself
//   history               {rows, time, probes, energy, works, closing_error, contacts, penetration, iterations,
//                         residual}
//   portraits             [{name, x, y, lines [{time, columns [[…], […]]}]}]: probe y over probe x
//   contacts              {identities, list: [{name, normal, tangential, stick, slip, penetration}]}
//   replay                report_replay.hpp
//
// `probes` is a list of tables, each other entry of the history is one table: {columns: [{name, values}]}. A number
// that is not finite is null. A history of more than `report_rows` rows (fewer with hundreds of probes) is thinned,
// each table for itself (report_thinning.hpp): then `history.time` is null and every table has its own `time`.
// viewer/src/data.ts says the same to the page.
//
// The list of contacts has those with the largest normal impulses, at most `report_contacts`. Its impulses are sums
// over the run in N s; stick and slip are shares of the duration, each row speaking for the time since the row before
// it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "ricochet/io/file_error.hpp"
#include "ricochet/io/report_json.hpp"

namespace ricochet::io {

inline constexpr std::size_t report_bytes = 30'000'000;  // a page is smaller
inline constexpr std::size_t report_rows = 4000;
inline constexpr std::size_t report_contacts = 200;

// Makes report.html from summary.json and result.h5 of the directory; it appears whole or not at all. Throws FileError
// if these two cannot be read, and WriteError or OutputError if the page cannot be written.
void write_report(const std::filesystem::path& result_directory);

// What pages of studies have in common with it. A page: `data` is put into the template, and the file appears whole or
// not at all.
void write_report_page(const std::filesystem::path& path, const std::string& data);
// {name, description, variant, text}: of a scene and, if `id` is that of a variant, the description of the variant. A
// text that is no scene has none: the page shows it all the same.
void report_scene(ReportJson& json, const std::string& text, const std::string& id);
// How many rows a plot may have. With very many lines in all plots these are fewer, so that a page stays small.
std::size_t report_rows_per_plot(std::size_t lines);

// A report that is being written, or was when its process was killed: report.html.partial-<digits>.
bool is_report_draft_name(std::string_view file_name);

// The page without its data, in whose place stands `report_data_mark`.
std::string_view report_template();
inline constexpr std::string_view report_data_mark = "@RICOCHET_DATA@";

}  // namespace ricochet::io
