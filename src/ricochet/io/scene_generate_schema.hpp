// The part of the schema for the section `generate`: which types of generators there are, and their keys.
//
// The alternatives of a generator have keys of two kinds: settings of its own (`count`), and templates, which have the
// names of sections of the scene and are of their types (Type::is_template).
#pragma once

#include "ricochet/io/schema.hpp"

namespace ricochet::io {

// Adds the key `generate` to the schema of a scene, whose other keys must be there. Can be called once per program: the
// schema contains itself, because a generator may contain generators.
void add_generate_field(Type& scene);

}  // namespace ricochet::io
