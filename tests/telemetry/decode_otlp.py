"""Decodes the requests in a folder as OTLP, all signals, and prints the spans as JSON."""

import json
import sys
from pathlib import Path

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

REQUESTS = {
    "logs": ExportLogsServiceRequest,
    "metrics": ExportMetricsServiceRequest,
    "traces": ExportTraceServiceRequest,
}


def text(value) -> str:
    kind = value.WhichOneof("value")
    return str(getattr(value, kind)) if kind else ""


def attributes(all) -> dict[str, str]:
    return {each.key: text(each.value) for each in all}


def describe(span: Span) -> dict:
    return {
        "trace": span.trace_id.hex(),
        "id": span.span_id.hex(),
        "parent": span.parent_span_id.hex(),
        "name": span.name,
        "kind": Span.SpanKind.Name(span.kind),
        "status": Status.StatusCode.Name(span.status.code),
        "attributes": attributes(span.attributes),
        "links": [link.span_id.hex() for link in span.links],
    }


services: set[str] = set()
spans: list[dict] = []
for file in sorted(Path(sys.argv[1]).iterdir()):
    request = REQUESTS[file.name.split("-")[0]]()
    request.ParseFromString(file.read_bytes())
    if not isinstance(request, ExportTraceServiceRequest):
        continue
    for resource in request.resource_spans:
        services.add(attributes(resource.resource.attributes)["service.name"])
        spans += [describe(span) for scope in resource.scope_spans for span in scope.spans]

print(json.dumps({"service": sorted(services), "spans": spans}))
