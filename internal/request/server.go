// Package request judges custom resources as an API server does, given their CustomResourceDefinition: why it rejects
// one, what it drops and adds on the way in, what it stores, and what it shows afterwards.
//
// It follows k8s.io/apiextensions-apiserver v0.37.2 and calls its functions wherever they are exported. The strategies
// in registry/customresource would do the rest, but they link etcd's client, so that their order of steps is repeated
// here; tests compare the two. It does not know admission and conversion webhooks, which are taken to change nothing but
// apiVersion.
//
// Read server.go first: what is prepared for a CRD. outcome.go has the terms of a verdict, write.go the operations. An
// object is read (read.go), then validated: create.go and update.go have the order, metadata.go, schema.go, scale.go,
// embedded.go (with lists) and rule.go the parts. There, upstream judges the whole object, and only if it rejects one is it
// asked again piece by piece, to find out what of the object and of the schema is meant; walk.go and path.go have what
// they need for that, screen.go finds the pieces of a schema that are met, and schema_cause.go and rule_cause.go say what
// each of upstream's errors means. store.go has what is stored and what a read shows.
//
// apply.go has server-side apply, in which upstream's field manager comes before all that, and whose the fields are that other
// writes change. apply_cause.go says what it means when the field manager rejects, for which typed.go looks at the type of each value.
package request

import (
	"fmt"
	"sync"

	"github.com/crdlift/crdlift/internal/apply"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// A Server handles requests for the custom resources of one CRD. It keeps no objects and may be used by several
// goroutines.
type Server struct {
	kind       schema.GroupKind
	namespaced bool
	prunes     bool // preserveUnknownFields is not true
	webhook    bool // converts between the versions
	storage    *Version
	order      []string
	versions   map[string]*Version
	managers   func() (*apply.Managers, error)
	convert    func(to string, o Object) (Object, error) // by the webhook; nil where nothing asks it
}

// New makes a server for a CRD that has its defaults. Its versions, also those that are not served, are prepared when
// they are needed.
func New(hub *apiextensions.CustomResourceDefinition) (*Server, error) {
	storage, err := apiextensions.GetCRDStorageVersion(hub)
	if err != nil {
		return nil, err
	}
	s := &Server{
		kind:       schema.GroupKind{Group: hub.Spec.Group, Kind: hub.Spec.Names.Kind},
		namespaced: hub.Spec.Scope == apiextensions.NamespaceScoped,
		prunes:     hub.Spec.PreserveUnknownFields == nil || !*hub.Spec.PreserveUnknownFields,
		webhook:    hub.Spec.Conversion != nil && hub.Spec.Conversion.Strategy == apiextensions.WebhookConverter,
		versions:   map[string]*Version{},
	}
	for _, v := range hub.Spec.Versions {
		version, err := s.newVersion(hub, v)
		if err != nil {
			return nil, fmt.Errorf("version %s: %w", v.Name, err)
		}
		s.order = append(s.order, v.Name)
		s.versions[v.Name] = version
	}
	s.storage = s.versions[storage]
	s.managers = sync.OnceValues(s.newManagers)
	return s, nil
}

// Version is one version of the CRD, served or not; nil when the CRD has no such version.
func (s *Server) Version(name string) *Version { return s.versions[name] }

// Versions are the names of the versions in the CRD's order.
func (s *Server) Versions() []string { return s.order }

// Storage is the version that objects are stored in.
func (s *Server) Storage() *Version { return s.storage }

// Converts reports whether a webhook makes objects of one version into those of the other, so that nothing is known of what
// becomes of them.
func (s *Server) Converts(a, b *Version) bool { return s.webhook && a != b }

// ConvertBy has a webhook asked for the object that one of another version becomes; to is an apiVersion. Without it, nothing is known of
// what a webhook does with objects. It is called before the server is used.
func (s *Server) ConvertBy(convert func(to string, o Object) (Object, error)) { s.convert = convert }

// converted is an object at a version, before anything of it is dropped; the one that is given may be changed.
func (v *Version) converted(o Object) (Object, error) {
	if s := v.server; s.webhook && s.convert != nil && o["apiVersion"] != v.apiVersion() {
		return s.convert(v.apiVersion(), o)
	}
	o["apiVersion"] = v.apiVersion()
	return o, nil
}

// A Version is how one version of the CRD is served.
type Version struct {
	Name   string
	Served bool
	Schema *apiextensions.JSONSchemaProps // nil when the version has none; not to be changed

	server      *Server
	hasStatus   bool // the status subresource is on
	scale       *apiextensions.CustomResourceSubresourceScale
	deprecation string // the server's warning; empty when the version is not deprecated

	compares func() bool // a rule has oldSelf
	opaque   func() bool // as opaqueItemsIn has it

	tree       sync.Once
	structural *structuralschema.Structural // nil when there is no schema, or it is not structural
	trimmed    trimmedSchemas
	treeErr    error

	checks    sync.Once
	schema    *checker
	status    *checker       // nil when there is no status subresource, or no schema for it
	rules     *cel.Validator // nil when there are none
	checksErr error

	oneRules sync.Map // validators of single rules, by ruleKey
}

// A checker is a schema that is ready for validation.
type checker struct {
	validation.SchemaValidator
	openapi *spec.Schema
	screen  *screen
}

func newChecker(s *apiextensions.JSONSchemaProps) (*checker, error) {
	validator, openapi, err := validation.NewSchemaValidator(s)
	return &checker{validator, openapi, newScreen(openapi)}, err
}

func (s *Server) newVersion(hub *apiextensions.CustomResourceDefinition, version apiextensions.CustomResourceDefinitionVersion) (*Version, error) {
	v := &Version{Name: version.Name, Served: version.Served, server: s, deprecation: deprecation(hub, version)}
	v.compares = sync.OnceValue(func() bool { return comparing(v.Structural()) })
	v.opaque = sync.OnceValue(func() bool { return v.Schema != nil && opaqueItemsIn(v.Schema) })
	validation, err := apiextensions.GetSchemaForVersion(hub, v.Name)
	if err != nil {
		return nil, err
	}
	if validation != nil {
		v.Schema = validation.OpenAPIV3Schema
	}
	subresources, err := apiextensions.GetSubresourcesForVersion(hub, v.Name)
	if err != nil {
		return nil, err
	}
	if subresources != nil {
		v.hasStatus, v.scale = subresources.Status != nil, subresources.Scale
	}
	return v, nil
}

// GroupVersionKind is what objects of the version say they are.
func (v *Version) GroupVersionKind() schema.GroupVersionKind {
	return v.server.kind.WithVersion(v.Name)
}

// Deprecation is the warning that every request to the version gets; empty where it is not deprecated.
func (v *Version) Deprecation() string { return v.deprecation }

// Namespaced reports whether objects are in namespaces.
func (v *Version) Namespaced() bool { return v.server.namespaced }

// HasStatus reports whether status is a subresource.
func (v *Version) HasStatus() bool { return v.hasStatus }

// Compares reports whether a rule of the version compares an object with the one that it updates.
func (v *Version) Compares() bool { return v.compares() }

// HasScale reports whether there is a scale subresource.
func (v *Version) HasScale() bool { return v.scale != nil }

func (v *Version) apiVersion() string { return v.GroupVersionKind().GroupVersion().String() }

// Err is why objects of the version cannot be checked: its schema is not structural, so that no server serves it. Only
// where preserveUnknownFields is true does a server accept such a schema; it validates by it, and does no more.
func (v *Version) Err() error {
	if err := v.grown(); err != nil {
		return err
	}
	v.checks.Do(func() { v.checksErr = guard(v.prepare) })
	return v.checksErr
}

// Structural is what objects are pruned and defaulted by; not to be changed. It is nil when the version has no schema,
// or one that is not structural.
func (v *Version) Structural() *structuralschema.Structural {
	_ = v.grown() // Err tells
	return v.structural
}

func (v *Version) grown() error {
	v.tree.Do(func() {
		v.treeErr = guard(v.grow)
		v.trimmed = trim(v.structural)
	})
	return v.treeErr
}

// grow makes the structural schema as crdHandler.getOrCreateServingInfoFor does.
func (v *Version) grow() error {
	if v.Schema == nil {
		return nil
	}
	s, err := structuralschema.NewStructural(v.Schema)
	if !v.server.prunes {
		v.structural = s
		return nil
	}
	if err != nil {
		return fmt.Errorf("the schema of version %s is not structural: %w", v.Name, err)
	}
	v.structural = s.DeepCopy() // NewStructural shares the defaults, which PruneDefaults changes
	return defaulting.PruneDefaults(v.structural)
}

// prepare makes what validation needs, as getOrCreateServingInfoFor and NewStrategy do.
func (v *Version) prepare() error {
	if err := v.prepareSchemas(); err != nil {
		return err
	}
	v.rules = cel.NewValidator(v.structural, true, celconfig.PerCallLimit)
	return nil
}

func (v *Version) prepareSchemas() (err error) {
	if v.schema, err = newChecker(v.Schema); err != nil {
		return err
	}
	if v.hasStatus && v.Schema != nil {
		if status, ok := v.Schema.Properties["status"]; ok {
			if v.status, err = newChecker(&status); err != nil {
				return err
			}
		}
	}
	return nil
}
