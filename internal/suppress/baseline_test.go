package suppress

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadBaselineRefuses(t *testing.T) {
	t.Parallel()
	const isNone = "this is not a baseline; `crdlift lint --write-baseline FILE` writes one"
	for name, test := range map[string][2]string{
		"nothing":            {"", "x:1:1: " + isNone},
		"another version":    {"version: 2", "x:1:10: version must be 1, the only one that this crdlift reads"},
		"an unknown key":     {baselineHead + "version: 1\nfile: []", `x:3:1: unknown key "file" (did you mean "files"?); known here: version, files`},
		"no version":         {baselineHead + "files: []", "x:1:1: the baseline has no version; is it one?"},
		"a conflict":         {baselineHead + "version: 1\n<<<<<<< ours\n", "x:3:1: a merge conflict is not resolved here"},
		"another's secret":   {"root: hunter2\n", "x:1:1: " + isNone},
		"a secret in JSON":   {`{"version": 1, "files": [], "hunter2": 5}`, "x:1:1: " + isNone},
		"a list of secrets":  {"- hunter2\n", "x:1:1: " + isNone},
		"a broken secret":    {"hunter2: *hunter2\n", "x:1:1: " + isNone},
		"no path":            {"version: 1\nfiles: [{findings: []}]", "x:2:10: the file has no path"},
		"no rule":            {"version: 1\nfiles: [{path: a, findings: [{path: b}]}]", "x:2:31: the finding has no rule"},
		"a count of nothing": {"version: 1\nfiles: [{path: a, findings: [{rule: b, count: 0}]}]", "x:2:47: count must be a number above 0, not the number 0"},
		"a finding twice": {"version: 1\nfiles: [{path: a, findings: [{rule: b}, {rule: b, count: 2}]}]",
			"x:2:42: the finding is repeated here; add up the counts"},
	} {
		b, err := ReadBaseline("x", []byte(test[0]), nil)
		if err == nil || b != nil {
			t.Errorf("%s: no error", name)
		} else if diff := cmp.Diff(test[1], err.Error()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func FuzzReadBaseline(f *testing.F) {
	for _, text := range []string{
		"version: 1\nfiles:\n- path: a.yaml\n  findings:\n  - {rule: a, resource: b, path: 'c[d]', count: 2}\n  - {rule: a}\n",
		"version: 1\nfiles: &a [{path: ../b, findings: []}, *a]", "{\"version\": 1, \"files\": [{\"path\": \" \\u0085\"}]}", "version: 0x1", "files:\n",
		"version: 1\nfiles: [{path: a, findings: [{rule: '~', path: '{', resource: \"\\0\"}]}, {path: a, findings: [{rule: b}]}]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ReadBaseline("x", []byte(text), nil)
		if err != nil {
			return
		}
		again, err := ReadBaseline("x", yamlOf(b), nil)
		if err != nil {
			t.Fatalf("cannot be read back: %v\n%s", err, yamlOf(b))
		}
		if diff := cmp.Diff(b.Counts, again.Counts); diff != "" {
			t.Error(diff)
		}
	})
}
