// The scenes that come with the program. They are looked for in the directory that the environment variable
// RICOCHET_SCENES names, else beside the installed program (../share/ricochet/scenes), else in the source tree from
// which the program was built. The id of a scene is its file name without .yaml; the id of a variant is SCENE/VARIANT.
#pragma once

#include <string>
#include <vector>

namespace ricochet::io {

// Where they are; throws InputError if there is no such directory.
std::string shipped_scenes_directory();

// The ids of all scenes, sorted.
std::vector<std::string> shipped_scenes();

// The file of a scene; throws InputError, with a suggestion, if there is none with this id.
std::string shipped_scene_path(const std::string& id);

// The ids of scenes and variants that match any of the patterns (* and ? stand for other characters; no pattern means
// all), sorted by scene, variants in the order of the file. A scene's id also stands for its variants. Variants
// that take long are meant only by patterns with a '/'. Throws InputError if a pattern matches nothing.
std::vector<std::string> matching_scenes(const std::vector<std::string>& patterns);

// The file that a user means by a path or by the id of a shipped scene.
std::string find_scene(const std::string& path_or_id);

}  // namespace ricochet::io
