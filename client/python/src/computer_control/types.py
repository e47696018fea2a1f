"""The shapes that operations take and answer."""

# This file is generated from openapi.json: `deno task clients`
from __future__ import annotations

from typing import Any, Dict, List, Literal, NotRequired, TypedDict


class GetScreenSizeResponse(TypedDict):
    width: int
    """The size is in pixels."""
    height: int
    """The size is in pixels."""


class ListDisplaysResponseItem(TypedDict):
    display_num: int
    name: str
    """This is the system's name of it, for example `:1`."""
    width: int
    """The size is in pixels."""
    height: int
    """The size is in pixels."""
    scale: float
    """A unit of the coordinates is this many pixels of a picture."""
    primary: bool


class WaitForDisplayUntil2(TypedDict):
    pixel: WaitForDisplayUntil2Pixel


class WaitForDisplayUntil2Pixel(TypedDict):
    x: int
    """The X coordinate is in pixels from the left edge of the display."""
    y: int
    """The Y coordinate is in pixels from the top edge of the display."""
    rgb: List[int]
    """These are red, green and blue, each from 0 to 255."""
    tolerance: NotRequired[int]
    """Each of the three may differ by this much."""


class WaitForDisplayUntil3(TypedDict):
    image: str
    """This is the path of a PNG, JPEG or WebP file: absolute, or `~/...`, or relative to the home."""
    confidence: NotRequired[float]
    """It must be at least this alike: 1 is the very same, 0.9 forgives small differences."""


class WaitForDisplayUntil4(TypedDict):
    file: WaitForDisplayUntil4File


class WaitForDisplayUntil4File(TypedDict):
    path: str
    """This is the path of the file or folder: absolute, `~/...`, or relative to the home of the service's user."""
    state: NotRequired[Literal["exists", "gone"]]
    """With `exists` it waits until something has this path, with `gone` until nothing has. What is so for less than 25 ms can be missed."""
    contains: NotRequired[str]
    """With `exists` it waits until the file also holds this text, as UTF-8; with `gone` until the file holds it no longer, or is gone itself. Files up to 64 MiB are searched."""


class WaitForDisplayUntil5(TypedDict):
    process: WaitForDisplayUntil5Process


class WaitForDisplayUntil5Process(TypedDict):
    pid: int
    """The process that has this id when the wait begins, of whatever user: it waits until it has ended. Another one that gets the same id later does not count."""


class WaitForDisplayRegion(TypedDict):
    x: int
    """The left edge is here, in pixels."""
    y: int
    """The top edge is here, in pixels."""
    width: int
    """The size is in pixels."""
    height: int
    """The size is in pixels."""


class WaitForDisplayIgnoreArea(TypedDict):
    x: int
    """The left edge is here, in pixels."""
    y: int
    """The top edge is here, in pixels."""
    width: int
    """The size is in pixels."""
    height: int
    """The size is in pixels."""


class WaitForDisplayIgnoreAreaItem(TypedDict):
    x: int
    """The left edge is here, in pixels."""
    y: int
    """The top edge is here, in pixels."""
    width: int
    """The size is in pixels."""
    height: int
    """The size is in pixels."""


class WaitForDisplayResponse(TypedDict):
    status: Literal["changed", "stable", "found", "gone", "ended", "timeout"]
    """`found` means that the pixel has the colour, that the image is shown, or that the file exists and holds the text. `gone` is said of a file, `ended` of a process."""
    elapsed_ms: int
    match: NotRequired[WaitForDisplayResponseMatch]
    """The image is here."""


class WaitForDisplayResponseMatch(TypedDict):
    x: int
    """The X coordinate is in pixels from the left edge of the display."""
    y: int
    """The Y coordinate is in pixels from the top edge of the display."""
    width: int
    height: int
    confidence: float
    """It is this alike; 1 is the very same."""


class LocateImageRegion(TypedDict):
    x: int
    """The left edge is here, in pixels."""
    y: int
    """The top edge is here, in pixels."""
    width: int
    """The size is in pixels."""
    height: int
    """The size is in pixels."""


class LocateImageResponse(TypedDict):
    x: int
    """The X coordinate is in pixels from the left edge of the display."""
    y: int
    """The Y coordinate is in pixels from the top edge of the display."""
    width: int
    height: int
    confidence: float
    """It is this alike; 1 is the very same."""


class LocateImageResponseItem(TypedDict):
    x: int
    """The X coordinate is in pixels from the left edge of the display."""
    y: int
    """The Y coordinate is in pixels from the top edge of the display."""
    width: int
    height: int
    confidence: float
    """It is this alike; 1 is the very same."""


class InputEffect1(TypedDict):
    effect: Literal["confirmed"]
    by: Literal["server", "program"]
    """`program`: the program that got the input says that it has handled it. `server`: the X server, or the system, has done it; whether a program has handled it is not known."""
    reason: str
    """One sentence says why, or what is not known."""
    window: NotRequired[str]
    """The window with this title got the input, or the last of it."""


class InputEffect2(TypedDict):
    effect: Literal["unverified"]
    """The input was sent, and nothing says that it had an effect, or something says that it had none."""
    reason: str
    """One sentence says why, or what is not known."""
    window: NotRequired[str]
    """The window with this title got the input, or the last of it."""


class DragMouseFrom(TypedDict):
    x: int
    """The X coordinate is in pixels from the left edge of the display."""
    y: int
    """The Y coordinate is in pixels from the top edge of the display."""


class DragMousePathItem(TypedDict):
    x: int
    """The X coordinate is in pixels from the left edge of the display."""
    y: int
    """The Y coordinate is in pixels from the top edge of the display."""


class GetMousePositionResponse(TypedDict):
    x: int
    """The X coordinate is in pixels from the left edge of the display."""
    y: int
    """The Y coordinate is in pixels from the top edge of the display."""


class TypeTextSecret(TypedDict):
    service: str
    """This is the name of the service that the item is for, for example `github`."""
    field: str
    """This is the name of a field of the item, for example `password`."""


class FilesystemEntry(TypedDict):
    name: str
    path: str
    """This is the full path."""
    type: Literal["file", "directory"]
    """A link counts as what it leads to; one that leads nowhere, a FIFO, a socket and a device are files."""
    size: int
    """The size is in bytes."""
    modified_time: str
    """It is local time, `YYYY-MM-DDTHH:MM:SS[.ffffff]`, without a zone."""
    is_hidden: bool
    """It is true when the name starts with a dot, and on Windows by an attribute, too."""
    extension: str | None
    """It comes without the dot; it is `null` for folders and where there is none."""


class DirectoryTreeNode(TypedDict):
    name: str
    type: Literal["file", "directory"]
    children: NotRequired[List[DirectoryTreeNode]]
    """Only folders have children."""
    truncated: NotRequired[Literal[True]]
    """The folder was not entered, or not wholly: it is too deep, cannot be read, or has too many entries."""


class ReadFileResponse(TypedDict):
    content: str
    encoding: Literal["text", "base64"]
    size: int
    """The whole file has this size, in bytes."""
    next_offset: int
    """Read on here, in bytes; it is `size` at the end."""


class ExecuteCommandEnvSecretsValue(TypedDict):
    service: str
    """This is the name of the service that the item is for, for example `github`."""
    field: str
    """This is the name of a field of the item, for example `password`."""


class ExecuteCommandResponse(TypedDict):
    output: str
    """Output and errors are as they came; bytes that are not UTF-8 become U+FFFD."""
    status: Literal["completed", "background"]
    process_id: int | None
    """It is `null` when the command has completed."""
    exit_code: int | None
    """It is 0 to 255, or 128 + n when signal n ended the shell; on Windows it is any 32-bit number. It is `null` while the process runs."""
    truncated: bool
    """It is true when something inside `output` is gone, or something after it was not read."""
    redaction_gap: NotRequired[str]
    """It is there only when stored values may be in `output`, because the keychain could not be read, and says why."""


class GetProcessOutputResponse(TypedDict):
    output: str
    process_id: int
    status: Literal["completed", "background"]
    exit_code: int | None
    """It is 0 to 255, or 128 + n when signal n ended the shell; on Windows it is any 32-bit number. It is `null` while the process runs."""
    truncated: bool
    """It is true when something inside `output` is gone, or something after it was not read."""
    redaction_gap: NotRequired[str]
    """It is there only when stored values may be in `output`, because the keychain could not be read, and says why."""
    next_offset: int
    """Read on here; it is never inside a character."""


class ListManagedProcessesResponseItem(TypedDict):
    pid: int
    command: str
    """One that is longer than 1024 characters ends in \"…\"."""
    status: Literal["running", "completed"]
    output: str
    """These are the last 16384 bytes of its output; there are less when many are listed, 1048576 bytes in all."""
    started_at: str
    """The time of its start is in UTC."""
    exit_code: int | None
    """It is 0 to 255, or 128 + n when signal n ended the shell; on Windows it is any 32-bit number. It is `null` while the process runs."""
    output_bytes: int
    """It has written this many bytes."""
    truncated: bool
    """It is true when `output` is not all of it."""
    redaction_gap: NotRequired[str]
    """It is there only when stored values may be in `output`, because the keychain could not be read, and says why."""


class AnswerAnthropicResponse(TypedDict):
    content: List[AnswerAnthropicResponseContentItem]
    """This is the `content` of your next message, whose role is `user`."""
    unhandled: List[str]
    """These are the ids of the calls of your own tools, which you answer yourself."""


class AnswerAnthropicResponseContentItem(TypedDict):
    type: Literal["tool_result"]
    tool_use_id: str
    toolset_name: NotRequired[str]
    """It is echoed where the call had one, as the API demands."""
    content: List[AnswerAnthropicResponseContentItemContentItem1 | AnswerAnthropicResponseContentItemContentItem2]
    """An error has text only."""
    is_error: NotRequired[Literal[True]]


class AnswerAnthropicResponseContentItemContentItem1(TypedDict):
    type: Literal["text"]
    text: str


class AnswerAnthropicResponseContentItemContentItem2(TypedDict):
    type: Literal["image"]
    source: AnswerAnthropicResponseContentItemContentItem2Source


class AnswerAnthropicResponseContentItemContentItem2Source(TypedDict):
    type: Literal["base64"]
    media_type: str
    """It is `image/png`, `image/jpeg` or `image/webp`."""
    data: str
    """This is the file of the picture in Base64."""


class AnswerOpenaiResponse(TypedDict):
    input: List[Dict[str, Any]]
    """Append these items to the `input` of the next request, behind the model's own."""
    pending_safety_checks: List[AnswerOpenaiResponsePendingSafetyChecksItem]
    """Somebody must agree to these first: nothing was performed. Ask a person, and send the same request with them in `acknowledged_safety_checks`."""
    frame: str | None
    """This is the `X-Frame` of the last picture."""


class AnswerOpenaiResponsePendingSafetyChecksItem(TypedDict):
    call_id: str
    id: str
    code: str | None
    message: str | None


class AnswerGeminiResponse(TypedDict):
    parts: List[Dict[str, Any]]
    """These are the `parts` of your next content, whose role is `user`."""
    steps: List[Dict[str, Any]]
    """These are the steps of your next input, for calls that came as steps."""
    confirmations: List[AnswerGeminiResponseConfirmationsItem]
    """Somebody must agree to these calls first: nothing was performed. Ask a person, and send the same request with their ids or numbers in `acknowledged`."""
    frame: str | None
    """This is the `X-Frame` of the last picture."""


class AnswerGeminiResponseConfirmationsItem(TypedDict):
    index: int
    """It is the number of the call in the request, from 0."""
    id: str | None
    name: str
    decision: str
    explanation: str | None


class AnswerUiTarsResponse(TypedDict):
    messages: List[Dict[str, Any]]
    """Append these chat messages behind the model's own: what went wrong, and the next picture."""
    results: List[AnswerUiTarsResponseResultsItem]
    """These are the results of the actions, in their order."""
    end: AnswerUiTarsResponseEnd | None
    """This is how the model has ended its task; `null` while it goes on."""
    frame: str | None
    """This is the `X-Frame` of the picture."""


class AnswerUiTarsResponseResultsItem(TypedDict):
    action: str
    status: Literal["done", "failed", "not_run"]
    error: str | None


class AnswerUiTarsResponseEnd(TypedDict):
    kind: Literal["finished", "call_user", "answer", "terminate"]
    status: Literal["success", "failure"] | None
    content: str | None


class AnswerQwenResponse(TypedDict):
    messages: List[Dict[str, Any]]
    """Append these chat messages behind the model's own: an answer for each call, and the next picture."""
    results: List[AnswerQwenResponseResultsItem]
    """These are the results of the actions, in their order."""
    end: AnswerQwenResponseEnd | None
    """This is how the model has ended its task; `null` while it goes on."""
    frame: str | None
    """This is the `X-Frame` of the picture."""


class AnswerQwenResponseResultsItem(TypedDict):
    action: str
    status: Literal["done", "failed", "not_run"]
    error: str | None


class AnswerQwenResponseEnd(TypedDict):
    kind: Literal["finished", "call_user", "answer", "terminate"]
    status: Literal["success", "failure"] | None
    content: str | None


class GetHealthResponse(TypedDict):
    status: Literal["ok"]


class GetReadinessResponse(TypedDict):
    ready: bool
    display: GetReadinessResponseDisplay
    keychain: GetReadinessResponseKeychain


class GetReadinessResponseDisplay(TypedDict):
    ready: bool
    reason: str
    """One sentence says why."""


class GetReadinessResponseKeychain(TypedDict):
    ready: bool
    reason: str
    """One sentence says why."""


class GetSystemInfoResponse(TypedDict):
    version: str
    name: str | None
    """This is the computer's name in the base address, if it has one."""
    system: Literal["linux", "macos", "windows"]
    backends: List[GetSystemInfoResponseBackendsItem]
    redaction: GetSystemInfoResponseRedaction
    """It says whether stored values are taken out of the output of commands."""
    pictures: List[GetSystemInfoResponsePicturesItem]
    """It says how pictures are read of the X displays of which one was taken."""
    disabled_groups: List[Literal["display", "mouse", "keyboard", "editor", "filesystem", "bash", "keychain", "batch", "agents", "system"]]
    read_only: bool
    limits: GetSystemInfoResponseLimits
    """These are all limits; each has a flag."""


class GetSystemInfoResponseBackendsItem(TypedDict):
    job: Literal["display", "input", "keychain"]
    chosen: str | None
    """This backend is in use."""
    reason: str
    """It says why this one was chosen, and why the others were not."""


class GetSystemInfoResponseRedaction(TypedDict):
    state: Literal["on", "incomplete", "off"]
    reason: str
    """One sentence says why."""


class GetSystemInfoResponsePicturesItem(TypedDict):
    display: str
    """This is the system's name of it, for example `:1`."""
    way: Literal["shared_memory", "socket"]
    """The X server writes them into memory of the service, or sends them, which takes longer."""
    reason: str
    """It says why this way was chosen."""


class GetSystemInfoResponseLimits(TypedDict):
    max_body_bytes: float
    """`--max-body` sets this: largest body of a request."""
    max_batch_steps: float
    """`--max-batch-steps` sets this: steps of one batch."""
    max_batch_bytes: float
    """`--max-batch-answer` sets this: largest answer of a batch; values and pictures beyond it are left out."""
    max_connections: float
    """`--max-connections` sets this: open connections; the oldest idle one is closed for a new one."""
    max_connections_per_address: float
    """`--max-connections-per-address` sets this: open connections of one address."""
    header_timeout_ms: float
    """`--header-timeout` sets this: time for the head of the first request to arrive."""
    body_timeout_ms: float
    """`--body-timeout` sets this: time for the body of a request to arrive."""
    write_timeout_ms: float
    """`--write-timeout` sets this: time in which a client must take something of a large answer."""
    idle_timeout_ms: float
    """`--idle-timeout` sets this: time between two requests of a connection."""
    shutdown_grace_ms: float
    """`--shutdown-grace` sets this: how long running requests may go on after a signal to stop."""
    max_text_length: float
    """`--max-text` sets this: longest text that one request may type."""
    max_typing_delay_ms: float
    """`--max-typing-delay` sets this: longest pause between two keystrokes."""
    max_duration_ms: float
    """`--max-duration` sets this: longest duration_ms of a movement or a key press."""
    max_waiting_input: float
    """`--max-waiting` sets this: input operations of one display that may wait for their turn."""
    max_hold_ms: float
    """`--max-hold` sets this: how long a held key or button stays down."""
    keymap_settle_ms: float
    """`--keymap-settle` sets this: pause before a spare keycode is given to another character."""
    modifier_wait_ms: float
    """`--modifier-wait` sets this: how long to wait for a modifier that a person holds down."""
    max_frames: float
    """`--max-frames` sets this: pictures that requests can name as frame or since; older ones are forgotten."""
    max_image_bytes: float
    """`--max-image` sets this: largest image file that display/locate takes."""
    max_image_pixels: float
    """`--max-image-pixels` sets this: most pixels of an image that display/locate takes."""
    max_commands: float
    """`--max-commands` sets this: commands that run at the same time, background ones included."""
    max_waiting_commands: float
    """`--max-waiting-commands` sets this: commands that may wait until another one ends."""
    command_wait_ms: float
    """`--command-wait` sets this: longest time that a command waits for another one to end."""
    max_command_timeout_ms: float
    """`--max-command-timeout` sets this: largest timeout that a request may ask for."""
    kept_head_bytes: float
    """`--keep-output-head` sets this: output kept from the start of each process."""
    kept_tail_bytes: float
    """`--keep-output-tail` sets this: output kept from the end of each process."""
    max_ended_processes: float
    """`--max-ended` sets this: ended processes whose output can still be read."""
    max_ended_bytes: float
    """`--max-ended-bytes` sets this: memory for the output of ended processes; the oldest lose theirs first."""
    keep_ended_ms: float
    """`--keep-ended` sets this: how long the output of an ended process can be read."""
    drain_ms: float
    """`--drain` sets this: how long output is still read after the shell has ended."""
    kill_after_ms: float
    """`--kill-after` sets this: how long a process may take to end before it is killed."""
    command_nice: float
    """`--command-nice` sets this: how far the priority of commands is lowered, in steps of nice (Linux, macOS)."""
    max_edit_bytes: float
    """`--max-edit` sets this: largest file that the editor changes."""
    max_view_bytes: float
    """`--max-view` sets this: largest text that one editor/view returns."""
    max_replacements: float
    """`--max-replacements` sets this: occurrences that one editor/str-replace may replace."""
    max_undo_bytes: float
    """`--max-undo` sets this: memory for the undo history of all files together."""
    max_read_bytes: float
    """`--max-read` sets this: largest part of a file that one filesystem/read returns."""
    max_search_results: float
    """`--max-search-results` sets this: largest max_results of filesystem/search."""
    max_tree_entries: float
    """`--max-tree-entries` sets this: largest max_entries of filesystem/tree."""
    max_walks: float
    """`--max-walks` sets this: lists, searches and trees that run at the same time."""
    max_walk_ms: float
    """`--max-walk` sets this: how long one list, search or tree may take."""
    focus_wait_ms: float
    """`--focus-wait` sets this: how long keys wait for a click to be delivered, and secrets for the clicked window to get the keyboard."""
    max_secret_bytes: float
    """`--max-secret` sets this: longest value of a keychain item."""
    max_wrong_tries: float
    """`--wrong-tries` sets this: wrong answers of authenticate for one service before further tries are delayed."""
    wrong_try_delay_ms: float
    """`--wrong-try-delay` sets this: first delay after too many wrong answers; each further one is twice as long."""
    max_wrong_try_delay_ms: float
    """`--max-wrong-try-delay` sets this: longest delay after too many wrong answers."""
    keychain_timeout_ms: float
    """`--keychain-timeout` sets this: longest time that one call of the system's keychain may take."""


class RunBatchStepsItem(TypedDict):
    operation: str
    """The name is the group and what follows in the path (`mouse.left-click`, `bash.command`); the path (`mouse/left-click`) and the `operationId` are taken too."""
    input: NotRequired[Dict[str, Any]]
    """These are the fields of the operation, whether they are in its body, its query or its path. An unknown field is refused."""


class RunBatchThenScreenshot(TypedDict):
    x: NotRequired[int]
    """The left edge of the region is here, in pixels; without it at 0."""
    y: NotRequired[int]
    """The top edge of the region is here, in pixels; without it at 0."""
    width: NotRequired[int]
    """The region is this wide, in pixels; without it, it ends at the right edge."""
    height: NotRequired[int]
    """The region is this high, in pixels; without it, it ends at the bottom."""
    max_width: NotRequired[int]
    """The picture is scaled down to this width at most, in pixels, the ratio kept."""
    max_height: NotRequired[int]
    """The picture is scaled down to this height at most, in pixels, the ratio kept."""
    max_edge: NotRequired[int]
    """Neither side of the picture is longer than this, in pixels, the ratio kept: `2000` is what Claude takes when a request has more than 20 pictures."""
    enlarge: NotRequired[bool]
    """When true, a region that is smaller than `max_width`, `max_height` or `max_edge` is enlarged to them, to at most 4096x4096 pixels in all: for models that read small pictures badly."""
    fit: NotRequired[str]
    """The picture is scaled down, the ratio kept, to the largest size that its reader takes as it is. `claude` is for Claude 4.7 and later: at most 2576 pixels at the longer side and 4784 tiles of 28x28. `claude-standard` is for older ones: 1568 pixels and 1568 tiles. `openai`: 2048 pixels and 2500 tiles of 32x32. `gemini`: 3072 pixels. `max_bytes:<n>` makes a file of at most n bytes, n from 1000."""
    cursor: NotRequired[bool]
    """When true, the cursor is drawn into the picture."""
    format: NotRequired[Literal["png", "jpeg", "webp"]]
    """This is the format of the picture."""
    quality: NotRequired[int]
    """The quality of JPEG and WebP goes from 1 (small) to 100 (good)."""
    frame: NotRequired[str]
    """With the `X-Frame` of a picture, coordinates are pixels of that picture, and the display is the one it shows. The last 256 pictures are known, until their display gets another size or its server is started again."""
    since: NotRequired[str]
    """With the `X-Frame` of an older picture, the answer holds only what has changed after it. No region and no scaling can be given: both are those of the older picture."""
    display_num: NotRequired[int]
    """This is the display to use. Number 1 is the one bound at start; others are opened on demand."""


class RunBatchResponse(TypedDict):
    status: Literal["completed", "failed"]
    """It is `failed` when a step has failed."""
    results: List[RunBatchResponseResultsItem1 | RunBatchResponseResultsItem2 | RunBatchResponseResultsItem3]
    """There is one for each step."""
    screenshot: NotRequired[RunBatchResponseScreenshot | None]
    """It is there when `then_screenshot` asks for it, and `null` when nothing has changed `since`."""
    screenshot_omitted: NotRequired[Literal[True]]
    """It was left out, because the whole answer would be too large: ask for less, or in a batch of its own."""
    screenshot_error: NotRequired[RunBatchResponseScreenshotError]
    """The picture could not be taken."""
    elapsed_ms: float
    """It took this long, in milliseconds."""


class RunBatchResponseResultsItem1(TypedDict):
    status: Literal["done"]
    value: NotRequired[Any]
    """This is the answer of the operation, where it has one; a picture is an object with `media_type` and `data`."""
    value_omitted: NotRequired[Literal[True]]
    """It was left out, because the whole answer would be too large: ask for less, or in a batch of its own."""
    elapsed_ms: float
    """It took this long, in milliseconds."""


class RunBatchResponseResultsItem2(TypedDict):
    status: Literal["failed"]
    error: RunBatchResponseResultsItem2Error
    elapsed_ms: float
    """It took this long, in milliseconds."""


class RunBatchResponseResultsItem2Error(TypedDict):
    code: str
    """One word for what went wrong: `invalid`, `not_found`, `conflict`."""
    status: int
    """The operation alone would answer with this status."""
    detail: str | List[RunBatchResponseResultsItem2ErrorDetailItem]
    """One sentence, or the list of faults where the input is not valid."""


class RunBatchResponseResultsItem2ErrorDetailItem(TypedDict):
    loc: List[str | int]
    msg: str
    type: str


class RunBatchResponseResultsItem3(TypedDict):
    status: Literal["not_run"]


class RunBatchResponseScreenshot(TypedDict):
    media_type: str
    """For example `image/png`."""
    data: str
    """The file is in Base64."""
    width: int
    """The size is in pixels of the picture."""
    height: int
    frame: str
    """Operations that take coordinates also take this `frame`."""
    scale: float
    """One pixel of the screen is this many of the picture."""
    display_num: int
    """The picture shows this display."""
    region: NotRequired[RunBatchResponseScreenshotRegion]
    """With `since`, this is where the part belongs in the older picture."""
    changes: NotRequired[List[List[int]]]
    """With `since`, these are the boxes that have changed: `[x, y, width, height]`."""


class RunBatchResponseScreenshotRegion(TypedDict):
    x: int
    y: int
    width: int
    height: int


class RunBatchResponseScreenshotError(TypedDict):
    code: str
    """One word for what went wrong: `invalid`, `not_found`, `conflict`."""
    status: int
    """The operation alone would answer with this status."""
    detail: str | List[RunBatchResponseScreenshotErrorDetailItem]
    """One sentence, or the list of faults where the input is not valid."""


class RunBatchResponseScreenshotErrorDetailItem(TypedDict):
    loc: List[str | int]
    msg: str
    type: str
