"""The library's own checks, which the layers above cannot reach, and the declarations."""

import ctypes
import re
from ctypes import c_int, c_int64, c_size_t, c_void_p
from pathlib import Path

import pytest

import immutabledata as imd
from immutabledata import _ffi, errors, log_drivers
from immutabledata._ffi import log_types

INCLUDE = Path(__file__).parents[3] / "include"
HEADERS = [INCLUDE / name for name in ("immutabledata.h", "immutabledata_log.h")]


@pytest.mark.usefixtures("still_works")
@pytest.mark.parametrize(
    ("text", "kind", "parts"),
    [
        (b"{type:1}", imd.InvalidJSONError, []),
        (b"", imd.InvalidJSONError, []),
        (b'{"type":"didTapIncrementButton"', imd.InvalidJSONError, []),
        (b'{"type":"didTapIncrementButton"}]', imd.InvalidJSONError, []),
        (b'{"type":"didTapIncrementButton"}\0', imd.InvalidJSONError, []),
        (b'{"\\u0000":1}', imd.InvalidJSONError, []),
        (b'{"type":"\\ud800"}', imd.InvalidJSONError, []),
        (b"NaN", imd.InvalidJSONError, []),
        (b'{"type":"\xff"}', imd.InvalidJSONError, ["0xff"]),
        (b'{"type":"\xed\xa0\x80"}', imd.InvalidJSONError, ["0xed"]),
        (b"[" * 100_000, imd.LimitError, []),
        (b'{"a":' * 100_000, imd.LimitError, []),
        (b'{"type":"didTapIncrementButton","meta":9223372036854775808}', imd.LimitError, []),
        (b'{"type":"didTapIncrementButton","meta":1e999}', imd.LimitError, []),
        (b"1", imd.InvalidActionError, []),
        (b"[]", imd.InvalidActionError, []),
    ],
)
def test_dispatch_refuses(store, text, kind, parts):
    error = _ffi.imd_error()
    with pytest.raises(imd.Error) as caught:
        _ffi.imd_store_dispatch(store._handle, text, len(text), error)
    assert type(caught.value) is kind
    assert caught.value.message == error.message.decode("utf-8") != ""
    for part in parts:
        assert part in caught.value.message
    assert caught.value.status == error.status == kind.status
    place = (caught.value.line, caught.value.column, caught.value.offset)
    assert place == (error.line, error.column, error.offset)
    if kind is imd.InvalidJSONError:
        assert caught.value.line == 1
        assert 0 <= caught.value.offset <= len(text)


def test_the_place_of_a_syntax_error(store):
    text = '{"é":\n  type}'.encode()
    with pytest.raises(imd.InvalidJSONError) as caught:
        _ffi.imd_store_dispatch(store._handle, text, len(text), _ffi.imd_error())
    assert (caught.value.line, caught.value.column, caught.value.offset) == (2, 6, 13)


@pytest.mark.parametrize("handle", [None, _ffi.imd_store_p()])
def test_null_handles_are_refused(handle):
    error = _ffi.imd_error()
    text, length = _ffi.text_p(), c_size_t(1)
    for call in (
        lambda: _ffi.imd_store_dispatch(handle, b"{}", 2, error),
        lambda: _ffi.imd_store_dispatch_batch(handle, b"[]", 2, error),
        lambda: _ffi.imd_store_select(handle, b"selectValue", None, 0, text, length, error),
    ):
        with pytest.raises(imd.InvalidArgumentError, match="store must not be NULL"):
            call()
    assert not text
    assert length.value == 0


@pytest.mark.usefixtures("still_works")
def test_null_text_is_refused(store):
    error = _ffi.imd_error()
    text, length = _ffi.text_p(), c_size_t()
    for call in (
        lambda: _ffi.imd_store_open(None, None, 0, _ffi.imd_store_p(), error),
        lambda: _ffi.imd_store_open(b"counter", None, 0, None, error),
        lambda: _ffi.imd_store_dispatch(store._handle, None, 0, error),
        lambda: _ffi.imd_store_dispatch_batch(store._handle, None, 0, error),
        lambda: _ffi.imd_store_select(store._handle, None, None, 0, text, length, error),
        lambda: _ffi.imd_store_select(store._handle, b"selectValue", None, 0, None, length, error),
        lambda: _ffi.imd_domains(None, None, error),
    ):
        with pytest.raises(imd.InvalidArgumentError) as caught:
            call()
        assert caught.value.message


def test_names_that_are_not_utf8_are_refused(store):
    with pytest.raises(imd.InvalidArgumentError, match="UTF-8"):
        _ffi.imd_store_open(b"\xff", None, 0, _ffi.imd_store_p(), _ffi.imd_error())
    with pytest.raises(imd.InvalidArgumentError, match="UTF-8"):
        _ffi.imd_store_select(
            store._handle, b"\xff", None, 0, _ffi.text_p(), c_size_t(), _ffi.imd_error()
        )


def test_the_error_may_be_null(store):
    with pytest.raises(imd.InvalidJSONError) as caught:
        _ffi.imd_store_dispatch(store._handle, b"{", 1, None)
    assert str(caught.value) == "IMD_INVALID_JSON"
    assert caught.value.line == 0


def test_success_clears_the_error(store):
    error = _ffi.imd_error()
    with pytest.raises(imd.InvalidJSONError):
        _ffi.imd_store_dispatch(store._handle, b"{", 1, error)
    _ffi.imd_store_dispatch_batch(store._handle, b"[]", _ffi.IMD_ZERO_TERMINATED, error)
    assert (error.status, error.line, error.column, error.offset) == (0, 0, 0, 0)
    assert error.message == b""


def test_null_is_freed_and_closed():
    _ffi.imd_free(None)
    _ffi.imd_store_close(None)
    _ffi.imd_value_release(None)
    _ffi.imd_cursor_close(None)
    assert _ffi.imd_value_retain(None) is None


def test_null_values_are_refused():
    out, error = c_void_p(), _ffi.imd_error()
    text, length = _ffi.text_p(), c_size_t()
    for call in (
        lambda: _ffi.imd_value_parse(None, 0, out, error),
        lambda: _ffi.imd_value_parse(b"1", 1, None, error),
        lambda: _ffi.imd_value_text(None, text, length, error),
        lambda: _ffi.imd_value_get(None, b"", out, error),
        lambda: _ffi.imd_value_read(None, b"", _ffi.imd_content(), error),
        lambda: _ffi.imd_value_set(None, b"", None, out, error),
        lambda: _ffi.imd_value_set_bool(None, b"", 1, out, error),
        lambda: _ffi.imd_value_set_integer(None, b"", 1, out, error),
        lambda: _ffi.imd_value_set_real(None, b"", 1, out, error),
        lambda: _ffi.imd_value_set_string(None, b"", b"", 0, out, error),
        lambda: _ffi.imd_value_insert(None, b"", None, out, error),
        lambda: _ffi.imd_value_remove(None, b"", out, error),
        lambda: _ffi.imd_value_slice(None, 0, 1, out, error),
        lambda: _ffi.imd_value_object(None, 1, out, error),
        lambda: _ffi.imd_value_array(None, 1, out, error),
        lambda: _ffi.imd_pointer(None, 0, None, 0, error),
        lambda: _ffi.imd_store_dispatch_object(None, None, 0, error),
        lambda: _ffi.imd_value_diff(None, None, out, error),
        lambda: _ffi.imd_value_patch(None, None, out, error),
        lambda: _ffi.imd_value_merge(None, None, out, error),
        lambda: _ffi.imd_cursor_open(None, None, out, error),
        lambda: _ffi.imd_store_state(None, out, error),
        lambda: _ffi.imd_store_query(None, b"a", None, 0, text, length, error),
        lambda: _ffi.imd_store_select_value(None, b"a", None, None, out, error),
        lambda: _ffi.imd_store_query_value(None, b"a", None, None, out, error),
        lambda: _ffi.imd_store_dispatch_value(None, None, error),
        lambda: _ffi.imd_store_dispatch_batch_value(None, None, error),
        lambda: _ffi.imd_store_define_selector(None, b"a", b"a", error),
        lambda: _ffi.imd_store_statistics(None, text, length, error),
    ):
        with pytest.raises(imd.InvalidArgumentError, match="must not be NULL"):
            call()
    assert out.value is None
    assert _ffi.imd_value_kind(None) == _ffi.IMD_NULL
    assert _ffi.imd_value_count(None) == 0
    assert _ffi.imd_value_equal(None, None) == 1
    assert _ffi.imd_cursor_next(None, text, length, out) == 0


def test_null_observations_and_streams_are_refused(store):
    value, count, descriptor, error = c_void_p(), c_size_t(), c_int(), _ffi.imd_error()
    for call in (
        lambda: observe(None, _ffi.imd_observer(lambda context, delivery: None)),
        lambda: observe(store._handle, _ffi.imd_observer()),
        lambda: _ffi.imd_store_poll(None, count, error),
        lambda: _ffi.imd_store_fd(None, descriptor, error),
        lambda: _ffi.imd_store_stream(None, None, 0, _ffi.imd_stream_p(), error),
        lambda: _ffi.imd_stream_next(None, 0, value, value, value, error),
        lambda: _ffi.imd_stream_dropped(None, count, error),
        lambda: _ffi.imd_stream_fd(None, descriptor, error),
    ):
        with pytest.raises(imd.InvalidArgumentError, match="must not be NULL"):
            call()
    _ffi.imd_observation_cancel(None)
    _ffi.imd_stream_close(None)


def observe(store, observer):
    _ffi.imd_store_observe(
        store,
        b"selectValue",
        None,
        0,
        None,
        0,
        observer,
        None,
        _ffi.imd_release(),
        _ffi.imd_observation_p(),
        _ffi.imd_error(),
    )


def test_a_value_lends_the_text_of_a_string():
    value = imd.value(["a\0b", "é" * 100])
    text, length = _ffi.text_p(), c_size_t()
    for pointer, expected in ((b"/0", b"a\0b"), (b"/1", "é".encode() * 100)):
        assert _ffi.imd_value_view_string(value._handle, pointer, text, length, None) == 0
        assert text[: length.value + 1] == expected + b"\0"
        again = _ffi.text_p()
        assert _ffi.imd_value_view_string(value._handle, pointer, again, length, None) == 0
        assert ctypes.addressof(again.contents) == ctypes.addressof(text.contents)


def test_the_getters_check_the_kind():
    value = imd.value([1, "a"])
    status = _ffi.imd_value_view_string(value._handle, b"/0", _ffi.text_p(), c_size_t(), None)
    assert status == imd.InvalidArgumentError.status
    status = _ffi.imd_value_get_string(value._handle, b"/0", _ffi.text_p(), c_size_t(), None)
    assert status == imd.InvalidArgumentError.status
    status = _ffi.imd_value_get_integer(value._handle, b"/2", c_int64(), None)
    assert status == imd.NotFoundError.status


# ---- The header ----------------------------------------------------------------------------------


@pytest.fixture
def header():
    if not INCLUDE.exists():
        pytest.skip("the headers are not here")
    text = "".join(header.read_text(encoding="utf-8") for header in HEADERS)
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def test_each_function_is_declared(header):
    in_header = re.findall(r"\b(imd_\w+)\(", header)
    declared = [
        name
        for name, found in vars(_ffi).items()
        if name.startswith("imd_") and hasattr(found, "argtypes") and not isinstance(found, type)
    ]
    assert sorted(declared) == sorted(in_header)


def test_each_function_takes_what_the_header_says(header):
    header = re.sub(r"void \(\*release\)\(void \*context\)", "imd_release release", header)
    for name, parameters in re.findall(r"\b(imd_\w+)\(([^)]*)\)", header):
        count = 0 if parameters == "void" else parameters.count(",") + 1
        assert len(getattr(_ffi, name).argtypes) == count, name


def test_each_status_is_a_class(header):
    in_header = enumeration(header, "imd_status")
    assert in_header.pop("IMD_OK") == 0
    assert in_header == {kind.name: status for status, kind in errors.BY_STATUS.items()}


@pytest.mark.parametrize(
    ("name", "count"), [("imd_kind", 7), ("imd_delivery_kind", 3), ("imd_limit_kind", 4)]
)
def test_each_kind_has_its_number(header, name, count):
    in_header = enumeration(header, name)
    assert len(in_header) == count
    assert in_header == {name: getattr(_ffi, name) for name in in_header}


@pytest.mark.parametrize(
    "name",
    [
        "imd_error",
        "imd_member",
        "imd_delivery",
        "imd_observer_functions",
        "imd_header",
        "imd_request_info",
    ],
)
def test_each_structure_has_its_members(header, name):
    (members,) = re.findall(rf"typedef struct {name} {{(.*?)}}", header, flags=re.DOTALL)
    in_header = re.findall(r"(\w+)(?:\[\d+\])?;", members)
    assert [field[0] for field in getattr(_ffi, name)._fields_] == in_header


@pytest.mark.parametrize(
    "name",
    [
        "imd_log_place",
        "imd_log_entry",
        "imd_log_answer",
        "imd_log_engine",
        "imd_log_opening",
        "imd_log_driver",
    ],
)
def test_each_structure_of_a_log_driver_has_its_members(header, name):
    (members,) = re.findall(rf"typedef struct {name} {{(.*?)}} {name};", header, flags=re.DOTALL)
    in_header = re.findall(r"\(\*(\w+)\)\(|(?<=[\s*])(\w+)(?:\[32\])?;", members)
    found = [function or member for function, member in in_header]
    assert [field[0] for field in getattr(log_types, name)._fields_] == found


def test_each_outcome_is_a_class(header):
    in_header = enumeration(header, "imd_log_outcome")
    assert in_header.pop("IMD_LOG_DONE") == 0
    classes = {kind.__name__: kind.number for kind in log_drivers.Outcome.__subclasses__()}
    assert {f"IMD_LOG_{name.upper()}": number for name, number in classes.items()} == in_header


def enumeration(header, name):
    (members,) = re.findall(rf"typedef enum {name} {{(.*?)}}", header, flags=re.DOTALL)
    return {name: int(number) for name, number in re.findall(r"(IMD_\w+) = (\d+)", members)}


def test_the_header_has_the_version_of_the_library(header):
    assert re.findall(r'IMD_VERSION "(.*)"', header) == [imd.version()]


def test_the_library_has_the_names_of_the_statuses():
    for status, kind in errors.BY_STATUS.items():
        assert _ffi.imd_status_name(status).decode() == kind.name
    assert _ffi.imd_status_name(0) == b"IMD_OK"
    for status in (-1, 20, 2**31 - 1):
        assert _ffi.imd_status_name(status).decode() == imd.Error.name
