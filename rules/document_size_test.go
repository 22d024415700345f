package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
)

// TestSizeLimits wants each limit of the size of a CRD to be reached by it, and passed by one byte more.
func TestSizeLimits(t *testing.T) {
	t.Parallel()
	const head, tail = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"foos.example.com"},` +
		`"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"foos","kind":"Foo"},` +
		`"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","description":"`, `"}}}]}}`
	for _, c := range []struct {
		bytes    int
		severity lint.Severity
		limit    string // of the message, "" for none
	}{
		{crds.AnnotationLimit, lint.Off, ""},
		{crds.AnnotationLimit + 1, lint.Warning, "--server-side"},
		{crds.EtcdLimit, lint.Warning, "--server-side"},
		{crds.EtcdLimit + 1, lint.Warning, "1.5 MiB"},
		{crds.RequestLimit, lint.Warning, "1.5 MiB"},
		{crds.RequestLimit + 1, lint.Error, "3 MiB"},
	} {
		l := everyRule()
		l.Config.Only = []string{"manifest-too-large"}
		var message string
		severity := lint.Off
		for _, f := range l.File("crd.json", []byte(head+strings.Repeat("x", c.bytes-len(head)-len(tail))+tail)).Findings {
			message, severity = f.Message, f.Severity
		}
		size := ""
		if c.limit != "" {
			size = fmt.Sprintf("%d bytes", c.bytes)
		}
		if severity != c.severity || !strings.Contains(message, c.limit) || !strings.Contains(message, size) || (message == "") != (c.limit == "") {
			t.Errorf("%d bytes: %s: %s; want %s about %s", c.bytes, severity, message, c.severity, c.limit)
		}
	}
}
