"""Effects of a domain that fail: exceptions in on_error, or in the hook."""

import gc
import queue
import threading
import weakref

import pytest

import immutabledata as imd

TAP = {"type": "ui/orderDetailView/onTapStatusButton", "payload": {"orderID": "a"}}


@pytest.fixture
def truck():
    with imd.open("foodtruck") as store:
        yield store


def fail(arguments):
    raise KeyError(arguments["orderID"])


async def fail_async(arguments):
    raise KeyError(arguments["orderID"])


def tap(truck):
    truck.dispatch(TAP)
    truck.settle(10)


@pytest.mark.parametrize("function", [fail, fail_async])
def test_an_exception_goes_to_on_error(truck, function):
    errors = []
    truck.on_error = lambda error, callback: errors.append((error, callback))
    truck.set_effect("markOrderAsNextStep", function)
    tap(truck)
    ((error, callback),) = errors
    assert (type(error), error.args) == (KeyError, ("a",))
    assert error.__notes__ == ['the function of the effect "markOrderAsNextStep"']
    assert callback is function
    assert truck.statistics()["failedEffects"] == 1


def test_on_error_may_be_set_later(truck, unraisable):
    truck.set_effect("markOrderAsNextStep", fail)
    tap(truck)
    ((error, where),) = unraisable
    assert type(error) is KeyError
    role = 'the function of the effect "markOrderAsNextStep"'
    assert where.endswith(f" {role} in {truck!r}: {fail!r}")
    errors = []
    truck.on_error = lambda error, callback: errors.append((type(error), callback))
    tap(truck)
    assert errors == [(KeyError, fail)]
    assert len(unraisable) == 1


def test_a_function_that_was_never_set_is_no_failure(truck, unraisable):
    tap(truck)
    assert truck.statistics()["failedEffects"] == 0
    assert unraisable == []


def test_the_hook_gets_no_failure_that_the_state_shows(unraisable):
    errors = []
    with imd.open("animals", remote="http://nowhere") as store:
        store.set_fetch(lambda request: request.is_streamed or request.reject("no network"))
        store.dispatch("ui/animalList/onAppear")
        store.settle(10)
        store.on_error = lambda error, callback: errors.append((str(error), callback))
        store.dispatch("ui/categoryList/onTapReloadSampleDataButton")
        store.settle(10)
        assert store.statistics()["failedEffects"] == 2
    assert unraisable == []
    cause = 'an effect after "ui/categoryList/onTapReloadSampleDataButton"'
    assert errors == [(f"{cause}: no response from http://nowhere: no network", None)]


def test_the_handler_does_not_keep_the_store_alive():
    def open_one():
        store = imd.open("foodtruck")
        store.on_error = lambda error, callback: store
        store.set_effect("markOrderAsNextStep", lambda arguments: store)
        return weakref.ref(store)

    reference = open_one()
    gc.collect()
    assert reference() is None


def test_a_store_that_is_closed_reports_nothing(truck, unraisable):
    threads = queue.Queue()

    def close_and_fail(arguments):
        threads.put(threading.current_thread())
        truck.close()
        raise KeyError("late")

    truck.set_effect("markOrderAsNextStep", close_and_fail)
    truck.dispatch(TAP)
    threads.get(timeout=60).join()
    assert unraisable == []
