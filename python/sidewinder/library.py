# SPDX-License-Identifier: BSD-3-Clause
"""A model's shared object: its functions and their argument types.

ctypes releases the GIL during calls.
"""
from __future__ import annotations

import ctypes as c
import os
import threading
import weakref
from typing import TYPE_CHECKING, Any, Callable, NoReturn

import numpy as np
import numpy.typing as npt

from .errors import OptionError
from .names import real

_reals = np.ctypeslib.ndpointer(np.float64, flags="C_CONTIGUOUS")
_ints = np.ctypeslib.ndpointer(np.intc, flags="C_CONTIGUOUS")
_longs = np.ctypeslib.ndpointer(np.dtype("l"), flags="C_CONTIGUOUS")
_p, _text, _long_to, _real_to = c.c_void_p, c.c_char_p, c.POINTER(c.c_long), c.POINTER(c.c_double)

LOSS = c.CFUNCTYPE(c.c_int, c.c_long, c.c_double, _real_to, _real_to, _real_to)  # step, t, z, value, gradient

# name: (result, arguments); a status is an int, and status_name gives its name.
_functions: dict[str, tuple[Any, list[Any]]] = {
    "swpy_model_text": (_text, [_text]),
    "swpy_model_step": (c.c_double, []),
    "swpy_project_most": (c.c_double, []),
    "swpy_model_takes_data": (c.c_int, []),
    "swpy_model_sizes": (c.c_int, []),
    "swpy_model_size": (_text, [c.c_int, _long_to]),
    "swpy_stepper": (_text, [c.c_int]),
    "swpy_room": (c.c_int, []),
    "swpy_option": (_text, [c.c_int, c.c_char_p]),
    "swpy_options_new": (_p, [_text]),
    "swpy_options_free": (None, [_p]),
    "swpy_options_set_text": (None, [_p, c.c_int, _text]),
    "swpy_options_text": (_text, [_p, c.c_int]),
    "swpy_options_set_numbers": (None, [_p, c.c_int, _reals]),
    "swpy_options_add_size": (c.c_int, [_p, _text, c.c_long]),
    "swpy_arrays_new": (_p, [c.c_size_t]),
    "swpy_arrays_free": (None, [_p]),
    "swpy_arrays_set": (c.c_int, [_p, c.c_size_t, _text, c.c_int, _longs, _reals, c.POINTER(_text)]),
    "swpy_options_set_data": (c.c_int, [_p, _text, _p, c.POINTER(_p), c.c_char_p]),
    "sw_data_nk": (c.c_int, [_p]),
    "sw_data_parameters": (_real_to, [_p]),
    "sw_data_free": (None, [c.POINTER(_p)]),
    "swpy_options_set_tableau": (_text, [_p, _text, c.c_int] + 4 * [_p]),
    "swpy_options_objection": (_text, [_p]),
    "swpy_sim_create": (c.c_int, [_p, c.POINTER(_p)]),
    "swpy_sim_name": (_text, [_p, c.c_char, c.c_int, c.c_char_p]),
    "swpy_sim_stat": (_text, [_p, c.c_int, _real_to]),
    "swpy_sim_run": (c.c_int, [_p, _p, c.c_double] + 5 * [c.c_long] + [_reals, _long_to]),
    "swpy_events_run": (c.c_int, [_p, _p, _p, c.c_double, c.c_long, c.c_long, _reals, c.c_long, _long_to, _long_to, c.POINTER(c.c_int)]),
    "swpy_ensemble_create": (c.c_int, [_p, c.c_long, c.c_int, c.c_double, _text, c.POINTER(_p), c.c_char_p]),
    "swpy_ensemble_free": (None, [_p]),
    "swpy_ensemble_of": (_p, [_p]),
    "swpy_ensemble_columns": (_p, [_p]),
    "swpy_ensemble_set": (c.c_int, [_p, c.c_int, c.c_double, c.c_long, _reals, _long_to]),
    "swpy_ensemble_get": (None, [_p, c.c_int, c.c_long, _reals]),
    "swpy_ensemble_progress": (None, [_p, _ints, _longs]),
    "swpy_ensemble_stat": (_text, [_p, c.c_int, _real_to]),
    "sw_status_name": (_text, [c.c_int]),
    "sw_status_text": (_text, [c.c_int]),
    "sw_method_names": (c.POINTER(_text), []),
    "sw_base_choices": (c.POINTER(_text), []),
    "sw_composition_names": (c.POINTER(_text), []),
    "sw_redundant_names": (c.POINTER(_text), []),
    "sw_sim_free": (None, [c.POINTER(_p)]),
    "sw_sim_message": (_text, [_p]),
    "sw_sim_set_parameters": (c.c_int, [_p, _reals]),
    "sw_sim_n_inputs": (c.c_int, [_p]),
    "sw_sim_input": (c.c_int, [_p, c.c_int]),
    "sw_sim_set_inputs": (c.c_int, [_p, _reals]),
    "sw_sim_set_seed": (c.c_int, [_p, c.c_long, c.c_long]),
    "sw_sim_temperature": (c.c_double, [_p]),
    "sw_sim_set_state": (c.c_int, [_p, c.c_double, _reals]),
    "sw_sim_project_within": (c.c_int, [_p, c.c_double]),
    "sw_sim_step": (c.c_int, [_p, c.c_double]),
    "sw_sim_tangent": (c.c_int, [_p, c.c_double, _reals]),
    "sw_sim_has_parameter_tangent": (c.c_int, [_p]),
    "sw_sim_tangent_parameters": (c.c_int, [_p, c.c_double, _reals]),
    "sw_sim_pullback": (c.c_int, [_p, c.c_double, _reals, _reals, _p]),
    "sw_sim_n_inputs": (c.c_int, [_p]),
    "swpy_sim_gradient": (c.c_int, [_p, c.c_double, c.c_long, c.c_long, LOSS, _p, _real_to, _reals, _p, _p]),
    "sw_sim_saved_count": (c.c_size_t, [_p]),
    "sw_sim_save": (None, [_p, _reals]),
    "sw_sim_restore": (c.c_int, [_p, _reals]),
    "sw_sim_nq": (c.c_int, [_p]),
    "sw_sim_nc": (c.c_int, [_p]),
    "sw_sim_nk": (c.c_int, [_p]),
    "sw_sim_n_state": (c.c_int, [_p]),
    "sw_sim_n_observe": (c.c_int, [_p]),
    "sw_sim_n_invariant": (c.c_int, [_p]),
    "sw_sim_n_event": (c.c_int, [_p]),
    "sw_sim_between_objection": (_text, [_p]),
    "sw_events_create": (c.c_int, [_p, c.POINTER(_p)]),
    "sw_events_free": (None, [c.POINTER(_p)]),
    "sw_sim_n_init": (c.c_int, [_p]),
    "sw_sim_init_name": (_text, [_p, c.c_int]),
    "sw_sim_init_state": (None, [_p, c.c_int, _reals]),
    "sw_sim_time": (c.c_double, [_p]),
    "sw_sim_work": (c.c_double, [_p]),
    "sw_sim_order": (c.c_int, [_p]),
    "sw_sim_state": (_real_to, [_p]),
    "sw_sim_parameters": (_real_to, [_p]),
    "sw_sim_multipliers": (c.c_int, [_p, _reals]),
    "sw_sim_impulses": (_real_to, [_p]),
    "sw_sim_drops": (c.c_int, [_p, c.c_int]),
    "sw_sim_hamiltonian": (None, [_p, _reals]),
    "sw_sim_observe": (None, [_p, _reals]),
    "sw_sim_invariant": (None, [_p, _reals]),
    "sw_columns_of": (c.c_int, [_p, c.c_double, _text, c.POINTER(_p), c.c_char_p]),
    "sw_columns_follow": (c.c_int, [_p, _p]),
    "sw_columns_free": (None, [c.POINTER(_p)]),
    "sw_columns_count": (c.c_size_t, [_p]),
    "sw_columns_name": (_text, [_p, c.c_size_t, c.c_char_p]),
    "sw_columns_values": (_real_to, [_p, _p, c.c_long]),
    "sw_ensemble_project": (c.c_int, [_p, c.c_double]),
    "sw_ensemble_advance": (c.c_int, [_p, c.c_double, c.c_long]),
    "sw_ensemble_step": (c.c_long, [_p]),
    "sw_ensemble_failed": (c.c_long, [_p]),
    "sw_ensemble_message": (_text, [_p, c.c_long]),
    "sw_ensemble_values": (_real_to, [_p]),
}


class Handle:
    """An owner of memory of the library.

    It is unique: copy, deepcopy and pickle raise TypeError.
    """

    _instead = "make another"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} of sidewinder cannot be copied or pickled; {self._instead}")


class LockedHandle(Handle):
    """A handle that one thread at a time can use: its calls hold `_lock`."""

    def __init__(self) -> None:
        self._lock: Any = threading.RLock()
        _locked.add(self)

    def _lose(self) -> None:
        """Called in a forked child if another thread of the parent held the lock."""
        self._lock = _LostLock()


class _LostLock:
    """Replaces a lock that no thread of this process can release."""

    def __enter__(self) -> NoReturn:
        raise ValueError("another thread was in a call of this object when the process forked: the child cannot use it")

    def __exit__(self, *_: object) -> None:
        pass


_locked: weakref.WeakSet[LockedHandle] = weakref.WeakSet()


def _lose_locks() -> None:
    for handle in list(_locked):
        if handle._lock.acquire(blocking=False):
            handle._lock.release()
        else:
            handle._lose()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_lose_locks)


class Library(Handle):
    """The functions of one shared object, as attributes."""

    if TYPE_CHECKING:  # __init__ sets the attributes

        def __getattr__(self, name: str) -> Any:
            """A function of the shared object, with the types in _functions."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.handle = c.CDLL(path)
        for name, (result, arguments) in _functions.items():
            function = getattr(self.handle, name)
            function.restype = result
            function.argtypes = arguments
            setattr(self, name, function)
        self.options = self._list_options()

    def _list_options(self) -> dict[str, tuple[int, str]]:
        kind = c.create_string_buffer(1)
        found: dict[str, tuple[int, str]] = {}
        while True:
            name = self.swpy_option(len(found), kind)
            if name is None:
                return found
            found[name.decode()] = (len(found), kind.raw.decode())

    def status_name(self, status: int) -> str:
        return str(self.sw_status_name(status), "utf-8")

    def status_text(self, status: int) -> str:
        return str(self.sw_status_text(status), "utf-8")

    def message(self, said: bytes) -> str:
        """A message of the library, with remedies in terms of Python."""
        text = said.decode("utf-8", "replace").replace("(sw_sim_project)", "(project=True)")
        return text.replace("generate or build it --with parameters", "create the simulation with derivatives=True")

    def project_limit(self, most: float) -> float:
        """`most`, checked; True is the default limit of programs."""
        limit: float = self.swpy_project_most() if isinstance(most, (bool, np.bool_)) and most else real("the limit of a projection", most)
        if not limit >= 0:
            raise OptionError(f"the limit of a projection is at least 0, not {most!r}")
        return limit

    def refuse(self, status: int, text: str = "") -> NoReturn:
        """Raises OptionError, or MemoryError for SW_ERR_MEMORY.

        The message is `text`, by default that of the status.
        """
        if self.status_name(status) == "SW_ERR_MEMORY":
            raise MemoryError(text or self.status_text(status))
        raise OptionError(text or self.status_text(status), self.status_name(status))

    def names(self, of: str) -> list[str]:
        """The texts of a NULL-terminated list, such as sw_method_names."""
        found: list[bytes] = []
        listed = getattr(self, of)()
        while listed[len(found)] is not None:
            found.append(listed[len(found)])
        return [name.decode() for name in found]

    def text(self, what: str) -> str | None:
        said = self.swpy_model_text(what.encode())
        return None if said is None else said.decode()

    def buffer(self) -> c.Array[c.c_char]:
        """A buffer for a name or a message."""
        return c.create_string_buffer(self.swpy_room())

    def sizes(self) -> dict[str, int]:
        value = c.c_long()
        return {self.swpy_model_size(i, value).decode(): value.value for i in range(self.swpy_model_sizes())}

    def stats(self, function: Callable[..., bytes | None], handle: Any) -> dict[str, int | float]:
        found: dict[str, int | float] = {}
        value, i = c.c_double(), 0
        while True:
            name = function(handle, i, value)
            if name is None:
                return found
            whole = name.decode() in ("residual_g", "residual_hidden", "residual_solve", "fibre_error", "heat")
            found[name.decode()] = value.value if whole else int(value.value)
            i += 1


def copied(pointer: Any, n: int) -> npt.NDArray[np.float64]:
    """A new array with a copy of n doubles."""
    return np.ctypeslib.as_array(pointer, (n,)).copy() if n > 0 else np.empty(0)
