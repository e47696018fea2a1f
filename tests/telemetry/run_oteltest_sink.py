"""Runs oteltest's receiver of OTLP over HTTP: prints its port, then each request that it takes."""

import logging
import time

from oteltest.sink import HttpSink
from oteltest.sink.handler import PrintHandler

sink = HttpSink(PrintHandler(), logging.getLogger("sink"), port=0)
sink.start()
while sink.httpd is None:
    time.sleep(0.01)
print(sink.httpd.server_port, flush=True)
sink.svr_thread.join()
