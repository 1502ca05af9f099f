#!/usr/bin/env python3
"""The rules of the house that a compiler does not check.

    house_rules.py [ROOT]        check the tree (default: the one this file is in); exit 1 if a rule is broken
    house_rules.py --self-test   break each rule in a small tree and see that it is noticed

A rule is a function that yields (file, line, sentence) for each breach. The list of rooms is read from
cmake/rooms.cmake, so that it is written down once.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

LINES_LIMIT, LINES_TARGET = 600, 400
SOURCE_SUFFIXES = {".hpp", ".cpp", ".py", ".ts"}
NOT_OURS = {".git", "build", "out", "node_modules", "__pycache__"}

# Headers may include these of Eigen; everything else of it is slow to compile and belongs into .cpp files.
LIGHT_EIGEN = {"Eigen/Core", "Eigen/Geometry"}
HEAVY = re.compile(r"^(Eigen/|unsupported/Eigen/|yaml-cpp/|nlohmann/|CLI/|spdlog/|hdf5|H5)")
LIGHT = LIGHT_EIGEN | {"nlohmann/json_fwd.hpp"}
# Exceptions to that rule: (header, what it includes) -> why.
HEAVY_ALLOWED: dict[tuple[str, str], str] = {}

CONFINED = ("yaml-cpp/", "nlohmann/", "CLI/", "spdlog/")  # each in at most two source files
CONFINED_LIMIT = 2

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Written in two pieces so that this file does not break its own rules.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
MACHINE_PATH = re.compile(r"(?<![\w.}*-])/(wo" r"rk|fa" r"rm|ho" r"me|ro" r"ot)/")


class Tree:
    """The files of a project, read once."""

    def __init__(self, root: Path):
        self.root = root
        self.files = sorted(self._list())
        rooms = re.search(r"set\(RICOCHET_ROOMS\s+([^)]*)\)", self.text("cmake/rooms.cmake"))
        self.rooms = rooms.group(1).split()

    def _list(self):
        """Tracked and new files as git sees them; outside a checkout, everything that is not built."""
        git = ["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = None
        if (self.root / ".git").exists():
            listed = subprocess.run(git, capture_output=True, text=True)
        if listed is not None and listed.returncode == 0:
            return [name for name in listed.stdout.split("\0") if name and (self.root / name).is_file()]
        paths = (path.relative_to(self.root) for path in self.root.rglob("*") if path.is_file())
        return [path.as_posix() for path in paths if not NOT_OURS & set(path.parts)]

    def text(self, name):
        return (self.root / name).read_text(encoding="utf-8", errors="replace")

    def lines(self, name):
        """(number, line) of a text; a picture, which has zero bytes, has none."""
        text = self.text(name)
        return enumerate([] if "\0" in text else text.splitlines(), start=1)

    def sources(self, *suffixes, under=""):
        return [name for name in self.files if name.startswith(under) and Path(name).suffix in suffixes]

    def room_of(self, name):
        return name.split("/")[2]

    def includes(self, *suffixes):
        """(file, line, bracket, included) for every include under src/."""
        for name in self.sources(*suffixes, under="src/"):
            for number, line in self.lines(name):
                if match := INCLUDE.match(line):
                    yield name, number, match.group(1), match.group(2)


def include_direction(tree):
    for name, line, bracket, included in tree.includes(".hpp", ".cpp"):
        parts = included.split("/")
        if parts[0] != "ricochet":
            if bracket == '"':
                yield name, line, f'write "{included}" as "ricochet/<room>/<file>.hpp"'
            continue
        here, there = tree.room_of(name), parts[1]
        if there not in tree.rooms:
            yield name, line, f"includes {included}, which is in no room of cmake/rooms.cmake"
        elif here in tree.rooms and tree.rooms.index(there) > tree.rooms.index(here):
            yield name, line, f"{here}/ must not know {there}/, which comes after it"


def planned_rooms(tree):
    for name in tree.sources(".hpp", ".cpp", under="src/"):
        parts = name.split("/")
        if parts[1] != "ricochet" or len(parts) < 4 or parts[2] not in tree.rooms:
            yield name, 1, "is in no room of cmake/rooms.cmake"
    for name in tree.sources(".cpp", under="tests/"):
        parts = name.split("/")
        if len(parts) < 3 or parts[1] not in tree.rooms:
            yield name, 1, "is not in tests/<room>/, so no test program contains it"


def file_length(tree):
    for name in tree.sources(*SOURCE_SUFFIXES):
        count = sum(1 for _ in tree.lines(name))
        if count > LINES_LIMIT:
            yield name, LINES_LIMIT + 1, f"has {count} lines; {LINES_LIMIT} is the limit, {LINES_TARGET} the target"
        elif count > LINES_TARGET:
            print(f"notice: {name}:1: has {count} lines; {LINES_TARGET} is the target")


def tested_sources(tree):
    for name in tree.sources(".cpp", under="src/"):
        room, stem = tree.room_of(name), Path(name).stem
        tests = tree.sources(".cpp", ".py", under=f"tests/{room}/")
        if room != "app" and not any(stem in Path(test).name for test in tests):
            yield name, 1, f"has no test: no file of tests/{room}/ has {stem} in its name"


def nothing_unfinished(tree):
    for name in tree.files:
        for number, line in tree.lines(name):
            if match := UNFINISHED.search(line):
                yield name, number, f"says {match.group(0)}: finish it, or leave it out"


def light_headers(tree):
    for name, line, _, included in tree.includes(".hpp"):
        if HEAVY.match(included) and included not in LIGHT and (name, included) not in HEAVY_ALLOWED:
            yield name, line, f"a public header must not include {included}: every includer pays for it"


def confined_libraries(tree):
    users = {library: {} for library in CONFINED}
    for name, line, _, included in tree.includes(".hpp", ".cpp"):
        for library in CONFINED:
            if included.startswith(library) and included not in LIGHT:
                users[library].setdefault(name, line)
    for library, places in users.items():
        for name, line in list(places.items())[CONFINED_LIMIT:]:
            others = ", ".join(list(places)[:CONFINED_LIMIT])
            yield name, line, f"includes {library}, which {others} already do; {CONFINED_LIMIT} files may"


def true_documents(tree):
    """Relative links resolve, and code in README and docs names only files of ours that exist."""
    link = re.compile(r"!?\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)|^\[[^\]]+\]:\s*(\S+)")
    folders = "src|tests|bench|docs|scenes|scripts|cmake|python|viewer"
    mention = re.compile(rf"(?<![\w/.<>-])(?:\./)?((?:{folders})/[\w./*+-]*[\w*])(?![\w/<{{$])")
    for name in tree.sources(".md"):
        fenced = False
        for number, line in tree.lines(name):
            fence = line.lstrip().startswith("```")
            fenced ^= fence
            code = [line] if fenced or fence else re.findall(r"`([^`]+)`", line)
            for target in () if fenced else (a or b for a, b in link.findall(re.sub(r"`[^`]*`", "", line))):
                path = target.split("#")[0]
                if re.match(r"[a-z]+:", target) or not path:
                    continue
                if not ((tree.root / name).parent / path).exists():
                    yield name, number, f"links to {target}, which does not exist"
            if name == "README.md" or name.startswith("docs/"):
                for mentioned in (m for text in code for m in mention.findall(text)):
                    if not any(tree.root.glob(mentioned)):
                        yield name, number, f"mentions {mentioned}, which does not exist"


def no_machine_paths(tree):
    for name in tree.files:
        for number, line in tree.lines(name):
            if match := MACHINE_PATH.search(line):
                yield name, number, f"holds a path of one machine ({match.group(0)}…)"


RULES = (include_direction, planned_rooms, file_length, tested_sources, nothing_unfinished, light_headers,
         confined_libraries, true_documents, no_machine_paths)


def breaches(root):
    tree = Tree(root)
    return [(rule.__name__, *breach) for rule in RULES for breach in rule(tree)]


# The self-test: a tree that keeps every rule, and for each rule files that break this rule and no other.
GOOD_TREE = {
    "cmake/rooms.cmake": "set(RICOCHET_ROOMS math cone io app)\n",
    "src/ricochet/math/types.hpp": "#include <Eigen/Core>\n",
    "src/ricochet/cone/solve.hpp": '#include "ricochet/math/types.hpp"\n',
    "src/ricochet/cone/solve.cpp": '#include "ricochet/cone/solve.hpp"\n\n#include <Eigen/Dense>\n',
    "src/ricochet/io/scene.hpp": "#include <nlohmann/json_fwd.hpp>\n",
    "src/ricochet/io/scene.cpp": "#include <hdf5.h>\n",
    "src/ricochet/app/main.cpp": "int main() {}\n",
    "tests/cone/solve_test.cpp": "// mkstemp(XXXXXX)\n",
    "tests/io/scene_test.cpp": "\n",
    "docs/guide.md": "See [the start](../README.md#start), [elsewhere](https://example.org/) and `scripts/run --all`.\n",
    "README.md": "[guide](docs/guide.md), `src/ricochet/<room>/`, `tests/*/solve_test.cpp`, `build/x`\n"
                 "```\n./scripts/run docs/guide.md\n```\n",
    "scripts/run": "#!/usr/bin/env bash\n",
    "docs/picture.png": "\0 XX" "X \n",  # pictures may hold anything
}
ROOT_PATH = "/ro" "ot/x"
BAD_FILES = {
    include_direction: [{"src/ricochet/math/types.hpp": '#include "ricochet/cone/solve.hpp"\n'},
                        {"src/ricochet/math/types.hpp": '#include "ricochet/attic/old.hpp"\n'},
                        {"src/ricochet/cone/solve.cpp": '#include "solve.hpp"\n'}],
    planned_rooms: [{"src/ricochet/attic/old.hpp": "\n"}, {"src/ricochet/stray.hpp": "\n"},
                    {"tests/attic/old_test.cpp": "\n"}, {"tests/stray_test.cpp": "\n"}],
    file_length: [{"src/ricochet/math/types.hpp": "//\n" * (LINES_LIMIT + 1)},
                  {"python/long.py": "#\n" * (LINES_LIMIT + 1)}],
    tested_sources: [{"src/ricochet/cone/residual.cpp": "\n"},
                     {"src/ricochet/math/solve.cpp": "\n"}],  # tests/cone/ does not count for math/
    nothing_unfinished: [{"scripts/run": f"# {word}: later\n"} for word in ("TO" "DO", "FIX" "ME", "XX" "X", "HA" "CK")],
    light_headers: [{"src/ricochet/math/types.hpp": f"#include <{heavy}>\n"}
                    for heavy in ("Eigen/Dense", "Eigen/Sparse", "Eigen/SparseCore", "yaml-cpp/node.h",
                                  "nlohmann/json.hpp", "CLI/CLI.hpp", "hdf5.h")],
    confined_libraries: [{f"src/ricochet/app/{x}.cpp": f"#include <{library}x.h>\n" for x in "abc"}
                         for library in CONFINED],
    true_documents: [{"docs/guide.md": "[gone](gone.md)\n"}, {"docs/guide.md": "text\n\n[gone]: gone.md\n"},
                     {"README.md": "run `./scripts/gone --fast`\n"}, {"README.md": "```\nscripts/gone\n```\n"},
                     {"docs/guide.md": "`tests/*/gone_test.cpp`\n"}],
    no_machine_paths: [{"docs/guide.md": f"in {ROOT_PATH}\n"}, {"scripts/run": f"cd '{ROOT_PATH}'\n"},
                       {"src/ricochet/math/types.hpp": f'// "{ROOT_PATH}"\n'}],
}


def self_test():
    def fired(changes):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**GOOD_TREE, **changes}.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return breaches(Path(folder))

    failures = [f"the good tree breaks a rule: {breach}" for breach in fired({})]
    for rule in RULES:
        if not BAD_FILES.get(rule):
            failures.append(f"{rule.__name__}: nothing shows that it can fail")
        for changes in BAD_FILES.get(rule, []):
            found = fired(changes)
            if {breach[0] for breach in found} != {rule.__name__} or not all(breach[1] in changes for breach in found):
                failures.append(f"{rule.__name__}: {changes} gave {found}")
    print(*failures, sep="\n")
    print(f"house rules, self-test: {len(RULES)} rules, {len(failures)} failures")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    root = Path(arguments[0]) if arguments else Path(__file__).parents[2]
    found = breaches(root)
    for rule, name, line, sentence in found:
        print(f"{name}:{line}: {sentence} [{rule}]")
    print(f"House rules: {len(found)} breaches." if found else f"House rules: all {len(RULES)} hold.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
