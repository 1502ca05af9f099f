#!/usr/bin/env python3
"""The table of bench/peers/run: reads what the programs printed in all rounds, and judges it.

    table.py COMPARISON RESULTS

Each line of the results is: program, steps per second, three numbers of the motion's end, and perhaps the same three in
the limit of small steps. Exit code 1 if motions differ or Ricochet is not as much faster as it should be.
"""
import statistics
import sys

COMPARISONS = {
    "rocking-block": {
        "title": "Rocking block, 10,000 steps of 1e-4 s",
        "end": "x, y, rotation",
        "names": {
            "ricochet": "Ricochet",
            "siconos_enumeration": "Siconos, C++, enumeration",
            "siconos_gauss_seidel": "Siconos, C++, NSGS",
            "siconos_python": "Siconos, Python, compiled relations",
        },
        "against": lambda program: "ricochet",
        "ratio": 5,
        "tolerance": 1e-9,  # the schemes are the same
    },
    "slider-crank": {
        "title": "Slider-crank with ideal joints, 10,000 steps of 1e-5 s",
        "end": "x, y of the crank, x of the slider",
        "names": {
            f"{who}_{where}_{how}": f"{who.capitalize()}, in {'the plane' if where == 'plane' else 'space'}, {text}"
            for who in ("ricochet", "siconos")
            for where in ("plane", "space")
            for how, text in (("closed", "joints closed"), ("drifting", "drifting"))
        },
        "against": lambda program: program.replace("siconos", "ricochet"),
        "ratio": 3,
        "tolerance": 3e-4,  # m, of the limits: orders and joints differ
    },
}


def main():
    comparison = COMPARISONS[sys.argv[1]]
    speeds, ends, limits = {}, {}, {}
    for line in open(sys.argv[2]):
        program, speed, *numbers = line.split()
        numbers = [float(x) for x in numbers]
        speeds.setdefault(program, []).append(float(speed))
        ends[program], limits[program] = numbers[:3], numbers[3:] or numbers[:3]
    ok = True
    rounds = len(next(iter(speeds.values())))
    print(f"{comparison['title']}, no output, processor time; medians of {rounds} interleaved rounds")
    print(f"{'':39}{'steps/s':>11}{'slowest':>11}{'fastest':>11}{'ratio':>8}   end: {comparison['end']}")
    for program, values in speeds.items():
        # The ratio of the two runs of each round: what the machine does meanwhile strikes both.
        ours = comparison["against"](program)
        ratio = statistics.median(a / b for a, b in zip(speeds[ours], values))
        differs = max(abs(a - b) for a, b in zip(limits[ours], limits[program]))
        same = differs < comparison["tolerance"]
        ok = ok and same and (program == ours or ratio >= comparison["ratio"])
        end = " ".join(f"{x:.9f}" for x in ends[program])
        if limits[program] != ends[program]:
            end += ", with small steps " + " ".join(f"{x:.6f}" for x in limits[program])
        if not same:
            end += f"  DIFFERS by {differs:.2g}"
        print(
            f"{comparison['names'][program]:39}{statistics.median(values):11,.0f}{min(values):11,.0f}"
            f"{max(values):11,.0f}{ratio:8.1f}   {end}"
        )
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
