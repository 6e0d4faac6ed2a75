"""Changes that the animals server sends, and the state of the connection to it."""

import json
import time

from animals_server import OWL, UPDATE, fetch_animals, wait_for_output


def test_changes_by_others_arrive(server, animals):
    fetch_animals(animals)
    assert server.connected.acquire(timeout=10)
    assert server.followers[0].last_id is None
    change = json.dumps({"updateAnimal": {"animal": UPDATE}})
    server.send_event(f"id: 7\nevent: change\ndata: {change}\n\n")
    wait_for_output(animals, UPDATE, "selectAnimal", animalId="Owl")
    # The store records the id of the event after the change, and then that it is following.
    wait_for_output(animals, {"following": {}}, "selectConnection")
    # They continue after the connection was lost.
    server.followers[0].over.set()
    assert server.connected.acquire(timeout=10)
    assert server.followers[1].last_id == "7"
    del server.followers[0]
    change = json.dumps({"deleteAnimal": {"animal": UPDATE}})
    server.send_event(f"id: 8\nevent: change\ndata: {change}\n\n")
    wait_for_output(animals, None, "selectAnimal", animalId="Owl")


def follow(server, store):
    """Waits for the connection; returns the list of its states from then on."""
    connections = []
    assert server.connected.acquire(timeout=10)
    store.observe("selectConnection", lambda c: connections.append(c and c.to_python()))
    server.send_event("id: 1\nevent: reset\ndata: {}\n\n")
    wait_for_output(store, {"following": {}}, "selectConnection")
    return connections


def test_every_reset_fetches_again(server, animals):
    fetch_animals(animals)
    follow(server, animals)
    for number in range(2, 5):
        server.owl = {**OWL, "name": f"Owl {number}"}
        server.send_event(f"id: {number}\nevent: reset\ndata: {{}}\n\n")
        wait_for_output(animals, server.owl, "selectAnimal", animalId="Owl")


def test_a_failed_refetch_is_repeated(server, animals):
    errors = []
    animals.on_error = lambda error, callback: errors.append(str(error))
    fetch_animals(animals)
    connections = follow(server, animals)
    server.behavior = "error"
    server.send_event("id: 2\nevent: reset\ndata: {}\n\n")
    assert server.connected.acquire(timeout=10)
    assert any("lost" in (connection or {}) for connection in connections)
    # Without the id of an event, the server starts with a reset.
    assert server.followers[1].last_id is None
    server.behavior, server.owl = "well", {**OWL, "name": "New owl"}
    del server.followers[0]
    server.send_event("id: 3\nevent: reset\ndata: {}\n\n")
    wait_for_output(animals, {"following": {}}, "selectConnection")
    assert animals.select("selectAnimal", animalId="Owl") == server.owl
    assert errors
    assert set(errors) == {
        f"an effect that no action caused: {server.address} answered with status 404: there is no "
        "such animal"
    }


def test_the_state_of_the_connection(server, animals):
    connections = follow(server, animals)
    before = time.time_ns() // 1_000_000
    server.heartbeat = "40"
    server.followers[0].over.set()
    assert server.connected.acquire(timeout=10)
    lost = next(each["lost"] for each in connections if each and "lost" in each)
    assert lost["error"] == f"{server.address} ended the connection"
    assert before <= lost["since"] <= time.time_ns() // 1_000_000
    assert server.followers[1].last_id == "1"
    # The next connection is silent for more than two and a half heartbeats.
    assert server.connected.acquire(timeout=10)
    errors = [each["lost"]["error"] for each in connections if each and "lost" in each]
    assert f"{server.address} was silent for 100 ms" in errors
    animals.set_fetch(None)
    wait_for_output(animals, None, "selectConnection")
