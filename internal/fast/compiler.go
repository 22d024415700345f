package fast

import (
	"sync"

	"github.com/crdlift/crdlift/internal/memory"
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

// A compiler compiles expressions in an environment whose types can be exchanged. So one serves many schemas: upstream's
// prepareEnvSet makes four environments for each, which takes longer than compiling its rules.
type compiler struct {
	env   *cel.Env
	types *typesOfSelf
	idle  *sync.Pool // where it goes when it is not used
}

// typesOfSelf knows the fields of self, and those of their types.
type typesOfSelf struct{ *apiservercel.DeclTypeProvider }

// A compilerKind is what schemas that the same compiler serves have in common.
type compilerKind struct {
	self     string // the type of self
	optional bool   // oldSelf is optional
}

// idleCompilers are those that nobody uses right now.
var idleCompilers = memory.Memory[compilerKind, *sync.Pool]{Limit: 64}

// compilers are those for the rules of one schema.
type compilers struct {
	base  *cel.Env
	self  *apiservercel.DeclType
	types *apiservercel.DeclTypeProvider
	lent  map[bool]*compiler // by whether oldSelf is optional
}

func compilersFor(self *apiservercel.DeclType) (*compilers, error) {
	c := &compilers{self: self.MaybeAssignTypeName(nameOfSelf), lent: map[bool]*compiler{}}
	c.base = environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).NewExpressionsEnv()
	types := apiservercel.NewDeclTypeProvider(c.self)
	types.SetRecognizeKeywordAsFieldName(true)
	var err error
	c.types, err = types.WithTypeProvider(c.base.CELTypeProvider())
	return c, err
}

// borrow returns the compiler for rules where oldSelf is optional, or for the others.
func (c *compilers) borrow(optional bool) (*compiler, error) {
	if one := c.lent[optional]; one != nil {
		return one, nil
	}
	kind := compilerKind{c.self.CelType().String(), optional}
	idle := idleCompilers.Of(kind, func() *sync.Pool { return &sync.Pool{} })
	one, found := idle.Get().(*compiler)
	if !found {
		one = &compiler{types: &typesOfSelf{c.types}, idle: idle}
		oldSelf := c.self.CelType()
		if optional {
			oldSelf = types.NewOptionalType(oldSelf)
		}
		var err error
		one.env, err = c.base.Extend(cel.CustomTypeProvider(one.types), cel.CustomTypeAdapter(one.types),
			cel.Variable(schemacel.ScopedVarName, c.self.CelType()), cel.Variable(schemacel.OldScopedVarName, oldSelf))
		if err != nil {
			return nil, err
		}
	}
	one.types.DeclTypeProvider = c.types
	c.lent[optional] = one
	return one, nil
}

// giveBack lets others have the compilers.
func (c *compilers) giveBack() {
	for _, one := range c.lent {
		one.types.DeclTypeProvider = nil
		one.idle.Put(one)
	}
}

// A compiledExpression is what is known of an expression.
type compiledExpression struct {
	cost    uint64 // at most
	oldSelf bool   // looks at the older value
}

// compile compiles an expression that has a result of a type; false where upstream has anything against it. See compileRule.
func (c *compiler) compile(expression string, result *cel.Type, sizes *library.CostEstimator) (found compiledExpression, ok bool) {
	ast, issues := c.env.Compile(expression)
	if issues != nil || ast.OutputType() != result {
		return found, false
	}
	for _, ref := range ast.NativeRep().ReferenceMap() {
		found.oldSelf = found.oldSelf || ref.Name == schemacel.OldScopedVarName
	}
	if _, err := c.env.Program(ast, cel.CostLimit(celconfig.PerCallLimit), cel.CostTracking(sizes),
		cel.InterruptCheckFrequency(celconfig.CheckFrequency)); err != nil {
		return found, false
	}
	estimate, err := c.env.EstimateCost(ast, sizes)
	found.cost = estimate.Max
	return found, err == nil
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
