"""The stub _ricochet.pyi says what the compiled module has: every name, every parameter, and nothing else."""

import ast
import inspect
import re
import unittest
from pathlib import Path

import ricochet
from ricochet import _ricochet

STUB = Path(ricochet.__file__).with_name("_ricochet.pyi")


def is_public(name):
    return not name.startswith("_") or name == "__version__"


def parameters_in_stub(function):
    arguments = function.args
    return [argument.arg for argument in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]


def parameters_in_module(function):
    """pybind11 writes the signature into the first line of the documentation."""
    signature = function.__doc__.splitlines()[0]
    inside = signature[signature.index("(") + 1 : signature.rindex(")")]
    # Defaults are of two kinds only: without commas, or empty brackets.
    names = [re.match(r"\*|\w+", part.strip()).group(0) for part in re.split(r",(?![^\[]*\])", inside) if part.strip()]
    return [name for name in names if name != "*"]


class Stubs(unittest.TestCase):
    def setUp(self):
        body = ast.parse(STUB.read_text(encoding="utf-8")).body
        self.classes = {node.name: node for node in body if isinstance(node, ast.ClassDef)}
        self.functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
        self.constants = {node.target.id for node in body if isinstance(node, ast.AnnAssign)}

    def test_names_of_the_module(self):
        in_module = {name for name in dir(_ricochet) if is_public(name)}
        self.assertEqual(in_module, set(self.classes) | set(self.functions) | self.constants)

    def test_members_of_classes(self):
        for name, node in self.classes.items():
            if issubclass(getattr(_ricochet, name), Exception):
                continue
            members = getattr(_ricochet, name).__dict__
            in_stub = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            in_module = {member for member in members if is_public(member)}
            self.assertEqual(in_stub - {"__init__"}, in_module, name)
            for item in (item for item in node.body if isinstance(item, ast.FunctionDef)):
                is_property = bool(item.decorator_list)
                self.assertEqual(is_property, isinstance(members[item.name], property), f"{name}.{item.name}")

    def test_parameters(self):
        checked = 0
        for name, node in self.functions.items():
            self.assertEqual(parameters_in_stub(node), parameters_in_module(getattr(_ricochet, name)), name)
            checked += 1
        for name, node in self.classes.items():
            for item in node.body:
                if not isinstance(item, ast.FunctionDef) or item.decorator_list:
                    continue
                in_module = parameters_in_module(getattr(getattr(_ricochet, name), item.name))
                self.assertEqual(parameters_in_stub(item)[1:], in_module[1:], f"{name}.{item.name}")
                checked += 1
        self.assertGreater(checked, 15)

    def test_package_is_typed_and_exports_what_it_says(self):
        self.assertTrue(STUB.with_name("py.typed").exists())
        for name in ricochet.__all__:
            self.assertTrue(hasattr(ricochet, name), name)
        modules = {"plots", "problems", "results", "scene", "systems"}
        public = {name for name in dir(ricochet) if is_public(name) and name not in modules}
        self.assertEqual(public, set(ricochet.__all__))

    def test_everything_is_documented(self):
        for name in ricochet.__all__:
            thing = getattr(ricochet, name)
            if inspect.isclass(thing) or callable(thing):
                self.assertTrue(inspect.getdoc(thing), name)


if __name__ == "__main__":
    unittest.main()
