# The service on a desktop of its own: a virtual display, a window manager, a browser, fonts.
# Needs nothing but a clone of the repository:
#   podman build -t computer-control .                          with Chromium
#   podman build -t computer-control --build-arg BROWSER= .     without a browser
# docs/container.md says how it is started, `deno task test:image` proves it.

# The program: Deno, the bundle and what starts them, in one folder.
FROM --platform=$BUILDPLATFORM debian:bookworm-slim AS program
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates npm \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
ARG TARGETARCH
RUN npx -y "deno@$(cat .dvmrc)" run -A tools/container/program.ts "$TARGETARCH" /opt/computer-control

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Computer Control" \
    org.opencontainers.image.description="A desktop of its own that programs control over HTTP: display, mouse, keyboard, files, shell" \
    org.opencontainers.image.licenses="MIT"

# The display and what the service calls.
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        at-spi2-core ca-certificates curl dbus openbox procps tini xauth x11-xkb-utils xterm xvfb \
    && rm -rf /var/lib/apt/lists/*

# Every script, and emoji.
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        fonts-noto-cjk fonts-noto-color-emoji fonts-noto-core \
    && rm -rf /var/lib/apt/lists/*

# The browser.
ARG BROWSER=chromium
RUN [ -z "$BROWSER" ] \
    || { apt-get update \
    && apt-get install -y --no-install-recommends "$BROWSER" \
    && rm -rf /var/lib/apt/lists/*; }
COPY deploy/container/chromium-flags /etc/chromium.d/computer-control

# Not root. The cache is that of Deno, which the service reads at its start.
RUN useradd --create-home --uid 1000 --shell /bin/bash agent \
    && install -d -m 700 -o agent -g agent /run/user/1000 /var/cache/computer-control
COPY --from=program /opt/computer-control /opt/computer-control
COPY --chmod=755 deploy/container/start-desktop deploy/container/warm-up /opt/computer-control/
ENV PATH=/opt/computer-control:/usr/local/bin:/usr/bin:/bin \
    HOME=/home/agent LANG=C.UTF-8 XDG_RUNTIME_DIR=/run/user/1000
USER agent
WORKDIR /home/agent
# Fills the cache: what a first start would compile, no start has to.
RUN warm-up

EXPOSE 4242
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["curl", "--silent", "--fail", "--output", "/dev/null", "http://127.0.0.1:4242/healthz"]
# tini reaps what programs leave behind, and hands SIGTERM to the service.
ENTRYPOINT ["/usr/bin/tini", "--", "start-desktop"]
