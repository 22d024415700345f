// Package schema has the JSON Schemas that crdlift publishes, of which the program itself reads one.
package schema

import _ "embed"

// Config is the JSON Schema of the configuration file.
//
//go:embed config.json
var Config []byte
