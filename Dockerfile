# The image of crdlift, which works on what is mounted at /work. Without arguments it prints the help or, with a ResourceList on
# standard input, is a KRM function. Its bases are pinned by digest, which dependabot updates.
#
#   docker build --tag crdlift .
#   docker run --rm --volume "$PWD:/work" crdlift lint .
FROM --platform=$BUILDPLATFORM golang:1.26@sha256:3aff6657219a4d9c14e27fb1d8976c49c29fddb70ba835014f477e1c70636647 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
# With .git: the program's version is that of the commit.
COPY . .
ARG TARGETOS TARGETARCH
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags '-s -w' -o /crdlift .

FROM gcr.io/distroless/static-debian12:nonroot@sha256:d093aa3e30dbadd3efe1310db061a14da60299baff8450a17fe0ccc514a16639
ARG VERSION=devel
ARG REVISION=unknown
LABEL org.opencontainers.image.title=crdlift \
      org.opencontainers.image.description="Lints and converts CustomResourceDefinition manifests" \
      org.opencontainers.image.source=https://github.com/crdlift/crdlift \
      org.opencontainers.image.licenses=Apache-2.0 \
      org.opencontainers.image.version=$VERSION \
      org.opencontainers.image.revision=$REVISION
COPY --from=build /crdlift /usr/bin/crdlift
COPY LICENSE /LICENSE
WORKDIR /work
USER nonroot:nonroot
ENTRYPOINT ["/usr/bin/crdlift"]
