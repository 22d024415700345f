// A module of its own, and without requirements: it tests webhooks of any Kubernetes version.
module github.com/crdlift/crdlift/webhooktest

go 1.23.0
