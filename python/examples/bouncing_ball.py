import ricochet

scene = ricochet.Scene(gravity=[0, -9.81, 0], time={"end": 1, "step": 1e-4})
scene.body("ball", mass=1, shape={"type": "sphere", "radius": 0.1}, position=[0, 1.1, 0])
scene.surface("ground", type="plane", normal=[0, 1, 0])
scene.contact("bounce", between=["ball", "ground"], restitution=0.8)
result = scene.probe("height", "ball.position.y - 0.1").case().simulation().record()
apex = result.probes["height"][result.time > 0.5].max()
print(f"The ball comes back to {apex:.3f} m.")
assert abs(apex - 0.8**2) < 1e-3  # the part restitution^2 of the height is left
