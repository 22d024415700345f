# The image of crdlift. Without a command it is a KRM function: a ResourceList on standard input, one on standard output.
#
#   docker build --tag crdlift .
#   docker run --rm --volume "$PWD:/work" --workdir /work crdlift lint config/crd
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
# With .git: the program's version is that of the commit.
COPY . .
ARG TARGETOS TARGETARCH
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags '-s -w' -o /crdlift .

FROM gcr.io/distroless/static-debian12:nonroot
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
USER nonroot:nonroot
ENTRYPOINT ["/usr/bin/crdlift"]
CMD ["fn"]
