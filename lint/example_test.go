package lint_test

import (
	"fmt"

	"github.com/crdlift/crdlift/lint"
)

// A configuration is a value: no file is needed for one.
func ExampleConfig() {
	oldest, err := lint.ParseKubernetesVersion("1.27")
	if err != nil {
		panic(err)
	}
	config := lint.Config{Preset: lint.All, Rules: map[string]lint.Severity{"schema-float": lint.Off}, KubernetesVersion: oldest}
	fmt.Println(config.Preset, config.Rules["schema-float"], config.KubernetesVersion)
	// Output: all off 1.27
}
