"""The examples in the comments of the Swift sources run. The reference shows them.

They are excerpts, so a table says what each needs, and what it then prints: the value of each
expression that is followed by a comment.
"""

from __future__ import annotations

import re
import subprocess
import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest
from workspace import DEPENDENCY, Workspace

ROOT = Path(__file__).parents[2]
MODULES = re.findall(r'\.library\(name: "(\w+)", targets', (ROOT / "Package.swift").read_text())

RESPOND = """try? task.resolve(
  status: 200, headers: [FetchHeader("Content-Type", "application/json")],
  Array(response.utf8))"""
NO_QUAKES = """
    import StateEngine
    let response = #"{"type":"FeatureCollection","features":[]}"#
"""


class Excerpt(NamedTuple):
    setup: str = ""
    output: str = ""
    replace: tuple[str, str] = ("", "")


EXCERPTS = {
    "AnimalsData/Domain/AnimalsListener.swift": Excerpt("import ImmutableData", "success"),
    "AnimalsData/Remote/RemoteStore.swift": Excerpt(
        """
        import StateEngine
        let response = #"{"mutation":[{"addAnimal":{"animal":{"animalId":"1","name":"Owl","#
          + #""diet":"Carnivore","categoryId":"Bird"}}}]}"#
        """,
        replace=("…", RESPOND),
    ),
    "AnimalsData/Storage/LocalStore.swift": Excerpt(
        output="number: 1, change: AnimalsData.RemoteResponse.Mutation.addAnimal(animal: "
    ),
    "FoodTruckData/Effects/ModelListener.swift": Excerpt(
        """
        import ImmutableData
        let model = FoodTruckModel()
        """,
        "24",
    ),
    "FoodTruckData/Effects/StoreListener.swift": Excerpt(
        """
        import ImmutableData
        struct Session: ActivitySession {
          func startActivity(order: Order) { print("start", order.id) }
          func endActivity(order: Order) {}
        }
        let (session, model) = (Session(), FoodTruckModel())
        let store = Store(initialState: FoodTruckState(), reducer: FoodTruckReducer.reduce)
        let modelListener = ModelListener()
        modelListener.listen(to: model, with: store)
        """,
        "start Order#1224",
    ),
    "FoodTruckData/Model/FoodTruckModel.swift": Excerpt(),
    "ImmutableData/Store/Store.swift": Excerpt(output="2"),
    "ImmutableJSON/Value/JSONObject.swift": Excerpt(
        output="Optional(2)\n2\na 1\nb 3", replace=("…", "print(key, value)")
    ),
    "ImmutableJSON/Columns/ObjectKey.swift": Excerpt(
        'let records: [Value] = [["name": "Owl"], ["name": "Cat"]]',
        '[Optional("Owl"), Optional("Cat")]',
        ("records.map { $0[name] }", "print(records.map { $0[name] })"),
    ),
    "ImmutableJSON/Value/Value.swift": Excerpt(output='Optional(3)\n{"age":3,"name":"Eagle"}'),
    "ImmutableDataTesting/TestStore.swift": Excerpt("import StateEngine\nimport Testing"),
    "ImmutableObservation/Observer.swift": Excerpt(
        """
        import AnimalsData
        import ImmutableData
        let store = Store(initialState: AnimalsState(), reducer: AnimalsReducer.reduce)
        let listener = AnimalsListener(store: try LocalStore())
        listener.listen(to: store)
        try store.dispatch(action: .ui(.categoryList(.onAppear)))
        try listener.settle()
        """,
        'Optional([AnimalsData.Category(categoryId: "Amphibian", name: "Amphibian"), ',
    ),
    "JMESPath/Dependencies/Expression+Mistakes.swift": Excerpt(
        """
        import ImmutableJSON
        let state: Value = ["todos": [["lane": "todo"]]]
        """,
        replace=("try Expression", "_ = try Expression"),
    ),
    "JMESPath/Dependencies/Expression+ReadSet.swift": Excerpt(
        """
        import ImmutableJSON
        let expression = try Expression("a[?@ > $least]")
        let arguments: JSONObject = ["least": 0]
        let old: JSONObject = ["a": [1], "b": 1]
        var new = old
        new["b"] = 2
        let (state, next) = (Value.object(old), Value.object(new))
        """,
        "true",
    ),
    "JMESPath/Incremental/PartialResults.swift": Excerpt(
        """
        import ImmutableJSON
        let expression = try Expression("sum(@)")
        let (state, next): (Value, Value) = ([1, 2], [1, 3])
        """,
        "3\n4",
    ),
    "JMESPath/Expression.swift": Excerpt(
        """
        import ImmutableJSON
        let orders: Value = [
          ["id": "B-3", "total": 150], ["id": "C-1", "total": 99], ["id": "A-17", "total": 101],
        ]
        let state: Value = ["orders": orders]
        """,
        '["A-17","B-3"]\n[orders]\n["limit"]',
    ),
    "QuakesData/Domain/QuakesListener.swift": Excerpt(
        f"""
        import ImmutableData
        {NO_QUAKES}
        let fetcher = Fetcher {{ task in {RESPOND} }}
        """,
        "success",
    ),
    "QuakesData/Remote/RemoteStore.swift": Excerpt(NO_QUAKES, replace=("…", RESPOND)),
    "QuakesData/Storage/LocalStore.swift": Excerpt(
        f"""
        {NO_QUAKES}
        let remote = try RemoteStore(fetcher: Fetcher {{ task in {RESPOND} }})
        let feed = try remote.fetchRemoteQuakesQuery(range: .allDay)
        """
    ),
    "StateEngine/Domain/ActionDescription.swift": Excerpt(
        """
        enum Session: Decodable { case didConnect }
        enum Source { case session(Session) }
        enum Action { case data(Source) }
        """,
        replace=("static var", "var"),
    ),
    "StateEngine/Domain/Domain.swift": Excerpt(output="true"),
    "StateEngine/Schemas/SchemaProviding.swift": Excerpt(),
    "StateEngine/Domain/StatePart.swift": Excerpt(
        "import AnimalsData", replace=("StatePart(", "_ = StatePart<AnimalsState>(")
    ),
    "StateEngine/Effects/EffectListener.swift": Excerpt(
        """
        import ImmutableData
        enum Action { case didTapSave, didSave(file: String) }
        struct Saving: Effects {
          let file: String
          init(to file: String) { self.file = file }
          func effect(of action: Action, from: String, to: String) -> Effect<String, Action>? {
            guard case .didTapSave = action else { return nil }
            return { try $0.dispatch(.didSave(file: self.file)) }
          }
        }
        let file = "notes.txt"
        let store = Store<String, Action>(initialState: "") { state, action in
          guard case .didSave(let file) = action else { return state }
          print("saved", file)
          return file
        }
        """,
        "saved notes.txt",
    ),
    "StateEngine/Tasks/Fetcher.swift": Excerpt(),
    "StateEngine/Effects/ProgramEffect.swift": Excerpt(
        "struct Question: Codable { var question: String }", replace=("static let", "let")
    ),
    "StateEngine/Effects/EffectFunctions.swift": Excerpt("import ImmutableJSON"),
    "StateEngine/Store/AnyStore+Define.swift": Excerpt(
        """
        import ImmutableJSON
        let state: Value = ["prices": [1, 2, 3], "rate": 2]
        let store = try AnyStore(state: state) { state, _ in state }
        """,
        "12",
    ),
    "StateEngine/Store/AnyStore+Preview.swift": Excerpt(
        """
        import CounterData
        import ImmutableJSON
        let store = try AnyStore(CounterDomain.self)
        """,
        '{"value":1}\n[{"op":"replace","path":"/value","value":1}]',
    ),
    "StateEngine/Store/AnyStore.swift": Excerpt(
        """
        import CounterData
        import ImmutableData
        """,
        "1\n2\n",
    ),
}


def examples() -> dict[str, str]:
    """The examples of the modules that programs can import, by file."""
    found = {}
    for module in MODULES:
        for file in sorted((ROOT / "Sources" / module).rglob("*.swift")):
            blocks = re.findall(r"^ */// ```swift\n(.*?)^ */// ```", file.read_text(), re.M | re.S)
            code = re.sub(r"^ *///(?: |$)", "", "".join(blocks), flags=re.M)
            if blocks:
                found[str(file.relative_to(ROOT / "Sources"))] = code
    return found


EXAMPLES = examples()


def program(name: str, code: str, function: str) -> str:
    """A function that runs an example, in a file of its own."""
    setup, _, replace = EXCERPTS[name]
    # Statements follow the declarations, which include extensions.
    declarations, _, statements = code.rpartition("\n}\n\n")
    setup = textwrap.dedent(setup)
    lines = [f"import {name.partition('/')[0]}", *re.findall(r"^ *import .*", setup, re.M)]
    lines += [f"{declarations}\n}}" if declarations else "", f"func {function}() throws {{"]
    lines.append(re.sub(r"^ *import .*", "", setup, flags=re.M))
    explained = r"^(?!let |var |for |StatePart|.*\.settle\(|.* = )(.*\S) +// .*"
    lines.append(re.sub(explained, r"print(\1)", statements, flags=re.M).replace(*replace))
    return "\n".join([*lines, "}", ""])


@pytest.fixture(scope="module")
def printed(
    workspace: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """What each example prints, by file: one program runs all of them."""
    package = workspace.folder / "comments"
    target = package / "Sources/comments"
    target.mkdir(parents=True)
    main = []
    for number, name in enumerate(EXCERPTS):
        code = program(name, EXAMPLES[name], f"example{number}")
        (target / f"example{number}.swift").write_text(code)
        main += [f'print("== {name}")', f"try example{number}()"]
    (target / "main.swift").write_text("\n".join(main))
    # The module ImmutableDataC is for libraries: it needs a list of domains.
    modules = [module for module in MODULES if module != "ImmutableDataC"]
    products = [f'.product(name: "{module}", package: "immutabledata")' for module in modules]
    (package / "Package.swift").write_text(
        "// swift-tools-version: 6.3\n"
        "import PackageDescription\n"
        f'let package = Package(name: "comments", dependencies: [{DEPENDENCY}], '
        f'targets: [.executableTarget(name: "comments", dependencies: [{", ".join(products)}])])\n'
    )
    built = workspace.build(package) / "comments"
    folder = tmp_path_factory.mktemp("files")
    result = subprocess.run([built], capture_output=True, text=True, cwd=folder)
    assert (result.returncode, result.stderr) == (0, "")
    return dict(re.findall(r"^== (.*)\n((?:(?!== ).*\n)*)", result.stdout, re.M))


@pytest.mark.parametrize("name", EXCERPTS)
def test_an_example(name: str, printed: dict[str, str]) -> None:
    output = EXCERPTS[name].output
    assert output in printed[name] and bool(output) == bool(printed[name])


def test_every_example_is_tested() -> None:
    assert EXAMPLES.keys() - EXCERPTS.keys() == {
        "ImmutableDataC/Domains.swift",  # quotes examples/swift-domain
        "ProductSupport/State/Exact.swift",  # not in the reference
        "ProductSupport/State/RecordValue.swift",  # not in the reference
    }
    domains = (ROOT / "examples/swift-domain/Sources/Lights/Domains.swift").read_text()
    assert EXAMPLES["ImmutableDataC/Domains.swift"] in domains
