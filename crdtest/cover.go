package crdtest

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"testing"
)

// covering is the folder for what the tests of all packages test of the CRDs; "" where nobody asks for it. A package is tested in its own
// folder, so that only an absolute path is the same one for all.
func covering() (string, error) {
	dir := os.Getenv("CRDLIFT_COVER")
	if dir != "" && !filepath.IsAbs(dir) {
		return "", fmt.Errorf("crdtest: CRDLIFT_COVER has to be an absolute path, and it is %q", dir)
	}
	return dir, nil
}

// writeCoverage writes what a test tests of CRDs as a report that crdlift report reads, over that of an earlier run of the test.
func writeCoverage(t *testing.T, dir string, all []map[string]any) error {
	for _, c := range all {
		if file, is := c["file"].(string); is {
			c["file"], _ = filepath.Abs(file)
		}
	}
	text, err := json.Marshal(map[string]any{"version": knownVersion, "command": "test", "findings": []any{}, "coverage": all})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("crdtest: CRDLIFT_COVER: %w", err)
	}
	here, _ := os.Getwd()
	sum := sha256.Sum256([]byte(here + "\x00" + t.Name())) // since packages may have the same name, and subtests any
	name := fmt.Sprintf("%s-%s-%x.json", filepath.Base(here), path.Base(t.Name()), sum[:4])
	return os.WriteFile(filepath.Join(dir, name), text, 0o666)
}
