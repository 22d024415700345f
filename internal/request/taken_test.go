package request_test

import (
	"testing"

	"github.com/crdlift/crdlift/internal/request"
)

// TestTakenByFormat: a server takes a list or a text in the place of another type where the schema has a format, or a number or a text
// where it has x-kubernetes-int-or-string besides another type, and refuses to apply it.
func TestTakenByFormat(t *testing.T) {
	t.Parallel()
	c := contestOf(t, versionOne(`{type: object, properties: {link: {type: string, format: uri}, flag: {type: boolean, format: uri}, list: {type: array, format: uri, items: {type: string}},
		map: {type: object, additionalProperties: {type: string, format: date}}, items: {type: array, items: {type: string, format: date}}, plain: {type: string},
		port: {type: string, x-kubernetes-int-or-string: true}, count: {type: integer, x-kubernetes-int-or-string: true}}}`))
	for text, otherwise := range map[string]bool{
		"link: []": true, "link: [1]": true, "map: {a: []}": true, "items: [[]]": true,
		`link: "https://example.com"`: false, "flag: true": false, "list: [a]": false, `map: {a: "2020-01-01"}`: false, `items: ["2020-01-01"]`: false, "plain: a": false,
		"port: 1": true, "port: a": false, "count: a": true, "count: 1": false,
	} {
		o := object(t, text)
		created := c.version.Create(o)
		if !created.Accepted() {
			t.Errorf("%s is rejected: %v", text, created.Causes)
		}
		if got := c.version.AppliesOtherwise(o, created); got != otherwise {
			t.Errorf("%s is applied otherwise: %v", text, got)
		}
		if applied := c.version.Apply(o, nil, request.Applier{Manager: "contest"}); applied.Accepted() == otherwise {
			t.Errorf("%s is applied: %v %v", text, applied.Accepted(), applied.Err)
		}
	}
}
