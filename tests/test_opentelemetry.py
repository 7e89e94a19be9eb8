"""Spans of an application, as a server of OpenTelemetry's protocol is sent them."""

import pytest
from apps import ended_app
from ports import free_port
from span_servers import SpanServer, attributes, span_server

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """What is told of an application within a trace, by a server that is busy at first."""
    with span_server(503, 429) as server:
        done = ended_app(
            "spans_app.py",
            server.address,
            cwd=tmp_path_factory.mktemp("spans"),
            TRACEPARENT=f"00-{TRACE}-{PARENT}-01",
            OTEL_EXPORTER_OTLP_HEADERS="x-token=a%20b, x-team=c+d",
        )
        assert done.returncode == 0, done.stderr[-3000:]
        assert "reprise:" not in done.stderr
        yield server


def named(server: SpanServer, name: str):
    return [span for span in server.spans if span.name.startswith(name)]


def test_requests_are_those_of_the_protocol(server):
    assert set(server.paths) == {"/v1/traces"}
    for headers in server.headers:
        assert headers["Content-Type"] == "application/x-protobuf"
        assert (headers["x-token"], headers["x-team"]) == ("a b", "c+d")
    for request in server.requests:
        (of_resource,) = request.resource_spans
        resource = attributes(of_resource.resource)
        assert resource["service.name"] == "spans \u00e9 <b>"
        assert resource["service.instance.id"].startswith("local-")
        assert resource["spark.version"][0] in "34"
        (of_scope,) = of_resource.scope_spans
        assert of_scope.scope.name == "reprise"


def test_a_trace_is_whole(server):
    """Each span is sent once, within one that is sent too, and while that one runs."""
    spans = {span.span_id: span for span in server.spans}
    assert len(spans) == len(server.spans)
    assert {span.trace_id.hex() for span in spans.values()} == {TRACE}
    (root,) = (span for span in spans.values() if span.parent_span_id.hex() == PARENT)
    assert root.name == "application: spans \u00e9 <b>"
    kinds = set()
    for span in spans.values():
        assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano
        if span is root:
            continue
        parent = spans[span.parent_span_id]
        kinds.add((parent.name.split(":")[0], span.name.split(":")[0]))
        assert parent.start_time_unix_nano <= span.start_time_unix_nano
        if not parent.status.code:  # tasks may outlive a stage that fails
            assert span.end_time_unix_nano <= parent.end_time_unix_nano
    assert {
        ("application", "query"),
        ("application", "stage"),
        ("query", "stage"),
        ("stage", "task"),
        ("stage", "HashAggregate"),
    } <= kinds


def test_operators_tell_who_ran_them(server):
    aggregates = [attributes(span) for span in named(server, "HashAggregate")]
    assert [each["reprise.runs"] for each in aggregates] == ["native", "native"]
    assert all(each["reprise.lore_id"] > 0 for each in aggregates)
    assert {each["spark.output_rows"] for each in aggregates} == {7, 14}


def test_failures_are_told(server):
    failed = [span for span in server.spans if span.status.code == 2]
    assert {span.name.split(":")[0] for span in failed} >= {"query", "stage", "task"}
    assert all("DIVIDE_BY_ZERO" in span.status.message for span in failed)
    assert not named(server, "application")[0].status.code


@pytest.mark.parametrize("answers", [(), (401,)], ids=["nobody listens", "refused"])
def test_what_is_wrong_with_a_server_costs_spans_alone(tmp_path, answers):
    if answers:
        with span_server(*answers * 100) as server:
            done = ended_app("spans_app.py", server.address, cwd=tmp_path)
    else:
        done = ended_app("spans_app.py", f"http://127.0.0.1:{free_port()}", cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    (warning,) = (line for line in done.stderr.splitlines() if "reprise:" in line)
    assert "HTTP status 401 Unauthorized: no" in warning if answers else "refused" in warning


def test_an_address_that_is_none_is_an_error_at_the_start(tmp_path):
    done = ended_app("spans_app.py", "collector:4317", cwd=tmp_path)
    assert done.returncode != 0
    assert "spark.reprise.otlp.endpoint: expected http://HOST:PORT" in done.stderr
