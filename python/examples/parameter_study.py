"""How far a box slides on a table until friction stops it: every distance is v^2/(2 mu g)."""

import ricochet

SPEED, GRAVITY = 2.0, 9.81

scene = ricochet.Scene(name="sliding-box", gravity=[0, -GRAVITY, 0], time={"end": 1.5, "step": 1e-3})
scene.parameter("friction", 0.3)
scene.body(
    "box",
    shape={"type": "box", "size": [0.2, 0.1, 0.2]},
    mass=2,
    position=[0, 0.05, 0],
    velocity=[SPEED, 0, 0],
)
scene.surface("table", type="plane", normal=[0, 1, 0])
scene.contact("slide", between=["box", "table"], friction="friction")
scene.probe("distance", "box.position.x")
base = scene.case()

print("friction   distance   v^2/(2 mu g)")
for friction in (0.2, 0.3, 0.5, 0.8):
    simulation = base.changed(parameters={"friction": friction}).simulation()
    simulation.run()
    found, expected = simulation.probes["distance"], SPEED**2 / (2 * friction * GRAVITY)
    print(f"{friction:8.2f}   {found:8.5f}   {expected:12.5f}")
    assert abs(found - expected) < SPEED * 1e-3  # friction acts in whole steps: at most one step of sliding
    assert (simulation.contacts["status"] == 1).all()  # the box stands: every corner sticks
    heat = -simulation.energies["contact_tangential"]
    assert abs(heat - SPEED**2) < 1e-9  # all of m v^2/2 with m = 2
