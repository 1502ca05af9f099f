"""Python goes on while steps are computed: Ctrl-C arrives, other threads run, and nobody sees half a step."""

import os
import signal
import tempfile
import threading
import time
import unittest
from pathlib import Path

from support import ball_scene, free_mass

import ricochet

FOREVER = 1e6  # s of simulated time: days of computing


def setUpModule():
    """A shell that runs in the background starts its programs with Ctrl-C switched off."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def interrupt_after(seconds):
    """Ctrl-C as a terminal sends it."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


class Interrupts(unittest.TestCase):
    def check(self, work):
        started = time.monotonic()
        timer = interrupt_after(0.2)
        with self.assertRaises(KeyboardInterrupt):
            work()
        timer.join()
        self.assertLess(time.monotonic() - started, 5)

    def test_run(self):
        simulation = ball_scene().case().simulation()
        self.check(lambda: simulation.run(until=FOREVER))
        steps = simulation.steps
        self.assertGreater(steps, 100)
        self.assertEqual(simulation.time, steps * 1e-3)
        simulation.step()  # it can go on
        self.assertEqual(simulation.steps, steps + 1)

    def test_many_steps(self):
        simulation = ball_scene().case().simulation()
        self.check(lambda: simulation.step(10**12))

    def test_record_and_laws_of_python(self):
        simulation = free_mass().case().simulation(forces=[ricochet.Force("mass", lambda t, m: -m.position)])
        self.check(lambda: simulation.run(until=FOREVER))
        self.check(lambda: simulation.record(until=FOREVER, every=10**9))

    def test_a_run_into_files_keeps_what_was_computed(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "ball")
            case = ball_scene(output={"every": 1000}).case(set={"time.end": 1e5})
            self.check(lambda: case.run(out, report=False))
            result = ricochet.open_result(out)
            self.assertFalse(result.summary["complete"])
            self.assertGreater(result.time[-1], 0)


class Threads(unittest.TestCase):
    def test_other_threads_run_while_stepping(self):
        simulation = ball_scene().case().simulation()
        stop, counted = threading.Event(), [0]

        def count():
            while not stop.is_set():
                counted[0] += 1

        thread = threading.Thread(target=count)
        thread.start()
        try:
            simulation.step(1)
            before = counted[0]
            simulation.step(200_000)  # one call; without releasing the lock nothing would be counted during it
            during = counted[0] - before
        finally:
            stop.set()
            thread.join()
        self.assertGreater(during, 1000)

    def test_two_simulations_in_two_threads(self):
        def hash_of(results, i):
            simulation = ball_scene().case().simulation()
            simulation.run()
            results[i] = simulation.state_hash

        results = [None, None]
        threads = [threading.Thread(target=hash_of, args=(results, i)) for i in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        alone = [None]
        hash_of(alone, 0)
        self.assertEqual(results, alone * 2)
        self.assertIsNotNone(alone[0])

    def test_nobody_sees_half_a_step(self):
        complaints = []
        simulation = None

        def law(time, motion):
            for look in (lambda: simulation.energies, lambda: simulation.contacts, simulation.step, simulation.snapshot):
                try:
                    look()
                except RuntimeError as error:
                    complaints.append(str(error))
            return [0, 0, 0]

        simulation = free_mass().case().simulation(forces=[ricochet.Force("mass", law)])
        simulation.step()
        self.assertEqual(len(complaints) % 4, 0)
        self.assertGreater(len(complaints), 0)
        self.assertTrue(all("in the middle of a step" in complaint for complaint in complaints))

    def test_two_threads_on_one_simulation(self):
        simulation = ball_scene().case().simulation()
        refused = threading.Event()

        def meddle():
            while not refused.is_set():
                try:
                    simulation.step()
                except RuntimeError:
                    refused.set()

        thread = threading.Thread(target=meddle)
        thread.start()
        for _ in range(1000):
            try:
                simulation.step(2000)
            except RuntimeError:
                refused.set()
            if refused.is_set():
                break
        thread.join()
        self.assertTrue(refused.is_set())


if __name__ == "__main__":
    unittest.main()
