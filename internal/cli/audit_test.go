package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
)

// vaultCRD is a CRD of which a cluster says that it is being deleted, with a webhook that nobody serves.
const vaultCRD = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "vaults.example.com"}, "spec": {
  "group": "example.com", "scope": "Namespaced", "names": {"kind": "Vault", "listKind": "VaultList", "plural": "vaults", "singular": "vault"},
  "conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"service": {"namespace": "tools", "name": "conv"}}}},
  "versions": [
    {"name": "v1beta1", "served": true, "deprecated": true, "storage": false, "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}},
    {"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {
      "spec": {"type": "object", "properties": {"pin": {"type": "string", "maxLength": 3}, "words": {"type": "object", "additionalProperties": {"type": "integer"}}}}},
      "x-kubernetes-validations": [{"rule": "!has(self.spec.pin) || self.metadata.name == 'x'", "messageExpression": "'not ' + self.spec.pin"}]}}}]},
 "status": {"storedVersions": ["v1beta1", "v1"], "acceptedNames": {"kind": "Vault", "plural": "vaults"},
  "conditions": [{"type": "Terminating", "status": "True", "reason": "Deletion", "message": "in progress"}]}}`

const secret = "hunter2"

// vault is an object with the secret wherever it can be.
func vault(i int) string {
	return strings.ReplaceAll(fmt.Sprintf(`{"apiVersion": "example.com/v1", "kind": "Vault", "metadata": {"name": "door-%d", "namespace": "cellar", "uid": "u%[1]d",
  "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["example.com/lock"], "annotations": {"a/§": "§"}, "labels": {"l": "§"},
  "ownerReferences": [{"apiVersion": "example.com/v0", "kind": "Vault", "name": "§", "uid": "§"}],
  "managedFields": [
   {"manager": "flux", "operation": "Apply", "apiVersion": "example.com/v1beta1", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:list": {"k:{\"name\":\"§\"}": {}, "v:\"§\"": {}}}}},
   {"manager": "ctl", "operation": "Update", "apiVersion": "example.com/v0", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:words": {"f:§": {}}}}}]},
 "spec": {"pin": "§", "words": {"§": "§"}, "typo": "§"}}`, i), "§", secret)
}

const vaultOthers = `{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "conv", "namespace": "tools", "labels": {"a": "hunter2"}}, "spec": {"ports": [{"port": 80}]}},
 {"apiVersion": "storagemigration.k8s.io/v1beta1", "kind": "StorageVersionMigration", "metadata": {"name": "once"}, "spec": {"resource": {"group": "example.com", "resource": "vaults"}},
  "status": {"conditions": [{"type": "Failed", "status": "True", "reason": "Failed", "message": "spec.pin: hunter2"}]}}`

// vaults is a dump with so many objects.
func vaults(count int) string {
	items := []string{vaultCRD, vaultOthers}
	for i := range count {
		items = append(items, vault(i))
	}
	return "{\n\"apiVersion\": \"v1\",\n\"items\": [\n" + strings.Join(items, ",\n") + "\n],\n\"kind\": \"List\"\n}\n"
}

// TestAuditCanaries: no output has a value of an object, or a name that is one, wherever it stands.
func TestAuditCanaries(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var line bytes.Buffer // as `kubectl get --raw` has it: CRDs and objects share the line
	if err := json.Compact(&line, []byte(vaults(5))); err != nil {
		t.Fatal(err)
	}
	shipped := write("crd.yaml", strings.Replace(vaultCRD, `"maxLength": 3`, `"maxLength": 4`, 1))
	written := filepath.Join(dir, "written")
	var formats []string
	for _, format := range append(report.Formats(), run.FormatHTML) {
		formats = append(formats, "-o", format+"="+written+"."+format)
	}
	said := ""
	for _, dump := range []string{write("dump.json", vaults(5)), write("line.json", line.String())} {
		for _, more := range [][]string{{"-o", "text"}, {"-o", "short"}, formats, {"--anonymous"}, {"--lint", "--preset", "all"}, {"--crds", shipped}, {"--write-baseline", written + ".yaml"}} {
			var stdout, stderr bytes.Buffer
			if code := Run(append([]string{"audit", "--config", "off", dump}, more...), strings.NewReader(""), &stdout, &stderr); code == run.ExitTrouble {
				t.Fatalf("%q: %s", more, &stderr)
			}
			all := stdout.String() + stderr.String()
			files, _ := filepath.Glob(written + ".*")
			for _, file := range files {
				text, _ := os.ReadFile(file)
				all += string(text)
				_ = os.Remove(file)
			}
			if at := strings.Index(all, secret); at >= 0 {
				t.Errorf("%q: …%s…", more, all[max(0, at-200):min(len(all), at+100)])
			}
			if more[0] == "--anonymous" && (strings.Contains(all, "door-") || strings.Contains(all, "cellar") || strings.Contains(all, "once")) {
				t.Errorf("--anonymous shows names: %s", all)
			}
			said += all
		}
	}
	for _, id := range []string{"crd-condition", "storage-migration", "migration-failed", "version-writers", "webhook-unreachable", "webhook-ca", "crd-differs",
		"object-stuck", "owner-version", "object-type", "object-unknown-field"} {
		if !strings.Contains(said, id) {
			t.Errorf("%s says nothing, so that nothing is tried", id)
		}
	}
}

// TestAuditInPieces: what is said does not depend on how much of a dump is read at once.
func TestAuditInPieces(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "dump.json")
	if err := os.WriteFile(path, []byte(vaults(30)), 0o600); err != nil {
		t.Fatal(err)
	}
	of := func(from int64, size int) string {
		var stdout, stderr bytes.Buffer
		s := &session{run.NewSession(strings.NewReader(""), &stdout, &stderr)}
		s.StreamFrom, s.PieceSize = from, size
		s.run([]string{"audit", "--config", "off", path})
		return stdout.String() + stderr.String()
	}
	whole := of(wholly, 0)
	for _, size := range []int{1, 3000, 10_000} {
		if diff := cmp.Diff(whole, of(1, size)); diff != "" {
			t.Errorf("in pieces of %d bytes: %s", size, diff)
		}
	}
	if !strings.Contains(whole, "it waits for Vault cellar/door-0") || !strings.Contains(whole, "and 27 others") {
		t.Error(whole)
	}
}
