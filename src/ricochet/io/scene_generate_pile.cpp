// The generator `pile`: bodies of random kinds, sizes and orientations in cubes over a footprint, from where they fall.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "ricochet/io/scene_generate_layouts.hpp"
#include "ricochet/io/scene_shapes.hpp"

namespace ricochet::io {

namespace {

// One of the templates between which a pile chooses.
struct PileKind {
  const Value* body = nullptr;
  std::string path;
  double weight = 1;
};

std::vector<PileKind> read_kinds(const Entry& settings, const Value& generator, const SceneNames& names) {
  const Value* body = generator.find("body");
  const Value* kinds = generator.find("kinds");
  if ((body == nullptr) == (kinds == nullptr)) {
    settings.refuse(fmt::format("'{}' needs either a body or kinds", settings.path()));
  }
  if (kinds == nullptr) return {{body, settings.path() + ".body"}};
  std::vector<PileKind> result;
  const Type& type = find_field(settings.type(), &settings.value(), "kinds")->type;
  const Entry entry(*kinds, type, settings.path() + ".kinds", names);
  double sum = 0;
  for (const Entry& kind : entry.entries()) {
    result.push_back({&kind["body"].value(), kind["body"].path(), kind["weight"].number()});
    sum += result.back().weight;
  }
  if (!(sum > 0)) entry.refuse(fmt::format("no kind of '{}' has a weight", entry.path()));
  return result;
}

const PileKind& drawn(const std::vector<PileKind>& kinds, math::Random& random) {
  double sum = 0;
  for (const PileKind& kind : kinds) sum += kind.weight;
  double rest = random.uniform(0, sum);
  for (const PileKind& kind : kinds) {
    if (rest < kind.weight) return kind;
    rest -= kind.weight;
  }
  return kinds.back();
}

// How many cubes fit into a length; a footprint that is meant to hold them exactly may round to a little less.
std::int64_t cubes_in(const Entry& length, double spacing) {
  constexpr double kMost = 1 << 30;  // more than there will ever be bodies, and its square is still a number
  const auto count = static_cast<std::int64_t>(std::min(std::floor(length.number() / spacing * (1 + 1e-12)), kMost));
  if (count < 1) length.refuse(fmt::format("'{}' must be at least the spacing, {} m", length.path(), spacing));
  return count;
}

// Only what the radius depends on is checked here, everything else with the scene.
double checked_radius(const Value& body, const Layout& layout, const Generation& generation) {
  const std::string path = "bodies." + layout.next_name();
  for (const char* key : {"shape", "parts"}) {
    const Value* value = body.find(key);
    if (value == nullptr) continue;
    check(*value, find_field(layout.body_type(), &body, key)->type, path + "." + key, generation.scene(),
          generation.names());
  }
  return read_body_radius(Entry(body, layout.body_type(), path, generation.names()), layout.is_planar());
}

}  // namespace

void pile(const Entry& settings, Generation& generation) {
  Layout layout(settings, generation);
  const bool planar = layout.is_planar();
  const std::vector<PileKind> kinds = read_kinds(settings, generation.generator(), generation.names());
  const double spacing = settings["spacing"].number();
  const std::vector<Entry> footprint = settings["footprint"].entries();
  if (footprint.size() != (planar ? 1U : 2U)) {
    settings["footprint"].refuse(fmt::format("'{}' must be {}", settings["footprint"].path(),
                                             planar ? "[length] in a planar scene" : "[length, depth]"));
  }
  const std::int64_t columns = cubes_in(footprint[0], spacing);
  const std::int64_t rows = planar ? 1 : cubes_in(footprint[1], spacing);
  const Entry sizes = settings["sizes"];
  if (sizes.is_written() && generation.names().parameters.find("size")) {
    sizes.refuse(
        fmt::format("with '{}' the index 'size' is drawn, but there is a parameter of this name; call it "
                    "otherwise",
                    sizes.path()));
  }
  const double smallest = sizes.entries()[0].number();
  const double largest = sizes.entries()[1].number();
  const bool turned = settings["orientations"].text() == "random";
  math::Random random(static_cast<std::uint64_t>(settings["seed"].integer()));

  for (int i = 0; i < settings["count"].integer(); ++i) {
    const PileKind& kind = drawn(kinds, random);
    const double size = random.uniform(smallest, largest);
    std::vector<GeneratorIndex> further;
    if (sizes.is_written()) further.push_back({"size", size});
    Value body = layout.make(*kind.body, kind.path, further);
    const double radius = checked_radius(body, layout, generation);
    if (2 * radius > spacing) {
      settings["spacing"].refuse(
          fmt::format("'{}' must be at least {:.6g} m, so that '{}' can be turned in its cube of that edge",
                      settings["spacing"].path(), 2 * radius, layout.next_name()));
    }
    const std::int64_t cell = i % (columns * rows);
    const auto along = [&](std::int64_t index, std::int64_t count) {
      return (static_cast<double>(index) + 0.5 - 0.5 * static_cast<double>(count)) * spacing;
    };
    Vector3 center(along(cell % columns, columns), planar ? 0.0 : along(cell / columns, rows),
                   along(i / (columns * rows), 0));
    const double room = 0.5 * spacing - radius;
    for (const int axis : {0, 1, 2}) {
      if (!(planar && axis == 1)) center[axis] += random.uniform(-room, room);
    }
    const math::Quaternion turn = turned ? random_orientation(random, planar) : math::Quaternion::identity();
    layout.add(std::move(body), layout.axes(center), turn);
  }
}

}  // namespace ricochet::io
