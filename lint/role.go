package lint

// A Role is what a file, or one CRD of it, is to the repository that holds it. A finding is reported where the mistake behind it can be
// fixed, and what is written for a test or an older release stays as it is.
type Role string

// The roles of CRDs and of files with custom resources.
const (
	RoleSource  Role = "source"  // a generator or a person writes it, and what is wrong in it is mended here, or in the Go type behind it
	RolePatch   Role = "patch"   // a part of a CRD that a kustomization adds to sources
	RoleBuilt   Role = "built"   // made of sources and committed: an install bundle, the output of `kustomize build`
	RoleChart   Role = "chart"   // part of a Helm chart, made of sources
	RoleBundle  Role = "bundle"  // part of the current bundle for the Operator Lifecycle Manager
	RoleOld     Role = "old"     // a release that is kept as it was
	RoleSample  Role = "sample"  // what users copy
	RoleDocs    Role = "docs"    // documentation or a design
	RoleTest    Role = "test"    // a fixture, an expected output, an assertion
	RoleForeign Role = "foreign" // a CRD whose types belong to another project
	RoleProduct Role = "product" // custom resources that the program ships or that are applied
)

// Roles are all roles, in the order in which they are explained.
func Roles() []Role {
	return []Role{RoleSource, RolePatch, RoleBuilt, RoleChart, RoleBundle, RoleOld, RoleSample, RoleDocs, RoleTest, RoleForeign, RoleProduct}
}

// Told reports whether what is wrong with a CRD of the role is reported, at its source or in the copy, and fixed
// by fixes. Else it is only counted, unless the file is named.
func (r Role) Told() bool {
	switch r {
	case RoleOld, RoleDocs, RoleTest, RoleForeign:
		return false
	}
	return true
}

// Own reports whether custom resources in a file of the role are meant for users or clusters, so that what is wrong with them is reported.
func (r Role) Own() bool { return r != RoleOld && r != RoleTest }

// A RoleSettings is what a configuration says about roles, where the evidence of the repository misleads.
type RoleSettings struct {
	Off bool // no file has a role
	Set []RoleSetting
}

// A RoleSetting gives a role to the files that a glob matches, relative to the folder of the configuration, or to the CRDs whose
// names it matches: a glob without a slash that matches no file is one of names.
type RoleSetting struct {
	Role   Role
	Glob   string
	At     Source // where the configuration file has it
	Shared bool   // it is in a file that the configuration extends, by what is at At
}

// A Sameness tells a document with a CRD from others by its text.
type Sameness struct {
	Text  string // the same for all documents that say the same; "" for one that is like no other
	Judge bool   // it is rather the source than the others
	// Written says that a generator writes this one, too.
	Written bool
	Line    int // of its first key, from 1
}
