package webhooktest_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crdlift/crdlift/webhooktest"
)

// TestMain makes the test binary the program crdlift as well, for those that call it with its arguments.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "webhook" {
		os.Exit(fake(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// fake is a crdlift that asks the webhook once, and prints the report in REPORT.
func fake(args []string) int {
	value := map[string]string{}
	for i, arg := range args[:len(args)-1] {
		value[arg] = args[i+1]
	}
	ca, err := os.ReadFile(value["--ca-file"])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}, Timeout: 2 * time.Second}
	for range 2 {
		answer := "no answer"
		if response, err := client.Post(value["--url"], "application/json", strings.NewReader("{}")); err == nil {
			text, _ := io.ReadAll(response.Body)
			response.Body.Close()
			answer = string(text)
		}
		fmt.Fprintln(os.Stderr, "the webhook says:", answer)
	}
	at := strings.Index(value["--url"], "/convert")
	fmt.Fprintln(os.Stderr, "asked at", value["--url"][at:], "with", strings.Join(append(args[:3:3], args[7:]...), " "))
	fmt.Print(os.Getenv("REPORT"))
	if os.Getenv("HANG") != "" {
		select {}
	}
	return map[string]int{"": 0, "1": 1, "2": 2}[os.Getenv("EXIT")]
}

// handlers are the webhooks of the scenarios.
var handlers = map[string]http.HandlerFunc{
	"good":  func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "good ", r.URL.Path) },
	"panic": func(http.ResponseWriter, *http.Request) { panic("a bug of the webhook") },
	"hang":  func(http.ResponseWriter, *http.Request) { select {} },
}

// TestScenario is what TestRun runs: a test of a webhook that fails.
func TestScenario(t *testing.T) {
	handler := os.Getenv("HANDLER")
	if handler == "" {
		return // to be run as a program of its own
	}
	o := webhooktest.Options{CRD: "crd.yaml", FailOn: os.Getenv("FAIL_ON"), Binary: os.Getenv("BINARY")}
	if h, ok := handlers[handler]; ok {
		o.Handler = h
	}
	if os.Getenv("ALL") != "" {
		o.CRD, o.Path, o.Samples, o.Count, o.Seed, o.Args = "-crd", "convert/v2", []string{"a", "b"}, 5, 7, []string{"--skip", "garbage"}
	}
	if os.Getenv("NO_CRD") != "" {
		o.CRD = ""
	}
	webhooktest.Run(t, o)
}

const findings = `{"version": 1, "findings": [
  {"rule": "webhook-data-lost", "severity": "error", "message": "v1 → v2 → v1 loses spec.a", "file": "crd.yaml", "line": 12, "column": 5,
   "resource": "as.example.com", "versions": ["v1", "v2"], "field": "spec.a", "witness": {"spec": {"a": 1}},
   "related": [{"file": "crd.yaml", "line": 30, "column": 7, "message": "the same field at v2"}]},
  {"rule": "webhook-invalid", "severity": "warning", "message": "v2 rejects it", "file": "crd.yaml", "line": 3, "column": 1},
  {"rule": "webhook-not-defaulted", "severity": "info", "message": "a default is missing", "file": "crd.yaml", "line": 4, "column": 1},
  {"rule": "webhook-order", "severity": "error", "message": "another order", "file": "crd.yaml", "line": 5, "column": 1, "ignored": "as it should be"}
], "summary": {}}`

func TestRun(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		env  []string
		want []string // parts of the output
		not  []string
	}{
		"a webhook without findings": {
			[]string{"HANDLER=good", `REPORT={"version": 1, "findings": []}`},
			[]string{"--- PASS: TestScenario ", "the webhook says: good /convert\n", "asked at /convert with webhook test crd.yaml --output json --fail-on never\n"}, nil,
		},
		"findings": {
			[]string{"HANDLER=good", "REPORT=" + findings, "EXIT=1"},
			[]string{
				"--- FAIL: TestScenario ", "--- FAIL: TestScenario/webhook-data-lost/as.example.com/v1-v2/spec.a ",
				"error: v1 → v2 → v1 loses spec.a [webhook-data-lost]\n        crd.yaml:12:5\n        the smallest object:\n        {\n          \"spec\": {\n            \"a\": 1\n          }\n        }\n        crd.yaml:30:7: the same field at v2\n",
				"--- FAIL: TestScenario/webhook-invalid ", "--- PASS: TestScenario/webhook-not-defaulted ", "--- PASS: TestScenario/webhook-order ", "ignored: as it should be",
			}, nil,
		},
		"only errors fail": {
			[]string{"HANDLER=good", "REPORT=" + findings, "FAIL_ON=error"},
			[]string{"--- FAIL: TestScenario/webhook-data-lost", "--- PASS: TestScenario/webhook-invalid "}, nil,
		},
		"infos fail": {
			[]string{"HANDLER=good", "REPORT=" + findings, "FAIL_ON=info"},
			[]string{"--- FAIL: TestScenario/webhook-not-defaulted ", "--- PASS: TestScenario/webhook-order "}, nil,
		},
		"nothing fails": {
			[]string{"HANDLER=good", "REPORT=" + findings, "FAIL_ON=never"},
			[]string{"--- PASS: TestScenario ", "--- PASS: TestScenario/webhook-data-lost"}, nil,
		},
		"all options": {
			[]string{"HANDLER=good", `REPORT={"version": 1}`, "ALL=1"},
			[]string{"good /convert/v2\n", "asked at /convert/v2 with webhook test ./-crd --output json --fail-on never --samples a --samples b --count 5 --seed 7 --skip garbage\n",
				"\nstat -crd\n", "\nstat a\n", "\nstat b\n"}, nil, // which make the go command run the test anew
		},
		"a panic is told once": {
			[]string{"HANDLER=panic", `REPORT={"version": 1}`},
			[]string{"http: panic serving", "a bug of the webhook", "webhooktest_test.go:"}, []string{"a bug of the webhook", "a bug of the webhook"},
		},
		"a handler that hangs": {
			[]string{"HANDLER=hang", "REPORT=" + findings},
			[]string{"--- FAIL: TestScenario/webhook-data-lost", "the handler does not come back from a request"}, nil,
		},
		"a program that does not end": {
			[]string{"HANDLER=good", "REPORT=" + findings, "HANG=1", "TIMEOUT=3s"},
			[]string{"--- FAIL: TestScenario ", "crdlift did not end before the test's deadline"}, []string{"panic: test timed out"},
		},
		"no program": {
			[]string{"HANDLER=good", "BINARY=./no-such-program"},
			[]string{"--- FAIL: TestScenario ", "go install github.com/crdlift/crdlift@latest"}, []string{"SKIP"},
		},
		"no program in PATH": {
			[]string{"HANDLER=good", "BINARY=", "PATH="},
			[]string{"--- FAIL: TestScenario ", "go install github.com/crdlift/crdlift@latest"}, []string{"SKIP"},
		},
		"the program of the environment": {
			[]string{"HANDLER=good", "BINARY=", "CRDLIFT=" + self, `REPORT={"version": 1}`},
			[]string{"--- PASS: TestScenario "}, nil,
		},
		"wrong usage": {
			[]string{"HANDLER=good", "EXIT=2"},
			[]string{"--- FAIL: TestScenario ", "exit status 2\n", "the webhook says: good"}, nil,
		},
		"another report": {
			[]string{"HANDLER=good", `REPORT={"version": 2}`},
			[]string{"--- FAIL: TestScenario ", "the report has version 2, and webhooktest reads 1"}, nil,
		},
		"no report": {
			[]string{"HANDLER=good", "REPORT="},
			[]string{"--- FAIL: TestScenario ", "the report cannot be read: "}, nil,
		},
		"no severity": {[]string{"HANDLER=good", "FAIL_ON=fatal"}, []string{`FailOn is "fatal", not error`}, nil},
		"no handler":  {[]string{"HANDLER=none"}, []string{"Options.Handler is nil"}, nil},
		"no CRD":      {[]string{"HANDLER=good", "NO_CRD=1"}, []string{"Options.CRD is empty"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timeout := "1m"
			for _, value := range test.env {
				if after, ok := strings.CutPrefix(value, "TIMEOUT="); ok {
					timeout = after
				}
			}
			looks := filepath.Join(t.TempDir(), "looks") // at what the test looks
			cmd := exec.Command(self, "-test.run", "^TestScenario$", "-test.v", "-test.timeout", timeout, "-test.testlogfile", looks)
			cmd.Env = append(append(os.Environ(), "CRDLIFT=", "BINARY="+self), test.env...)
			var output bytes.Buffer
			cmd.Stdout, cmd.Stderr = &output, &output
			err := cmd.Run()
			if log, err := os.ReadFile(looks); err == nil {
				output.Write(log)
			}
			if failed := strings.Contains(output.String(), "--- FAIL"); failed != (err != nil) {
				t.Errorf("the test ends with %v", err)
			}
			for _, want := range test.want {
				if !strings.Contains(output.String(), want) {
					t.Errorf("the output lacks %q", want)
				}
			}
			if len(test.not) > 0 && strings.Count(output.String(), test.not[0]) >= len(test.not) {
				t.Errorf("the output has %q %d times", test.not[0], strings.Count(output.String(), test.not[0]))
			}
			if t.Failed() {
				t.Log(output.String())
			}
		})
	}
}
