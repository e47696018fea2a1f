"""Writes `_operations.py`, `_async_operations.py` and `types.py` from `openapi.json`.

`setup.py` runs it when the package is built; `python3 generate.py` does it by hand.
"""

from __future__ import annotations

import json
import keyword
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterable

_HERE = Path(__file__).resolve().parent
DOCUMENT = _HERE.parent.parent / "openapi.json"
PACKAGE = _HERE / "src" / "computer_control"

Schema = dict[str, Any]

_HEAD = "# This file is generated from openapi.json by generate.py"
_INDENT = "    "
_MAX_LINE = 50
# These may be given without their name where no field is required: `left_click(10, 20)`.
_LEADING = ("x", "y", "text")


def main() -> None:
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    for name, text in generate(document).items():
        _write(PACKAGE / name, text)


def generate(document: dict[str, Any]) -> dict[str, str]:
    """File name -> what stands in it."""
    operations = [
        _read_operation(document, path, method, raw)
        for path, methods in document["paths"].items()
        for method, raw in methods.items()
        # what only Prometheus reads
        if not any(each.startswith("text/plain") for each in _content(raw))
    ]
    types = _Types(document["components"]["schemas"])
    doc = '"""The shapes that operations take and answer."""'
    return {
        "_operations.py": _module(operations, types, ""),
        "_async_operations.py": _module(operations, types, "Async"),
        "types.py": f"{doc}\n\n{_HEAD}\n\n{types.module()}",
    }


def _write(path: Path, text: str) -> None:
    """Nobody sees a part of it, also where two processes write at the same time."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


@dataclass(frozen=True)
class _Field:
    name: str
    schema: Schema
    required: bool
    description: str

    @property
    def parameter(self) -> str:
        """A word of the language gets a line behind it: `from_`."""
        return f"{self.name}_" if keyword.iskeyword(self.name) else self.name


@dataclass(frozen=True)
class _Operation:
    """An operation as a method."""

    id: str
    group: str
    name: str
    """Empty for `POST /api/batch`, which is a method of the client itself."""
    method: str
    path: str
    summary: str
    description: str
    fields: list[_Field]
    """Those of path, query and body; the required ones first."""
    answer: Schema | None
    """`None` if it answers nothing or a picture."""
    is_picture: bool


def _read_operation(
    document: dict[str, Any], path: str, method: str, raw: dict[str, Any]
) -> _Operation:
    group = raw["tags"][0]
    fields = [
        _Field(
            each["name"],
            each["schema"],
            each.get("required", False),
            each.get("description", ""),
        )
        for each in raw.get("parameters", [])
        if each["in"] != "header"
    ]
    if "requestBody" in raw:
        reference = raw["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        body = document["components"]["schemas"][_component(reference)]
        required = body.get("required", [])
        fields += [
            _Field(name, schema, name in required, schema.get("description", ""))
            for name, schema in body.get("properties", {}).items()
        ]
    answer, is_picture = _read_answer(raw["responses"])
    return _Operation(
        id=raw["operationId"],
        group=group,
        name=_method_name(raw["operationId"], path, method, group),
        method=method.upper(),
        path=path,
        summary=raw["summary"],
        description=raw.get("description", ""),
        fields=sorted(fields, key=lambda each: not each.required),
        answer=answer,
        is_picture=is_picture,
    )


def _content(raw: dict[str, Any]) -> dict[str, Any]:
    return raw["responses"].get("200", {}).get("content", {})


def _method_name(id: str, path: str, method: str, group: str) -> str:
    """`POST /api/mouse/left-click` is `left_click` of `mouse`.

    A deeper path, or another method on one, gets the words of its OpenAPI id:
    `DELETE /api/bash/process/{pid}` is `terminate_process`, and `GET /api/trail` is `list_trail`.
    """
    parts = re.sub(r"/\{\w+\}", "", re.sub(r"^/(api/)?", "", path)).split("/")
    if parts[0] == group:
        parts = parts[1:]
    if len(parts) > 1 or (not parts and method == "get") or (parts and method == "delete"):
        return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", id)
    return parts[0].replace("-", "_") if parts else ""


def _read_answer(responses: dict[str, Any]) -> tuple[Schema | None, bool]:
    content = responses.get("200", {}).get("content")
    if content is None:
        return None, False
    schema = content.get("application/json", {}).get("schema")
    if schema is None:
        return None, True
    if "204" in responses:
        return {"anyOf": [schema, {"type": "null"}]}, False
    return (None if schema.get("type") == "null" else schema), False


def _module(operations: list[_Operation], types: _Types, prefix: str) -> str:
    groups: dict[str, list[_Operation]] = {}
    for operation in operations:
        if operation.name:
            groups.setdefault(operation.group, []).append(operation)
    root = [
        f"{_INDENT}def __init__(self, connection: {prefix}Connection) -> None:",
        f"{_INDENT * 2}super().__init__(connection)",
        *(f"{_INDENT * 2}self.{name} = {prefix}{_pascal(name)}(connection)" for name in groups),
    ]
    classes = {
        _pascal(name): [_method(each, types, prefix) for each in members]
        for name, members in groups.items()
    }
    classes["Operations"] = [
        "\n".join(root),
        *(_method(each, types, prefix) for each in operations if not each.name),
    ]
    head = f'''"""One method for each operation, by group."""

{_HEAD}

from __future__ import annotations

from typing import Any, Dict, List, Literal, overload

from . import types
from ._connection import {prefix}Connection
from ._group import {prefix}Group
from ._picture import Picture

'''
    return head + "\n".join(
        f"\nclass {prefix}{name}({prefix}Group):\n" + "\n\n".join(members) + "\n"
        for name, members in classes.items()
    )


def _method(operation: _Operation, types: _Types, prefix: str) -> str:
    define, wait = ("async def", "await ") if prefix else ("def", "")
    parameters = _parameters(operation, types)
    sent = [f"{_quote(each.name)}: {each.parameter}" for each in operation.fields]
    pairs = _lines("{", sent, "}", 2) if sent else "{}"
    doc = _doc(operation)

    def head(result: str, parameters: list[str] = parameters) -> str:
        name = operation.name or operation.group
        return f"{_INDENT}{define} {name}{_lines('(', parameters, ')', 1)} -> {result}:"

    def call(way: str) -> str:
        return f'{wait}self.{way}("{operation.method}", "{operation.path}", {pairs})'

    def ask(way: str, result: str) -> str:
        return (
            f"{head(result)}\n{doc}\n{_INDENT * 2}answer: {result} = {call(way)}\n"
            f"{_INDENT * 2}return answer"
        )

    if operation.is_picture:
        plain = [each for each in parameters if not each.startswith("since:")]
        if plain == parameters:
            return ask("_look", "Picture")
        since = ["since: str" if each.startswith("since:") else each for each in parameters]
        return (
            f"{_INDENT}@overload\n{head('Picture', plain)} ...\n\n"
            f"{_INDENT}@overload\n{head('Picture | None', since)} ...\n\n"
            f"{ask('_look', 'Picture | None')}"
        )
    if operation.answer is None:
        return f"{head('None')}\n{doc}\n{_INDENT * 2}{call('_send')}"
    return ask("_ask", types.of(operation.answer, f"{_pascal(operation.id)}Response"))


def _parameters(operation: _Operation, types: _Types) -> list[str]:
    required = [each for each in operation.fields if each.required]
    optional = [each for each in operation.fields if not each.required]
    leading = 0
    if not required:
        while leading < len(optional) and optional[leading].name in _LEADING:
            leading += 1

    def type_of(each: _Field) -> str:
        return types.of(each.schema, _pascal(operation.id) + _pascal(each.name))

    def write_optional(each: _Field) -> str:
        type_ = type_of(each)
        may_be_none = type_ == "None" or type_.endswith("| None")
        return f"{each.parameter}: {type_ if may_be_none else f'{type_} | None'} = None"

    return [
        "self",
        *(f"{each.parameter}: {type_of(each)}" for each in required),
        *map(write_optional, optional[:leading]),
        *(["*"] if optional[leading:] else []),
        *map(write_optional, optional[leading:]),
    ]


def _lines(start: str, parts: list[str], end: str, depth: int) -> str:
    """In one line when it is short, else one line for each."""
    short = start + ", ".join(parts) + end
    if len(short) <= _MAX_LINE:
        return short
    each_line = "".join(f"{_INDENT * (depth + 1)}{part},\n" for part in parts)
    return f"{start}\n{each_line}{_INDENT * depth}{end}"


def _doc(operation: _Operation) -> str:
    text = f"{operation.summary}."
    if operation.description:
        text += f"\n\n{operation.description}"
    described = [
        f"{each.parameter}: {each.description}" for each in operation.fields if each.description
    ]
    if described:
        text += "\n\n" + "\n".join(described)
    indent = _INDENT * 2
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    body = "\n".join(line and indent + line for line in escaped.split("\n")).lstrip()
    return f'{indent}"""{body}\n{indent}"""' if "\n" in text else f'{indent}"""{body}"""'


@dataclass(frozen=True)
class _Types:
    """JSON Schemas as types: objects become `TypedDict`s with a name each."""

    schemas: dict[str, Schema]
    _written: dict[str, str] = field(default_factory=dict)

    def of(self, schema: Schema, name: str) -> str:
        """The type of a value as the module of operations writes it.

        name: What an object without a name of its own is called.
        """
        return self._of(schema, name, "types.")

    def module(self) -> str:
        """All objects that were asked for."""
        head = (
            "from __future__ import annotations\n\n"
            "from typing import Any, Dict, List, Literal, NotRequired, TypedDict\n\n"
        )
        return head + "\n".join(self._written.values())

    def _of(self, schema: Schema, name: str, prefix: str) -> str:
        if "$ref" in schema:
            component = _component(schema["$ref"])
            return self._of(self.schemas[component], component, prefix)
        choices = schema.get("anyOf", schema.get("oneOf"))
        if choices is not None:
            several = sum(map(_is_object, choices)) > 1
            return _union(
                self._of(choice, f"{name}{i}" if several and _is_object(choice) else name, prefix)
                for i, choice in enumerate(choices, 1)
            )
        if "const" in schema:
            return f"Literal[{_literal(schema['const'])}]"
        if "enum" in schema:
            return f"Literal[{', '.join(map(_literal, schema['enum']))}]"
        kinds = schema.get("type")
        return _union(
            self._of_kind(kind, schema, name, prefix)
            for kind in (kinds if isinstance(kinds, list) else [kinds])
        )

    def _of_kind(self, kind: str | None, schema: Schema, name: str, prefix: str) -> str:
        if kind == "array":
            # a class with a method `list` cannot use the built-in name
            items = schema.get("items")
            return f"List[{self._of(items, f'{name}Item', prefix) if items else 'Any'}]"
        if kind == "object":
            return self._of_object(schema, name, prefix)
        return _SCALARS.get(kind or "", "Any")

    def _of_object(self, schema: Schema, name: str, prefix: str) -> str:
        properties = schema.get("properties")
        others = schema.get("additionalProperties", False)
        if not properties:
            value = self._of(others, f"{name}Value", prefix) if isinstance(others, dict) else "Any"
            return f"Dict[str, {value}]"
        if others is not False:
            return "Dict[str, Any]"  # its other fields are those that no type can name
        if name not in self._written:
            self._written[name] = ""  # it may hold itself
            types = {}
            for key, value in properties.items():
                type_ = self._of(value, name + _pascal(key), "")
                is_required = key in schema.get("required", [])
                types[key] = type_ if is_required else f"NotRequired[{type_}]"
            descriptions = {key: each.get("description") for key, each in properties.items()}
            self._written[name] = _typed_dict(name, types, descriptions)
        return prefix + name


_SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def _typed_dict(name: str, types: dict[str, str], descriptions: dict[str, str | None]) -> str:
    if any(keyword.iskeyword(key) or not key.isidentifier() for key in types):
        pairs = "".join(f"    {_quote(key)}: {_quote(type_)},\n" for key, type_ in types.items())
        return f'\n{name} = TypedDict("{name}", {{\n{pairs}}})\n'
    lines = ""
    for key, type_ in types.items():
        lines += f"    {key}: {type_}\n"
        if (description := descriptions[key]) is not None:
            escaped = description.replace("\\", "\\\\").replace('"', '\\"')
            lines += f'    """{escaped}"""\n'
    return f"\nclass {name}(TypedDict):\n{lines}"


def _is_object(schema: Schema) -> bool:
    return schema.get("type") == "object" and "properties" in schema


def _union(types: Iterable[str]) -> str:
    """Without repetitions, `None` last."""
    return " | ".join(sorted(dict.fromkeys(types), key=lambda each: each == "None"))


def _literal(value: Any) -> str:
    return _quote(value) if isinstance(value, str) else repr(value)


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _component(reference: str) -> str:
    return reference.rsplit("/", 1)[-1]


def _pascal(word: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in word.split("_"))


if __name__ == "__main__":
    main()
