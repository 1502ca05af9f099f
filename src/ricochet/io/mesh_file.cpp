#include "ricochet/io/mesh_file.hpp"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cctype>
#include <filesystem>
#include <stdexcept>

namespace ricochet::io {

namespace {

// The library knows fifty formats, most of them of scenes; two are what machines are drawn in.
void require_known_format(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (extension == ".stl" || extension == ".obj") return;
  throw std::invalid_argument(fmt::format("'{}' is neither an STL nor an OBJ file", path.string()));
}

}  // namespace

model::TriangleMesh read_mesh_file(const std::string& path, double scale) {
  require_known_format(path);
  if (!std::filesystem::is_regular_file(path)) {
    const std::filesystem::path full = std::filesystem::absolute(path).lexically_normal();
    throw std::invalid_argument(
        fmt::format("there is no file '{}' in the folder '{}'; a path begins at the folder of the scene",
                    full.filename().string(), full.parent_path().string()));
  }
  Assimp::Importer importer;
  // Points and lines that are not part of a surface are left out.
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const aiScene* scene =
      importer.ReadFile(path, aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices);
  if (scene == nullptr) {
    throw std::invalid_argument(
        fmt::format("'{}' cannot be read, it may be damaged or cut off: {}", path, importer.GetErrorString()));
  }
  model::TriangleMesh mesh;
  for (unsigned int i = 0; i < scene->mNumMeshes; ++i) {
    const aiMesh& part = *scene->mMeshes[i];
    const auto first = static_cast<int>(mesh.vertices.size());
    for (unsigned int k = 0; k < part.mNumVertices; ++k) {
      const aiVector3D& vertex = part.mVertices[k];
      mesh.vertices.emplace_back(scale * vertex.x, scale * vertex.y, scale * vertex.z);
    }
    for (unsigned int k = 0; k < part.mNumFaces; ++k) {
      const aiFace& face = part.mFaces[k];
      if (face.mNumIndices != 3) continue;
      mesh.triangles.push_back({first + static_cast<int>(face.mIndices[0]), first + static_cast<int>(face.mIndices[1]),
                                first + static_cast<int>(face.mIndices[2])});
    }
  }
  mesh = model::with_joined_vertices(mesh);
  if (mesh.triangles.empty()) throw std::invalid_argument(fmt::format("'{}' has no triangles", path));
  return mesh;
}

}  // namespace ricochet::io
