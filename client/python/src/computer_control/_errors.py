"""What goes wrong, as exceptions with a code."""

from __future__ import annotations

from typing import Any

import httpx

# HTTP status -> the code of an error that comes from something between us and the service
_CODES = {
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "request_timeout",
    409: "conflict",
    413: "too_large",
    422: "invalid",
    423: "locked",
    429: "too_many_requests",
    500: "internal",
    501: "unsupported",
    503: "unavailable",
    504: "timed_out",
}


class ComputerControlError(Exception):
    """The service refused or failed an operation, or did not answer.

    code: `not_found`, `conflict`, `invalid` and so on; `unreachable` when no answer came
        (when the connection ended meanwhile, the operation may have been performed); `other` for
        an answer that is none of the service.
    status: The HTTP status; 0 when no service answered.
    errors: Of `invalid`: every error of the input, with `loc`, `msg` and `type`.
    request_id: The number under which the service's log has it.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        errors: list[dict[str, Any]] | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.errors = errors or []
        self.request_id = request_id


def read_error(response: httpx.Response) -> ComputerControlError:
    """What an answer that is not a success says."""
    try:
        body = response.json()
    except ValueError:
        body = None  # something between us and the service has answered
    if not isinstance(body, dict):
        body = {}
    detail = body.get("detail")
    errors = detail if isinstance(detail, list) else []
    if errors:
        message = "; ".join(f"{'.'.join(map(str, f['loc']))}: {f['msg']}" for f in errors)
    elif isinstance(detail, str):
        message = detail
    else:
        message = f"The service answered {response.status_code}"
    return ComputerControlError(
        body.get("code") or _CODES.get(response.status_code, "other"),
        message,
        status=response.status_code,
        errors=errors,
        request_id=body.get("request_id") or response.headers.get("x-request-id"),
    )
