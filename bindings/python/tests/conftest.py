import pytest

import immutabledata as imd


@pytest.fixture
def store():
    with imd.open("counter", state={"value": 40}) as store:
        yield store


@pytest.fixture
def still_works(store):
    """Fails the test if the store is not as it was, or does not answer any more."""
    yield
    assert store.select("selectValue") == 40
    store.dispatch("didTapIncrementButton")
    assert store.select("selectValue") == 41
