package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/rules"
)

// webhookFlags are the flags of `crdlift webhook test`, and the command behind them.
type webhookFlags struct {
	lintFlags
	webhookAddress
	samples      []string
	count        int
	seed         uint64
	pairs, skip  []string
	save, replay string
	slo          bool

	again string // the command that replays a case, but for the case
}

// addWebhook defines the flags.
func (f *webhookFlags) addWebhook(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.webhookAddress.add(flags)
	flags.StringArrayVar(&f.samples, "samples", nil, "`FOLDER|FILE` convert the custom resources in it first; may be repeated")
	flags.IntVar(&f.count, "count", rules.DefaultConversionCount, "`N` objects to make for each version; 0 for samples only")
	flags.Uint64Var(&f.seed, "seed", 1, "`N` another number makes other objects")
	flags.StringArrayVar(&f.pairs, "version-pair", nil, "`FROM:TO` convert only these versions, may be repeated (default: each pair that the API server may convert)")
	flags.StringSliceVar(&f.skip, "skip", nil, "`GROUP,...` leave out these parts of the test: "+strings.Join(rules.ConversionGroups(), ", "))
	complete(cmd, "skip", cobra.FixedCompletions(rules.ConversionGroups(), cobra.ShellCompDirectiveNoFileComp))
	flags.StringVar(&f.save, "save", "", "`FOLDER` write the objects of findings as files into it")
	flags.StringVar(&f.replay, "replay", "", "`FOLDER|FILE` test only the objects that --save wrote there")
	flags.BoolVar(&f.slo, "slo", false, "report latencies above the API server's objectives")
	addCommon(cmd, &f.Flags, "output")
	flags.StringVar(&f.Kustomize, "kustomize", "", "`FOLDER` instead of a CRD: test the CRDs that 'kustomize build' builds from it")
	addCommon(cmd, &f.Flags, "only", "config", "rule", "baseline", "write-baseline")
	flags.BoolVar(&f.AllowEmpty, "allow-empty", false, "do not fail if there is no CRD to test")
	addCommon(cmd, &f.Flags, "quiet")
}

// check checks what the flags say together.
func (f *webhookFlags) check(paths []string) error {
	if err := f.lintFlags.check(paths); err != nil {
		return err
	}
	switch {
	case len(paths) == 0 && f.Kustomize == "":
		return run.UsageError("name the CRDs to test: files, folders, or - for standard input", "run 'crdlift webhook test --help' for examples")
	case f.count < 0:
		return run.UsageError("--count cannot be negative", "use 0 to convert samples only")
	case f.count == 0 && len(f.samples) == 0 && f.replay == "":
		return run.UsageError("--count 0 needs --samples", "add --samples, or leave out --count: without objects there is nothing to convert")
	case f.replay != "" && len(f.samples) > 0:
		return run.UsageError("--replay and --samples cannot be used together", "leave out one of them: a saved case already has its object")
	case slices.Contains(append(slices.Clone(f.samples), f.replay), run.Stdin):
		return run.UsageError("--samples and --replay accept files and folders, not standard input", "write the objects to a file first")
	}
	for _, group := range f.skip {
		if !slices.Contains(rules.ConversionGroups(), group) {
			return run.UsageError(text.NotOneOf("--skip", group, rules.ConversionGroups()), "")
		}
		for _, id := range rules.RulesOfGroup(group) {
			f.Unasked[id] = "--skip " + group
		}
	}
	for _, pair := range f.pairs {
		if from, to, both := strings.Cut(pair, ":"); !both || from == "" || to == "" || from == to {
			return run.UsageError(fmt.Sprintf("--version-pair %s: write FROM:TO, such as v1:v2", pair), "")
		}
	}
	return f.webhookAddress.check()
}

// conversions are the tests that the flags ask for.
func (s *session) conversions(f webhookFlags) (*rules.Conversions, error) {
	c := &rules.Conversions{
		Count: f.count, Seed: f.seed, Skip: f.skip, Objectives: f.slo,
	}
	for _, pair := range f.pairs {
		from, to, _ := strings.Cut(pair, ":")
		c.Pairs = append(c.Pairs, [2]string{from, to})
	}
	var err error
	c.Webhook, err = f.webhook(s)
	return c, err
}
