package sample

import (
	"regexp"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/text"
)

// A form is one that texts of a field may have to have, though its schema says nothing of it, and the words in its name or description
// that suggest it.
type form struct {
	words *regexp.Regexp
	texts []string
}

func formOf(words string, texts ...string) form {
	return form{regexp.MustCompile(`(?i)` + words), texts}
}

// forms are those that Go code is wont to read. Texts are written as Go's types write them.
var forms = sync.OnceValue(func() []form { // which most runs need not wait for
	return []form{
		formOf(`duration|interval|timeout|period|ttl|delay|expir|time|wait|age$|grace`, "1m30s", "2m0s", "1h0m0s", "300ms"),
		formOf(`quantity|cpu|memory|storage|size|capacity|bytes|limit|request`, "2", "1Gi", "100m", "10GB"),
		formOf(`schedule|cron`, "10 * * * *", "0 3 * * 1", "@daily", "0 0 3 * * *"),
		formOf(`url|uri|endpoint|address|server|webhook|repo`, "https://example.com/a", "https://example.com/b", "http://example.com", "example.com:8080"),
		formOf(`base64|encoded|data|bundle|cert|key|secret|token`, "YWJj", "ZGVmZw=="),
		formOf(`time|date|start|until|since|(At|_at)$`, "2020-01-02T03:04:05Z", "2020-01-03T03:04:05Z", "2020-01-02", "03:04"),
		formOf(`ip|cidr|subnet|network|address|range`, "10.0.0.1", "10.0.1.0/24", "2001:db8::1", "2001:db8::/64", "10.0.0.1-10.0.0.9", "00:00:5e:00:53:01"),
		formOf(`version|release|tag|revision`, "v1.2.3", "1.2.3", "1.2"),
		formOf(`percent|ratio|fraction|weight|rate|share|surge|unavailable`, "50%", "25%", "0.5"),
		formOf(`port|count|number|int|replicas|num|max|min`, "80", "1", "8080"),
		formOf(`bool|enable|disable|is[A-Z]`, "true", "false"),
		formOf(`json|yaml|config|param|values|raw`, "{}", `{"a":"b"}`, "[]", "a: b"),
		formOf(`regex|pattern|match|expression|filter|rule`, "^a.*$", "true", "a == b", ".a.b"),
		formOf(`selector|label`, "a=b", "example.com/a"),
		formOf(`uuid|uid|id$`, "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"),
		formOf(`mail`, "a@example.com"),
		formOf(`image|container`, "registry.example.com/a/b:v1", "registry.example.com/a@sha256:0000000000000000000000000000000000000000000000000000000000000000"),
		formOf(`arn|role|account`, "arn:aws:iam::123456789012:role/a", "123456789012"),
		formOf(`mode|perm`, "0644", "0755"),
		formOf(`zone|location`, "UTC", "Europe/Berlin"),
		formOf(`day`, "Mon", "Monday"),
		formOf(`protocol`, "TCP", "UDP", "http"),
		formOf(`path|dir|file`, "/a/b", "a/b"),
		formOf(`ref|name`, "a/b", "a", "a.example.com"),
		formOf(`as[nN]|community`, "65000:100", "65000:1:2"),
	}
})

// quoted are words that a description gives as values.
var quoted = text.Pattern("[\"`']([^\"`'\\s]{1,60})[\"`']")

// Forms are texts for a field that only code can read: what its description quotes, then the forms that the description and the
// name suggest, then all others.
func Forms(name, description string) (all []string) {
	for _, found := range quoted().FindAllStringSubmatch(description, 10) {
		all = append(all, found[1])
	}
	suggested := func(f form) bool { return f.words.MatchString(name) }
	described := func(f form) bool { return f.words.MatchString(description) }
	for _, takes := range []func(form) bool{suggested, described, func(form) bool { return true }} {
		for _, f := range forms() {
			if takes(f) {
				all = append(all, f.texts...)
			}
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(text string) bool {
		before := seen[text]
		seen[text] = true
		return before
	})
}
