# For those who build from a base image; `npm run image` needs neither one nor a daemon.
# Not tried yet: where this was written, no registry of images could be reached.
#
#   docker build --tag wirecheck .
#   docker run --rm --user "$(id -u)" --volume "$PWD:/reports" --env WIRECHECK_API_KEY wirecheck run https://gateway.example/v1
FROM node:22-slim AS build
WORKDIR /wirecheck
COPY . .
# `npm ci` builds too.
RUN npm ci && node scripts/bundle/bundle.mjs

FROM node:22-slim
COPY --from=build /wirecheck/bundle/wirecheck.mjs /usr/local/lib/wirecheck/wirecheck.mjs
RUN ln -s /usr/local/lib/wirecheck/wirecheck.mjs /usr/local/bin/wirecheck \
 && install --directory --owner=65532 --group=0 --mode=0775 /reports
USER 65532:65532
WORKDIR /reports
ENTRYPOINT ["wirecheck"]
