// What the page of a report needs to draw the run: shapes, and where everything is in a number of frames. Numbers that
// come in masses are base64 of little-endian arrays; viewer/src/replay_data.ts reads them.
//
//   planar, up[3], center[3], unit     lengths and places are (x - center)/unit: small numbers for any machine
//   low[3], high[3]                    the box that the bodies keep to, in these units
//   rows, time[f], notices             of the result; of the f frames; sentences on what is left out
//   bodies {names, appears, disappears}
//   parts {shapes: names, shape: u8, body, mesh: i32, size, position: f32[p,3], quaternion: f32[p,4]}
//   meshes [{vertices: f32[v,3], triangles: u32[t,3]}]
//   surfaces [{name, point, normal, mesh, driven}]       driven: place among those that drivers move, or -1
//   springs [{name, start, end}], joints [{name, type, first, second, axes}]    ends: {body, point}
//   position: f32[f,b,3], quaternion: i16[f,b,4] (times 32767), driven: f32[f,d,6] (point, normal)
//   contacts {start: u32[f+1], point, impulse: f32[m,3], direction: i8[m,4] (normal times 127, status), largest}
//
// Frames are rows at equal distances. A contact of a frame has the impulse of all rows since the frame before it, so
// that no impact is lost, and the place and the status of the last of these rows in which it appears.
#pragma once

#include <cstddef>

#include "ricochet/io/report_json.hpp"
#include "ricochet/io/result_reader.hpp"

namespace ricochet::io {

inline constexpr std::size_t replay_frames = 5001;  // at most

// Adds one value to the JSON: the object, or null if the result has no geometry. Its text has at most about `limit`
// bytes: frames are thinned first, then the contacts of each frame, of which the largest impulses stay.
void report_replay(ReportJson& json, const ResultReader& result, std::size_t limit);

}  // namespace ricochet::io
