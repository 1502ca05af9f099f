// A window of steps with Bullet from a heap (bench/heap_file.hpp), as its users set it up: btDiscreteDynamicsWorld,
// btSequentialImpulseConstraintSolver with a fixed number of iterations, margins as they come, nothing sleeps.
//
//   bullet_heap HEAP STEPS ITERATIONS END
//
// Prints, of each step: `step`, seconds (of the processor), contacts (points of manifolds that are closed), 0 (there is
// no tolerance to miss). Writes the heap after the last step to END.
#include <btBulletDynamicsCommon.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

double processor_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Heap {
  double step = 0, friction = 0;
  btVector3 gravity = {0, 0, 0};
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btMotionState>> motions;
  std::vector<std::unique_ptr<btRigidBody>> bodies;  // planes too, with mass 0
  std::vector<std::string> header;                   // lines that do not move
  std::vector<std::string> beginnings;               // of the lines of bodies: word, mass, size

  void add(double mass, std::unique_ptr<btCollisionShape> shape, const btTransform& place) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(mass, inertia);
    shapes.push_back(std::move(shape));
    motions.push_back(std::make_unique<btDefaultMotionState>(place));
    btRigidBody::btRigidBodyConstructionInfo info(mass, motions.back().get(), shapes.back().get(), inertia);
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
  }
};

btVector3 vector(std::istream& line) {
  double x = 0, y = 0, z = 0;
  line >> x >> y >> z;
  return {x, y, z};
}

void read_body(const std::string& word, std::istringstream& line, Heap& heap) {
  double mass = 0, w = 1;
  line >> mass;
  const btVector3 size = vector(line), position = vector(line);
  line >> w;
  const btVector3 axis = vector(line), velocity = vector(line), spin = vector(line);
  const btTransform place(btQuaternion(axis.x(), axis.y(), axis.z(), w), position);
  if (word == "ball") {
    heap.add(mass, std::make_unique<btSphereShape>(size.x()), place);
  } else {
    heap.add(mass, std::make_unique<btBoxShape>(size), place);
  }
  heap.bodies.back()->setLinearVelocity(velocity);
  heap.bodies.back()->setAngularVelocity(place.getBasis() * spin);  // Bullet's is that of the world
  std::ostringstream beginning;
  beginning << std::setprecision(17) << word << ' ' << mass << ' ' << size.x() << ' ' << size.y() << ' ' << size.z();
  heap.beginnings.push_back(beginning.str());
}

Heap read_heap(const char* path) {
  Heap heap;
  std::ifstream file(path);
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string word;
    line >> word;
    if (word == "box" || word == "ball") {
      read_body(word, line, heap);
      continue;
    }
    heap.header.push_back(text);
    if (word == "step") line >> heap.step;
    if (word == "friction") line >> heap.friction;
    if (word == "gravity") heap.gravity = vector(line);
    if (word == "plane") {
      const btVector3 point = vector(line), normal = vector(line);
      heap.add(0, std::make_unique<btStaticPlaneShape>(normal, normal.dot(point)), btTransform::getIdentity());
    }
  }
  return heap;
}

void write_heap(const Heap& heap, const char* path) {
  std::ofstream file(path);
  file << std::setprecision(17);
  for (const std::string& line : heap.header) file << line << '\n';
  std::size_t next = 0;
  for (const auto& body : heap.bodies) {
    if (body->isStaticObject()) continue;
    const btTransform& place = body->getWorldTransform();
    const btVector3 x = place.getOrigin(), v = body->getLinearVelocity();
    const btQuaternion q = place.getRotation();
    const btVector3 spin = place.getBasis().transpose() * body->getAngularVelocity();
    file << heap.beginnings[next++];
    for (const double number :
         {x.x(), x.y(), x.z(), q.w(), q.x(), q.y(), q.z(), v.x(), v.y(), v.z(), spin.x(), spin.y(), spin.z()}) {
      file << ' ' << number;
    }
    file << '\n';
  }
}

int closed_contacts(btDispatcher& dispatcher) {
  int count = 0;
  for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
    const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
    for (int k = 0; k < manifold.getNumContacts(); ++k) count += manifold.getContactPoint(k).getDistance() <= 0 ? 1 : 0;
  }
  return count;
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) {
    std::fprintf(stderr, "usage: bullet_heap HEAP STEPS ITERATIONS END\n");
    return 2;
  }
  Heap heap = read_heap(words[1]);
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(heap.gravity);
  world.getSolverInfo().m_numIterations = std::atoi(words[3]);
  for (const auto& body : heap.bodies) {
    // The coefficient of a pair is the product of both.
    body->setFriction(std::sqrt(heap.friction));
    body->setRestitution(0);
    world.addRigidBody(body.get());
  }
  for (int i = 0; i < std::atoi(words[2]); ++i) {
    const double begin = processor_seconds();
    world.stepSimulation(heap.step, 0);  // one step of this length
    const double seconds = processor_seconds() - begin;
    std::printf("step %.9f %d 0\n", seconds, closed_contacts(dispatcher));
  }
  write_heap(heap, words[4]);
  for (const auto& body : heap.bodies) world.removeRigidBody(body.get());
  return 0;
}
