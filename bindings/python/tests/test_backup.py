"""Backups of the database of a store."""

import os
import pathlib
import threading

import pytest

import immutabledata as imd


def names(path):
    """The names of the animals in a database, in order."""
    with imd.open("animals", store=str(path)) as store:
        store.dispatch("ui/animalList/onAppear")
        store.settle()
        return store.query("sort(animals.data.*.name)")


def add(store, name):
    payload = {"id": name, "name": name, "diet": "Carnivore", "categoryId": "Bird"}
    store.dispatch("ui/animalEditor/onTapAddAnimalButton", payload=payload)


@pytest.mark.parametrize("path", [str, pathlib.Path], ids=["str", "Path"])
@pytest.mark.parametrize("options", [{}, {"store": "animals"}], ids=["memory", "file"])
def test_a_copy_has_the_animals(tmp_path, monkeypatch, options, path):
    monkeypatch.chdir(tmp_path)
    with imd.open("animals", **options) as store:
        add(store, "Eagle")
        store.settle()
        store.backup(path("copy"))
        add(store, "Falcon")
        store.settle()
    assert "Eagle" in names("copy")
    assert "Falcon" not in names("copy")
    assert {name for name in os.listdir() if name.startswith("copy")} == {"copy"}


def test_an_observer_may_make_a_backup(tmp_path):
    with imd.open("animals") as store:
        copies = []

        @store.observe("selectCategoriesStatus")
        def back_up(status):
            copies.append(tmp_path / str(len(copies)))
            store.backup(copies[-1])

        store.dispatch("ui/categoryList/onAppear")
        store.settle()
    assert len(copies) == 3
    assert all(names(copy) for copy in copies)


def test_another_thread_adds_animals(tmp_path):
    added = [f"animal {number}" for number in range(100, 140)]
    with imd.open("animals", store=str(tmp_path / "animals")) as store:
        thread = threading.Thread(target=lambda: [add(store, name) for name in added])
        thread.start()
        for number in range(3):
            store.backup(tmp_path / f"copy{number}")
        thread.join()
    for number in range(3):
        copied = [name for name in names(tmp_path / f"copy{number}") if name.startswith("animal ")]
        assert copied == added[: len(copied)]


def test_no_file_is_replaced(tmp_path):
    copy = tmp_path / "copy"
    copy.write_text("notes")
    with imd.open("animals") as store, pytest.raises(imd.InvalidArgumentError) as caught:
        store.backup(copy)
    assert caught.value.message == f'"{copy}" already exists; remove it, or choose another path'
    assert copy.read_text() == "notes"
    assert os.listdir(tmp_path) == ["copy"]


def test_a_missing_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with imd.open("animals") as store, pytest.raises(imd.StorageError) as caught:
        store.backup("none/copy")
    assert caught.value.message == (
        'cannot create "none/copy": the directory "none" does not exist'
    )


def test_stores_without_a_database(tmp_path):
    message = "^the store has no database to back up; save its state instead$"
    with imd.Store(lambda state, action: state, state=0) as store:
        with pytest.raises(imd.InvalidArgumentError, match=message):
            store.backup(tmp_path / "copy")
    with imd.open("counter") as store, pytest.raises(imd.InvalidArgumentError, match=message):
        store.backup(tmp_path / "copy")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("", "a path cannot be empty or contain U\\+0000"),
        ("a\0b", "the path must not contain U\\+0000"),
        ("a\ud800", "the path cannot be UTF-8"),
    ],
)
def test_invalid_paths(path, words):
    with imd.open("animals") as store, pytest.raises(imd.InvalidArgumentError, match=words):
        store.backup(path)


def test_a_path_that_is_not_text():
    with imd.open("animals") as store:
        with pytest.raises(TypeError, match="a str or a path object, not int"):
            store.backup(7)
        with pytest.raises(TypeError, match="a str or a path object, not bytes"):
            store.backup(b"copy")


def test_a_reducer_may_not_make_a_backup(tmp_path):
    def reduce(state, action):
        store.backup(tmp_path / "copy")

    with imd.Store(reduce, state=0) as store, pytest.raises(imd.ReentrantError):
        store.dispatch("any")


def test_a_closed_store(tmp_path):
    store = imd.open("animals")
    store.close()
    with pytest.raises(imd.ClosedError):
        store.backup(tmp_path / "copy")
