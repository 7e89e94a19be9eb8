"""A server of OpenTelemetry's protocol over HTTP, on a loopback address."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span


class SpanServer(ThreadingHTTPServer):
    """Keeps what it is sent; answers with `answers`, one each, and then with 200."""

    daemon_threads = True

    def __init__(self, answers: list[int]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = answers
        self.requests: list[ExportTraceServiceRequest] = []
        self.headers: list[dict[str, str]] = []
        self.paths: Counter[str] = Counter()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def spans(self) -> list[Span]:
        return [
            span
            for request in self.requests
            for of_resource in request.resource_spans
            for of_scope in of_resource.scope_spans
            for span in of_scope.spans
        ]


class _Handler(BaseHTTPRequestHandler):
    server: SpanServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.paths[self.path] += 1
        status = self.server.answers.pop(0) if self.server.answers else 200
        answer = b"no\n"
        if status == 200:
            self.server.headers.append(dict(self.headers))
            self.server.requests.append(ExportTraceServiceRequest.FromString(body))
            answer = ExportTraceServiceResponse().SerializeToString()
        self.send_response(status)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_) -> None:
        """Nothing on the standard error."""


@contextmanager
def span_server(*answers: int) -> Iterator[SpanServer]:
    server = SpanServer(list(answers))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def attributes(span: Span) -> dict[str, object]:
    return {
        each.key: getattr(each.value, each.value.WhichOneof("value")) for each in span.attributes
    }
