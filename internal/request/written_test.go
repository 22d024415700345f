package request

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// TestWrittenByOthers finds what only those manage who do not apply an object. Each line of entries is a manager, what it does, and its
// fields.
func TestWrittenByOthers(t *testing.T) {
	t.Parallel()
	const object = `{"apiVersion": "example.com/v1", "kind": "Widget", "data": {"a": 1}, "status": {"a": 1}, "spec": {
		"a": 1, "b": {"c": 1}, "e": {}, "x-y": 1, "list": [{"port": 1, "name": "a"}, {"port": 2, "protocol": "<T\"(\u202e"}], "set": ["s", 1.5], "plain": [1, 2]},
		"metadata": {"name": "a", "labels": {"a": "b"}, "managedFields": [%s]}}`
	const port1, port2 = `"k:{\"port\":1}"`, `"k:{\"port\":2,\"protocol\":\"<T\\\"(\u202e\"}"`
	for name, test := range map[string]struct {
		entries string
		want    []string // nil where nobody applies the object
	}{
		"nobody applies":        {`ctl Update {"f:spec": {"f:a": {}}}`, nil},
		"a subresource only":    {`flux Apply/status {"f:spec": {"f:a": {}}}`, nil},
		"nothing else":          {`flux Apply {"f:spec": {"f:a": {}}}`, []string{}},
		"a field":               {"flux Apply {}\nctl Update {\"f:spec\": {\"f:a\": {}, \"f:b\": {\"f:c\": {}}}}", []string{".spec.a by ctl", ".spec.b.c by ctl"}},
		"besides spec":          {"flux Apply {}\nctl Update {\"f:data\": {\"f:a\": {}}, \"f:status\": {\"f:a\": {}}, \"f:metadata\": {\"f:labels\": {\"f:a\": {}}}}", []string{".data.a by ctl"}},
		"shared":                {"flux Apply {\"f:spec\": {\"f:a\": {}}}\nctl Update {\"f:spec\": {\"f:a\": {}, \"f:x-y\": {}}}", []string{`.spec["x-y"] by ctl`}},
		"another applier":       {"flux Apply {}\nctl Apply {\"f:spec\": {\"f:a\": {}}}", []string{}},
		"appliers by name":      {"helm Update {}\nbefore-first-apply Update {\"f:spec\": {\"f:a\": {}}}", []string{}},
		"editors":               {"flux Apply {}\nkubectl-edit Update {\"f:spec\": {\"f:a\": {}}}\noc Update {\"f:spec\": {\"f:a\": {}}}\nMozilla Update {\"f:spec\": {\"f:a\": {}}}", []string{}},
		"no editor":             {"flux Apply {}\noctopus Update {\"f:spec\": {\"f:a\": {}}}", []string{".spec.a by octopus"}},
		"of a subresource":      {"flux Apply {}\nctl Update/scale {\"f:spec\": {\"f:a\": {}}}", []string{}},
		"the first of two":      {"flux Apply {}\nz Update {\"f:spec\": {\"f:a\": {}}}\nb Update {\"f:spec\": {\"f:a\": {}}}", []string{".spec.a by b"}},
		"two entries of one":    {"flux Apply {}\nctl Update {\"f:spec\": {\"f:a\": {}}}\nctl Update {\"f:spec\": {\"f:x-y\": {}}}", []string{".spec.a by ctl", `.spec["x-y"] by ctl`}},
		"gone":                  {"flux Apply {}\nctl Update {\"f:spec\": {\"f:gone\": {}}}", []string{}},
		"above what is applied": {"flux Apply {\"f:spec\": {\"f:b\": {\"f:c\": {}}}}\nctl Update {\"f:spec\": {\"f:b\": {}}}", []string{}},
		"of a shared item": {"flux Apply {\"f:spec\": {\"f:list\": {" + port1 + ": {\".\": {}, \"f:port\": {}}}}}\nctl Update {\"f:spec\": {\"f:list\": {" + port1 + ": {\"f:name\": {}}}}}",
			[]string{".spec.list[] | select(.port == 1) | .name by ctl selects"}},
		"an item": {"flux Apply {}\nctl Update {\"f:spec\": {\"f:list\": {" + port2 + ": {\".\": {}, \"f:port\": {}, \"f:protocol\": {}}}}}",
			[]string{`.spec.list[] | select(.port == 2 and .protocol == "\u003cT\"(\u202e") by ctl selects as a whole`}},
		"a field of an item of another's": {"flux Apply {}\na Update {\"f:spec\": {\"f:list\": {" + port1 + ": {\".\": {}, \"f:port\": {}}}}}\nb Update {\"f:spec\": {\"f:list\": {" + port1 + ": {\"f:name\": {}}}}}",
			[]string{".spec.list[] | select(.port == 1) by b selects as a whole"}},
		"items of a set": {"flux Apply {}\nctl Update {\"f:spec\": {\"f:set\": {\"v:\\\"s\\\"\": {}, \"v:1.5\": {}}}}",
			[]string{`.spec.set[] | select(. == "s") by ctl selects as a whole`, ".spec.set[] | select(. == 1.5) by ctl selects as a whole"}},
		"by number": {"flux Apply {}\nctl Update {\"f:spec\": {\"f:plain\": {\"i:1\": {}}}}", []string{".spec.plain[1] by ctl"}},
	} {
		var entries []string
		for line := range strings.Lines(test.entries) {
			words := strings.SplitN(strings.TrimSpace(line), " ", 3)
			operation, subresource, _ := strings.Cut(words[1], "/")
			entries = append(entries, fmt.Sprintf(`{"apiVersion": "example.com/v1", "manager": %q, "operation": %q, "subresource": %q, "fieldsType": "FieldsV1", "fieldsV1": %s}`,
				words[0], operation, subresource, words[2]))
		}
		var live Object
		if err := utiljson.Unmarshal(fmt.Appendf(nil, object, strings.Join(entries, ",")), &live); err != nil {
			t.Fatal(name, err)
		}
		all, applied := WrittenByOthers(live)
		var got []string
		for _, w := range all {
			line := w.Expression + " by " + w.By
			if w.Selects {
				line += " selects"
			}
			if w.IsItem {
				line += " as a whole"
			}
			got = append(got, line)
			if _, there := w.At.In(live); !there {
				t.Errorf("%s: nothing is at %v", name, w.At)
			}
		}
		if applied != (test.want != nil) || !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, %v, want %q", name, got, applied, test.want)
		}
	}
}
