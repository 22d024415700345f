package apiserver

import (
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// nameOfSelf names the type of self, where upstream has generateUniqueSelfTypeName. No expression can spell it.
const nameOfSelf = "type of self"

// An environ is an environment in which expressions are compiled, whose types can be exchanged. So one serves many schemas:
// upstream's prepareEnvSet makes four for each, which takes longer than compiling its rules.
type environ struct {
	kind  environKind
	cel   *cel.Env
	types *typesOfSelf
}

// An environKind is what schemas for which the same environ does have in common.
type environKind struct {
	self     string // the type of self
	optional bool   // oldSelf is optional
}

// typesOfSelf knows the fields of self, and those of their types.
type typesOfSelf struct{ *apiservercel.DeclTypeProvider }

// idle are the environs that nobody uses right now, of at most manyKinds.
var idle = struct {
	sync.Mutex
	of map[environKind][]*environ
}{of: map[environKind][]*environ{}}

const manyKinds = 64

// environments are those for the rules of one schema.
type environments struct {
	base  *cel.Env
	self  *apiservercel.DeclType
	types *apiservercel.DeclTypeProvider
	lent  map[environKind]*environ
}

func environmentsFor(self *apiservercel.DeclType) (*environments, error) {
	e := &environments{self: self.MaybeAssignTypeName(nameOfSelf), lent: map[environKind]*environ{}}
	e.base = environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).NewExpressionsEnv()
	types := apiservercel.NewDeclTypeProvider(e.self)
	types.SetRecognizeKeywordAsFieldName(true)
	var err error
	e.types, err = types.WithTypeProvider(e.base.CELTypeProvider())
	return e, err
}

// borrow returns the environment for rules where oldSelf is optional, or for the others.
func (e *environments) borrow(optional bool) (*environ, error) {
	kind := environKind{e.self.CelType().String(), optional}
	if e.lent[kind] == nil {
		one, err := e.takeOrMake(kind)
		if err != nil {
			return nil, err
		}
		one.types.DeclTypeProvider = e.types
		e.lent[kind] = one
	}
	return e.lent[kind], nil
}

func (e *environments) takeOrMake(kind environKind) (*environ, error) {
	if one := takeIdle(kind); one != nil {
		return one, nil
	}
	one := &environ{kind: kind, types: &typesOfSelf{e.types}}
	oldSelf := e.self.CelType()
	if kind.optional {
		oldSelf = types.NewOptionalType(oldSelf)
	}
	var err error
	one.cel, err = e.base.Extend(cel.CustomTypeProvider(one.types), cel.CustomTypeAdapter(one.types),
		cel.Variable(schemacel.ScopedVarName, e.self.CelType()), cel.Variable(schemacel.OldScopedVarName, oldSelf))
	return one, err
}

func takeIdle(kind environKind) *environ {
	idle.Lock()
	defer idle.Unlock()
	there := idle.of[kind]
	if len(there) == 0 {
		return nil
	}
	last := len(there) - 1
	idle.of[kind] = there[:last]
	return there[last]
}

// giveBack lets others have the environments.
func (e *environments) giveBack() {
	idle.Lock()
	defer idle.Unlock()
	if len(idle.of) >= manyKinds {
		clear(idle.of)
	}
	for kind, one := range e.lent {
		one.types.DeclTypeProvider = nil
		idle.of[kind] = append(idle.of[kind], one)
	}
}

// A compiledExpression is what is known of an expression.
type compiledExpression struct {
	cost    uint64 // at most
	oldSelf bool   // looks at the older value
}

// compile compiles an expression that has a result of a type; false where upstream has anything against it. See compileRule.
func (e *environ) compile(expression string, result *cel.Type, sizes *library.CostEstimator) (c compiledExpression, ok bool) {
	ast, issues := e.cel.Compile(expression)
	if issues != nil || ast.OutputType() != result {
		return c, false
	}
	for _, ref := range ast.NativeRep().ReferenceMap() {
		c.oldSelf = c.oldSelf || ref.Name == schemacel.OldScopedVarName
	}
	if _, err := e.cel.Program(ast, cel.CostLimit(celconfig.PerCallLimit), cel.CostTracking(sizes),
		cel.InterruptCheckFrequency(celconfig.CheckFrequency)); err != nil {
		return c, false
	}
	estimate, err := e.cel.EstimateCost(ast, sizes)
	c.cost = estimate.Max
	return c, err == nil
}

// sizesIn estimates sizes of values by the limits that their types declare. See sizeEstimator.
type sizesIn struct{ self *apiservercel.DeclType }

func (s sizesIn) EstimateSize(of checker.AstNode) *checker.SizeEstimate {
	if len(of.Path()) == 0 {
		return nil
	}
	at := s.self
	for _, step := range of.Path()[1:] {
		switch step {
		case "@items", "@values":
			at = at.ElemType
		case "@keys":
			at = at.KeyType
		default:
			field, ok := at.Fields[step]
			if !ok {
				return nil
			}
			at = field.Type
		}
		if at == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(at.MaxElements)}
}

func (sizesIn) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}
