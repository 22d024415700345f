// A module of its own, and without requirements: it tests CRDs of projects with any Kubernetes version.
module github.com/crdlift/crdlift/crdtest

go 1.23.0
