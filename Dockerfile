# Orbweaver for linux/amd64 and linux/arm64. Everything that runs comes from Debian and the npm registry.
#   docker build -t orbweaver . && docker run -p 3002:3002 -v orbweaver:/data orbweaver

# What is built needs the tools; what runs does not.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# wreq-js and node-web-audio-api would be fetched at their first use; an image has them.
RUN node scripts/build.mjs \
 && mkdir ../on-demand && mv node_modules/wreq-js node_modules/node-web-audio-api ../on-demand \
 && rm -rf node_modules \
 && npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && mv ../on-demand/* node_modules \
 && node scripts/slim.mjs

FROM node:22-bookworm-slim
LABEL org.opencontainers.image.title="Orbweaver" \
      org.opencontainers.image.description="Self-hosted web data service" \
      org.opencontainers.image.licenses="MIT"
# The browser, and for the enhanced tier a full one with a virtual display; fonts for most scripts with Chinese, Japanese and
# Korean, an init that collects the browser's processes, and what shuts in the code of callers (docs/interact.md says when
# it can).
# Versions are Debian's: pinning one would refuse its security updates.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      chromium-headless-shell chromium xvfb fonts-liberation fonts-noto-cjk fonts-noto-color-emoji \
      tini bubblewrap python3 \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/bin ./bin
COPY --from=build /app/package.json /app/LICENSE ./
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production \
    ORB_HOST=0.0.0.0 \
    ORB_PORT=3002 \
    ORB_DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 3002
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ORB_PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "bin/orb.mjs"]
CMD ["start"]
