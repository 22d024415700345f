// Package crds has the rules about CustomResourceDefinitions, most topics in a file or a few that begin with its name.
//
// Authors of rules read this file first, for the list of topics; then enforced.go, for rules about what an API server
// rejects, with names.go as a topic of such rules; then schema_walk.go, for rules about all schemas, with
// style_conventions.go as a topic of those. Files that topics share depend on no topic: places.go finds what a manifest
// states, paths.go where a path leads in custom resources, schema.go the schema of an error, and fixes.go makes fixes.
package crds

import (
	"slices"

	"github.com/crdlift/crdlift/internal/engine"
)

// The rules of each topic.
var (
	Document     = slices.Concat(documentRules, scalarRules, duplicateRules)
	Metadata     = slices.Concat(metadataRules, manifestRules)
	Names        = slices.Concat(nameRules, []*engine.Rule{nameConflicts}, nameConventions)
	Versions     = slices.Concat(enforcedVersionRules, versionFieldRules, servingRules, deprecationRules)
	TopLevel     = slices.Concat(topLevelRules, emptyRules)
	Conversion   = slices.Concat(conversionStrategy, reviewVersions, conversionNeed)
	Webhook      = slices.Concat(webhookConfig, webhookURL, webhookService, caBundle)
	Pruning      = slices.Concat(pruningRules, keepingRules)
	Structure    = slices.Concat(keywordRules, typeRules, objectRules, junctorRules)
	Lists        = slices.Concat(listRules, mergeRules)
	Style        = slices.Concat(qualityRules, conventionRules, []*engine.Rule{scaffoldLeftover})
	Defaults     = slices.Concat(enforcedDefaults, defaultPractices)
	Subresources = slices.Concat(scaleRules, statusRules)
	Columns      = slices.Concat(columnRules, columnPathRules)
	Selectable   = selectableRules
	CEL          = slices.Concat(enforcedCEL, celPractices)
	Features     = featureRules
	Generated    = generatedRules
)
