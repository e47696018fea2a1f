"""Scripts for PyAutoGUI, carried out by a Computer Control Service.

The functions of PyAutoGUI 0.9.54 with their arguments, each of which calls an operation of the
service over HTTP. This one file needs only Python (3.8 or later); `screenshot` needs Pillow, as
PyAutoGUI's does. The service puts it into the module path of commands at `--compat osworld`; any
other script uses it as `from computer_control import pyautogui`.

`COMPUTER_CONTROL_URL` is the address of the service, `COMPUTER_CONTROL_TOKEN` its token.
https://pyautogui.readthedocs.io/
"""

from __future__ import annotations

import collections
import collections.abc
import contextlib
import functools
import http.client
import io
import json
import math
import os
import time
import urllib.parse
from typing import Any, Callable, Iterator, List, Optional, Sequence, Tuple, Union

__version__ = "0.9.54"


class PyAutoGUIException(Exception):
    """What cannot be done, in one sentence."""


class FailSafeException(PyAutoGUIException):
    """The cursor is in a corner of the screen, and `FAILSAFE` is true."""


class ImageNotFoundException(PyAutoGUIException):
    """Never raised; scripts name it."""


Point = collections.namedtuple("Point", "x y")
Size = collections.namedtuple("Size", "width height")

LEFT, MIDDLE, RIGHT, PRIMARY, SECONDARY = "left", "middle", "right", "primary", "secondary"

PAUSE = 0.1  # seconds after each function
FAILSAFE = True
FAILSAFE_POINTS: List[Tuple[int, int]] = []  # besides the corners of the screen
MINIMUM_DURATION = 0.1  # seconds: what is to take less is done at once
MINIMUM_SLEEP = 0.05
DARWIN_CATCH_UP_TIME = 0.01

KEY_NAMES = [chr(code) for code in (9, 10, 13, *range(32, 65), *range(91, 127))]
KEY_NAMES += (
    "accept add alt altleft altright apps backspace browserback browserfavorites browserforward "
    "browserhome browserrefresh browsersearch browserstop capslock clear convert ctrl ctrlleft "
    "ctrlright decimal del delete divide down end enter esc escape execute final fn hanguel hangul "
    "hanja help home insert junja kana kanji launchapp1 launchapp2 launchmail launchmediaselect "
    "left modechange multiply nexttrack nonconvert numlock pagedown pageup pause pgdn pgup "
    "playpause prevtrack print printscreen prntscrn prtsc prtscr return right scrolllock select "
    "separator shift shiftleft shiftright sleep space stop subtract tab up volumedown volumemute "
    "volumeup win winleft winright yen command option optionleft optionright"
).split()
KEY_NAMES += [f"f{number}" for number in range(1, 25)] + [f"num{digit}" for digit in range(10)]
KEYBOARD_KEYS = KEY_NAMES
_NO_KEYS = {"accept", "final", "fn", "yen"}  # that no operation can press


# How operations are called.

_DEFAULT_URL = "http://127.0.0.1:4242"
_TIMEOUT = 600
_CONNECTIONS = {
    "http": http.client.HTTPConnection,
    "https": getattr(http.client, "HTTPSConnection", None),  # there is none without OpenSSL
}


def _request(path: str, fields: Optional[dict] = None) -> bytes:
    """The body of an operation's answer: a POST with fields, a GET without."""
    url = urllib.parse.urlsplit(os.environ.get("COMPUTER_CONTROL_URL") or _DEFAULT_URL)
    kind = _CONNECTIONS.get(url.scheme)
    if kind is None:  # never in clear text what an address meant otherwise
        raise PyAutoGUIException("COMPUTER_CONTROL_URL should begin with http:// or https://")
    token = os.environ.get("COMPUTER_CONTROL_TOKEN")
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    method, body = ("GET", None) if fields is None else ("POST", json.dumps(fields).encode())
    port = url.port or kind.default_port
    connection = kind(url.hostname or "", port, timeout=_TIMEOUT)
    try:
        connection.request(method, url.path.rstrip("/") + path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
    except (OSError, http.client.HTTPException) as error:
        raise PyAutoGUIException(f"The service does not answer: {error!r}") from None
    finally:
        connection.close()
    if answer.status < 300:
        return content
    try:
        detail = json.loads(content)["detail"]
    except (ValueError, KeyError, TypeError):
        detail = f"The service answered {answer.status}"
    if isinstance(detail, list):
        detail = "; ".join(f"{each['loc'][-1]}: {each['msg']}" for each in detail)
    raise PyAutoGUIException(detail)


def _call(path: str, fields: Optional[dict] = None) -> Any:
    content = _request(path, fields)
    return json.loads(content) if content else None


# What every function does before and after.

def failSafeCheck() -> None:
    """Stop a script whose user has moved the cursor into a corner of the screen."""
    if not FAILSAFE:
        return
    (width, height), at = size(), tuple(position())
    corners = [(x, y) for x in (0, width - 1) for y in (0, height - 1)]
    if at in corners or at in FAILSAFE_POINTS:
        raise FailSafeException("The cursor is in a corner of the screen: set FAILSAFE to False")


def _action(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        failSafeCheck()
        result = function(*args, **kwargs)
        if kwargs.get("_pause", True):
            time.sleep(PAUSE)
        return result

    return checked


# The screen.

def size() -> Size:
    """The size of the screen, in pixels."""
    answer = _call("/api/display/screen_size")
    return Size(answer["width"], answer["height"])


def position(x: Optional[int] = None, y: Optional[int] = None) -> Point:
    """Where the cursor is; what is given replaces a coordinate."""
    at = _call("/api/mouse/position")
    return Point(at["x"] if x is None else int(x), at["y"] if y is None else int(y))


def onScreen(x: Any, y: Any = None) -> bool:
    """Whether a point is on the screen."""
    at, (width, height) = _point(x, y), size()
    return at is not None and 0 <= at[0] < width and 0 <= at[1] < height


def _point(x: Any, y: Any = None) -> Optional[Point]:
    """The point that the first two arguments of a function mean; `None` for where the cursor is."""
    if x is None and y is None:
        return None
    if isinstance(x, collections.abc.Sequence):
        if isinstance(x, str) or y is not None or len(x) not in (2, 4):
            raise PyAutoGUIException("A point should be two numbers, or a sequence of 2 or 4")
        left, top, width, height = (*x, 0, 0)[:4]
        return Point(int(left + width / 2), int(top + height / 2))
    if x is None or y is None:
        return position(x, y)
    return Point(int(x), int(y))


def _place(x: Any, y: Any = None) -> dict:
    """The fields of a point: the nearest one on the screen, as PyAutoGUI acts at its edge."""
    at = _point(x, y)
    if at is None:
        return {}
    width, height = size()
    return {"x": max(0, min(at.x, width - 1)), "y": max(0, min(at.y, height - 1))}


def screenshot(imageFilename: Optional[str] = None, region: Optional[Sequence[int]] = None) -> Any:
    """A picture of the screen or a region (left, top, width, height), for Pillow."""
    fields = {"format": "png"}
    if region is not None:
        fields.update(zip(("x", "y", "width", "height"), (str(int(each)) for each in region)))
    content = _request(f"/api/display/screenshot?{urllib.parse.urlencode(fields)}")
    try:
        from PIL import Image
    except ImportError:
        raise PyAutoGUIException("Pillow is needed for this: install it with pip") from None
    picture = Image.open(io.BytesIO(content)).convert("RGB")
    if imageFilename is not None:
        picture.save(imageFilename)
    return picture


# How a movement with a duration is spread over its time: `tween(0.25)` is how far it is after a
# quarter of it. The formulas are those of Robert Penner.

def linear(n: float) -> float:
    """At the same speed all the time."""
    return n


def _bounce(n: float) -> float:
    for end, top, rest in ((1, 0, 0), (2, 1.5, 0.75), (2.5, 2.25, 0.9375), (3, 2.625, 0.984375)):
        if n * 2.75 <= end:
            return 7.5625 * (n - top / 2.75) ** 2 + rest
    return 1.0


def _elastic(n: float) -> float:
    return n if n in (0, 1) else -(2 ** (10 * n - 10)) * math.sin((n - 1.075) * 2 * math.pi / 0.3)


def _add_easing(name: str, ease: Callable[[float], float]) -> None:
    globals().update({
        f"easeIn{name}": ease,
        f"easeOut{name}": lambda n: 1 - ease(1 - n),
        f"easeInOut{name}": lambda n: ease(2 * n) / 2 if n < 0.5 else 1 - ease(2 - 2 * n) / 2,
    })


for _power, _name in enumerate(("Quad", "Cubic", "Quart", "Quint"), 2):
    _add_easing(_name, lambda n, power=_power: n**power)
_add_easing("Sine", lambda n: 1 - math.cos(n * math.pi / 2))
_add_easing("Expo", lambda n: 0.0 if n == 0 else 2 ** (10 * n - 10))
_add_easing("Circ", lambda n: 1 - math.sqrt(1 - n**2))
_add_easing("Elastic", _elastic)
_add_easing("Back", lambda n: n**2 * (2.70158 * n - 1.70158))
_add_easing("Bounce", lambda n: 1 - _bounce(1 - n))


# The mouse.

_BUTTONS = {LEFT: LEFT, MIDDLE: MIDDLE, RIGHT: RIGHT, PRIMARY: LEFT, SECONDARY: RIGHT}
_NUMBERS = {1: LEFT, 2: MIDDLE, 3: RIGHT}
_MAX_COUNT = 3  # the clicks that programs count
_COUNTED_S = 0.4  # clicks with less time in between are counted
_MAX_NOTCHES = 1_000


def _button(button: Union[str, int]) -> str:
    known = _NUMBERS.get(button) if isinstance(button, int) else _BUTTONS.get(button.lower())
    if known is None:
        names = ", ".join(map(repr, (*_BUTTONS, *_NUMBERS)))
        raise PyAutoGUIException(f"button argument must be one of ({names})")
    return known


def _move(to: dict, duration: float, tween: Callable[[float], float]) -> None:
    if not to:
        return
    if duration <= MINIMUM_DURATION:
        _call("/api/mouse/move", to)
    elif tween is linear:
        _call("/api/mouse/move", {**to, "duration_ms": round(duration * 1_000)})
    else:
        start, steps = position(), max(1, int(duration / MINIMUM_SLEEP))
        for step in range(1, steps + 1):
            time.sleep(duration / steps)
            n = 1.0 if step == steps else tween(step / steps)
            x, y = (round(a + (to[name] - a) * n) for a, name in zip(start, "xy"))
            _call("/api/mouse/move", {"x": x, "y": y})


@_action
def moveTo(x=None, y=None, duration=0.0, tween=linear, logScreenshot=False, _pause=True):
    """Move the cursor to a point."""
    _move(_place(x, y), duration, tween)


@_action
def moveRel(xOffset=None, yOffset=None, duration=0.0, tween=linear, logScreenshot=False,
            _pause=True):
    """Move the cursor by so many pixels."""
    _move(_place(_shifted(xOffset, yOffset)), duration, tween)


def _shifted(x: Any, y: Any) -> Point:
    if isinstance(x, collections.abc.Sequence):
        x, y = x
    at = position()
    return Point(at.x + int(x or 0), at.y + int(y or 0))


@_action
def mouseDown(x=None, y=None, button=PRIMARY, duration=0.0, tween=linear, logScreenshot=None,
              _pause=True):
    """Press a button and hold it."""
    _call("/api/mouse/down", {"button": _button(button), **_place(x, y)})


@_action
def mouseUp(x=None, y=None, button=PRIMARY, duration=0.0, tween=linear, logScreenshot=None,
            _pause=True):
    """Release a button."""
    _call("/api/mouse/up", {"button": _button(button), **_place(x, y)})


@_action
def click(x=None, y=None, clicks=1, interval=0.0, button=PRIMARY, duration=0.0, tween=linear,
          logScreenshot=None, _pause=True):
    """Click so often; clicks in quick succession count as a double or triple click."""
    name, to = _button(button), _place(x, y)
    if duration > MINIMUM_DURATION:
        _move(to, duration, tween)
    left = int(clicks)
    while left > 0:
        failSafeCheck()
        count = min(left, _MAX_COUNT) if interval < _COUNTED_S else 1
        _call("/api/mouse/click", {"button": name, "click_count": count, **to})
        left -= count
        time.sleep(interval)


def _clicking(button: str) -> Callable[..., None]:
    @_action
    def clicking(x=None, y=None, interval=0.0, duration=0.0, tween=linear, logScreenshot=None,
                 _pause=True):
        """Click with this button."""
        click(x, y, 1, interval, button, duration, tween, _pause=False)

    return clicking


def _clicking_times(count: int) -> Callable[..., None]:
    @_action
    def clicking(x=None, y=None, interval=0.0, button=LEFT, duration=0.0, tween=linear,
                 logScreenshot=None, _pause=True):
        """Click so often."""
        click(x, y, count, interval, button, duration, tween, _pause=False)

    return clicking


leftClick, rightClick, middleClick = map(_clicking, (LEFT, RIGHT, MIDDLE))
doubleClick, tripleClick = map(_clicking_times, (2, 3))


def _drag(to: dict, duration: float, tween: Any, button: Any, presses: bool) -> None:
    if not presses:
        _move(to, duration, tween)
    elif to:  # at constant speed; without a duration it takes as long as drag and drop needs
        more = {"duration_ms": round(duration * 1_000)} if duration > MINIMUM_DURATION else {}
        _call("/api/mouse/drag", {"button": _button(button), **to, **more})


@_action
def dragTo(x=None, y=None, duration=0.0, tween=linear, button=PRIMARY, logScreenshot=None,
           _pause=True, mouseDownUp=True):
    """Drag to a point with a button down."""
    _drag(_place(x, y), duration, tween, button, mouseDownUp)


@_action
def dragRel(xOffset=0, yOffset=0, duration=0.0, tween=linear, button=PRIMARY, logScreenshot=None,
            _pause=True, mouseDownUp=True):
    """Drag by so many pixels with a button down."""
    if xOffset or yOffset:
        _drag(_place(_shifted(xOffset, yOffset)), duration, tween, button, mouseDownUp)


def _scroll(field: str, clicks: Union[int, float], to: dict) -> None:
    notches = max(-_MAX_NOTCHES, min(int(clicks), _MAX_NOTCHES))
    if notches:
        _call("/api/mouse/scroll", {"clicks": 0, field: notches, **to})


@_action
def scroll(clicks, x=None, y=None, logScreenshot=None, _pause=True):
    """Turn the wheel: positive is up."""
    _scroll("clicks", clicks, _place(x, y))


@_action
def hscroll(clicks, x=None, y=None, logScreenshot=None, _pause=True):
    """Turn the wheel sideways: positive is right."""
    _scroll("horizontal_clicks", clicks, _place(x, y))


# The keyboard. PyAutoGUI ignores the names of keys that it does not know.

_MAX_REPEAT = 100
_MAX_KEYS = 16
_MAX_DELAY_MS = 10_000
_CONTROLS = {code: None for code in (*range(32), *range(127, 160)) if code not in (9, 10, 13)}


def isValidKey(key: str) -> bool:
    """Whether there is a key of this name, or a key that types this character."""
    return _key(key) is not None


def _key(name: str) -> Optional[str]:
    if len(name) == 1:
        special = {"\b": "backspace", "\t": "tab", "\n": "enter", "\r": "enter", " ": "space"}
        return special.get(name, name if name.isprintable() else None)
    name = name.lower()
    return name if name in KEY_NAMES and name not in _NO_KEYS else None


def _keys(names: Any) -> List[str]:
    each = [names] if isinstance(names, str) else list(names)
    return [key for key in map(_key, each) if key is not None]


def _press(key: str, repeat: int = 1) -> None:
    _call("/api/keyboard/hotkey", {"keys": [key], "repeat": repeat})


@_action
def keyDown(key, logScreenshot=None, _pause=True):
    """Press a key and hold it."""
    for each in _keys(key):
        _call("/api/keyboard/hold", {"key": each})


@_action
def keyUp(key, logScreenshot=None, _pause=True):
    """Release a key."""
    for each in _keys(key):
        _call("/api/keyboard/release", {"key": each})


@_action
def press(keys, presses=1, interval=0.0, logScreenshot=None, _pause=True):
    """Press and release a key, or several one after the other, so often."""
    names, count = _keys(keys), max(0, int(presses))
    at_once = count if len(names) == 1 and interval <= 0 else 1
    for start in range(0, count, min(at_once, _MAX_REPEAT) or 1):
        for name in names:
            failSafeCheck()
            _press(name, min(at_once, _MAX_REPEAT, count - start))
        time.sleep(interval)


@contextlib.contextmanager
def hold(keys, logScreenshot=None, _pause=True):
    """Hold keys down inside a `with`."""
    failSafeCheck()
    with _holding(_keys(keys), 0.0):
        yield
    if _pause:
        time.sleep(PAUSE)


@contextlib.contextmanager
def _holding(names: List[str], interval: float) -> Iterator[None]:
    held: List[str] = []
    try:
        for name in names:
            _call("/api/keyboard/hold", {"key": name})
            held.append(name)
            time.sleep(interval)
        yield
    finally:
        for name in reversed(held):
            _call("/api/keyboard/release", {"key": name})
            time.sleep(interval)


@_action
def typewrite(message, interval=0.0, logScreenshot=None, _pause=True):
    """Type a text, or press the keys of a list."""
    interval = float(interval)
    if isinstance(message, str) and not _call("/api/keyboard/held"):
        _type(message, interval)
    else:  # held keys belong to what is pressed, not to a text
        for name in message:
            for key in _keys(name):
                _press(key)
            time.sleep(interval)
    failSafeCheck()


def _type(text: str, interval: float) -> None:
    delay = {"typing_delay": min(round(interval * 1_000), _MAX_DELAY_MS)} if interval > 0 else {}
    for index, part in enumerate(text.split("\b")):
        if index > 0:
            _press("backspace")
        _call("/api/keyboard/type", {"text": part.translate(_CONTROLS), **delay})


@_action
def hotkey(*args, interval=0.0, logScreenshot=None, _pause=True):
    """Press keys in order, and release them in reverse."""
    given = args[0] if len(args) == 1 and not isinstance(args[0], str) else args
    names, interval = _keys(given), float(interval)
    if interval <= 0 and 0 < len(names) <= _MAX_KEYS:
        _call("/api/keyboard/hotkey", {"keys": names})
    else:
        with _holding(names, interval):
            pass


# Other names.

resolution = size
move, drag, vscroll = moveRel, dragRel, scroll
write, shortcut = typewrite, hotkey
sleep = time.sleep
