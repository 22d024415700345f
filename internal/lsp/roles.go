package lsp

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/lint"
)

// roles are what the files of projects are to the people who work on them. To look takes time, so that it is done beside the work
// on messages: until it is known anew, what was known before holds.
type roles struct {
	mu      sync.Mutex
	of      map[string]*projectRoles // by the folders of the projects
	changes int                      // how often files were saved, came or went
}

// A projectRoles is the roles of a project's repository at one time.
type projectRoles struct {
	*repository.Repository
	top     string // of the repository, with a slash at its end
	project *project
	changes int
}

// rolesOf are the roles of a project; nil where it wants none. It has them looked for if something has changed; known is false until
// they were the first time.
func (s *server) rolesOf(p *project) (of *projectRoles, known bool) {
	if p.config.Roles.Off || p.top == "" {
		return nil, true
	}
	s.roles.mu.Lock()
	defer s.roles.mu.Unlock()
	of = s.roles.of[p.dir]
	if (of == nil || of.project != p || of.changes != s.roles.changes) && p.looking.CompareAndSwap(false, true) {
		s.spawn(func(context.Context) { s.lookAround(p) })
	}
	return of, of != nil
}

// lookAround decides the roles of a project, and publishes what they change.
func (s *server) lookAround(p *project) {
	defer s.publishProject(p, "")
	defer p.looking.Store(false)
	s.roles.mu.Lock()
	of := &projectRoles{project: p, changes: s.roles.changes}
	s.roles.mu.Unlock()
	of.top = strings.TrimSuffix(filepath.ToSlash(p.top), "/") + "/"
	var settings []repository.Setting
	for _, s := range p.config.Roles.Set {
		s.At.Pos.File = of.inTree(s.At.Pos.File)
		settings = append(settings, repository.Setting{RoleSetting: s})
	}
	of.Repository = repository.Look(repository.OnDisk(p.top), settings...)
	s.roles.mu.Lock()
	was := s.roles.of[p.dir]
	s.roles.of[p.dir] = of
	s.roles.mu.Unlock()
	// The project may be another one by now, whose roles would then be no others than these.
	moved := s.catalogue.names(func(path string) bool {
		return s.project(uri.File(filepath.FromSlash(path))).dir == p.dir && was.standing(path) != of.standing(path)
	})
	if len(moved) > 0 {
		s.catalogue.stand()
		s.diagnoseObjects(moved, "")
	}
}

// roleToObjects is what a CRD is to custom resources that are judged: a test's judges none outside of the test. All custom resources
// are judged themselves, since somebody may open them.
func (s *server) roleToObjects(path, crd string) (role lint.Role, below string) {
	p := s.project(uri.File(filepath.FromSlash(path)))
	s.roles.mu.Lock()
	of := s.roles.of[p.dir]
	s.roles.mu.Unlock()
	if crd == "" || of == nil || p.config.Roles.Off {
		return "", ""
	}
	role = of.CRD(of.inTree(path), crd).Role
	return role, of.top + of.Below(of.inTree(path), role)
}

// standing is the role of the CRDs of a file where it makes them judge fewer objects than sources do.
func (r *projectRoles) standing(path string) lint.Role {
	if r == nil {
		return ""
	}
	if role := r.CRD(r.inTree(path), "").Role; !role.Told() || role == lint.RoleBundle {
		return role
	}
	return ""
}

// changed has all roles looked for again.
func (r *roles) changed() (affected []*project) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes++
	for _, of := range r.of {
		affected = append(affected, of.project)
	}
	return affected
}

// inTree is a file, as the linter knows it, from the top of the repository.
func (r *projectRoles) inTree(file string) string { return strings.TrimPrefix(file, r.top) }

// A closedRoles is the roles of files that are not open. Who opens a file wants to know all of it.
type closedRoles struct {
	*projectRoles
	open map[string]bool
}

func (r closedRoles) CRD(file, name string) repository.Decision {
	if r.open[file] {
		return repository.Decision{}
	}
	return r.Repository.CRD(r.inTree(file), name)
}

func (r closedRoles) File(file string) repository.Decision {
	if r.open[file] {
		return repository.Decision{}
	}
	return r.Repository.File(r.inTree(file))
}

// roleRule stands for what is said of the role of a CRD, which is no finding.
var roleRule = &lint.Rule{ID: "role"}

// untold says what a CRD is of which `crdlift lint` only counts findings.
var untold = map[lint.Role]string{
	lint.RoleTest: "a test's", lint.RoleOld: "that of an older release", lint.RoleDocs: "a part of the documentation", lint.RoleForeign: "another project's",
}

// hints say of CRDs what they are to the repository, at their kinds, where that is not their source.
func (r *projectRoles) hints(crds []lint.CRD, text *mapper) (all []diagnostic) {
	for _, c := range crds {
		d, f := r.CRD(r.inTree(c.File), c.Name), lint.Finding{Rule: roleRule}
		switch what := untold[d.Role]; {
		case what != "":
			f.Message = fmt.Sprintf("this CRD is %s, and crdlift lint leaves it out: %s", what, d.Because)
		case d.Source != "" && d.Role != lint.RoleSource:
			f.Message = fmt.Sprintf("this CRD is a copy of %s; fix it there", d.Source)
			f.Related = []lint.Related{{Pos: lint.Point(r.top+d.Source, 1, 1), Message: "the source"}}
		default:
			continue
		}
		f.Pos = lint.Point(c.File, c.Line, 1)
		start := text.lineOffset(c.Line, 1)
		kind := crd.Kind
		if !strings.HasPrefix(c.APIVersion, crd.Group+"/") {
			kind = xrd.Kind
		}
		if at := bytes.Index(text.text[start:], []byte(kind)); at >= 0 {
			f.Pos.Line, f.Pos.Column = text.columns.Position(start + at)
			f.Pos.EndLine, f.Pos.EndColumn = f.Pos.Line, f.Pos.Column+len(kind)
		}
		all = append(all, diagnostic{Finding: f})
	}
	return all
}
