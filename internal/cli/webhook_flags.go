package cli

import (
	"crypto/x509"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/rules"
)

// webhookFlags are the flags of `crdlift webhook test`, and the command behind them.
type webhookFlags struct {
	lintFlags
	url, connect          string
	allowRemote, insecure bool
	caFile                string
	timeout               time.Duration
	samples               []string
	count                 int
	seed                  uint64
	pairs, skip           []string
	save, replay          string
	slo                   bool

	command   []string // that starts the webhook
	commanded bool     // -- was given
	again     string   // the command that replays a case, but for the case
}

// addWebhook defines the flags.
func (f *webhookFlags) addWebhook(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.url, "url", "", "`URL` the webhook's address, in place of what the CRDs say")
	flags.StringVar(&f.connect, "connect", "", "`HOST:PORT` connect there, and ask for what the CRDs say")
	flags.BoolVar(&f.allowRemote, "allow-remote", false, "allow addresses of other machines")
	flags.StringVar(&f.caFile, "ca-file", "", "`FILE` trust the certificates in it (default: the caBundle of the CRD)")
	flags.BoolVar(&f.insecure, "insecure-skip-tls-verify", false, "do not verify the certificate of the webhook")
	flags.DurationVar(&f.timeout, "timeout", 30*time.Second, "`DURATION` when to give up on a request")
	flags.StringArrayVar(&f.samples, "samples", nil, "`FOLDER|FILE` begin with the custom resources in it, may be repeated")
	flags.IntVar(&f.count, "count", rules.DefaultConversionCount, "`N` how many objects to make for each version; 0 for samples only")
	flags.Uint64Var(&f.seed, "seed", 1, "`N` another number makes other objects")
	flags.StringArrayVar(&f.pairs, "version-pair", nil, "`FROM:TO` convert only these versions, may be repeated (default: each two that the API server may convert)")
	flags.StringSliceVar(&f.skip, "skip", nil, "`GROUP,...` leave out these parts of the test: "+strings.Join(rules.ConversionGroups(), ", "))
	complete(cmd, "skip", cobra.FixedCompletions(rules.ConversionGroups(), cobra.ShellCompDirectiveNoFileComp))
	flags.StringVar(&f.save, "save", "", "`FOLDER` write the objects of findings as files into it")
	flags.StringVar(&f.replay, "replay", "", "`FOLDER|FILE` try only the objects that --save wrote there")
	flags.BoolVar(&f.slo, "slo", false, "report latencies above the API server's objectives")
	addCommon(cmd, &f.Flags, "output")
	flags.StringVar(&f.Kustomize, "kustomize", "", "`FOLDER` instead of a CRD: test the CRDs that 'kustomize build' builds from it")
	addCommon(cmd, &f.Flags, "only", "config", "rule", "baseline", "write-baseline")
	flags.BoolVar(&f.AllowEmpty, "allow-empty", false, "do not fail if there is no CRD, or none to test")
	addCommon(cmd, &f.Flags, "quiet")
}

// check checks what the flags say together.
func (f *webhookFlags) check(paths []string) error {
	if err := f.lintFlags.check(paths); err != nil {
		return err
	}
	switch {
	case len(paths) == 0 && f.Kustomize == "":
		return run.UsageError("name the CRDs to test: files, folders, or - for standard input", "Run 'crdlift webhook test --help' for examples.")
	case f.commanded && len(f.command) == 0:
		return run.UsageError("there is no command behind --", "Write the command that starts the webhook, such as -- go run ./cmd.")
	case f.commanded && f.url == "" && f.connect == "":
		return run.UsageError("a command needs --url or --connect", "They say where the webhook is once the command runs.")
	case f.count < 0:
		return run.UsageError("--count cannot be negative", "0 converts samples only.")
	case f.count == 0 && len(f.samples) == 0 && f.replay == "":
		return run.UsageError("--count 0 needs --samples", "Without objects there is nothing to convert.")
	case f.timeout <= 0:
		return run.UsageError("--timeout must be longer than 0", "")
	case f.insecure && f.caFile != "":
		return run.UsageError("--insecure-skip-tls-verify and --ca-file cannot be used together", "")
	case f.replay != "" && len(f.samples) > 0:
		return run.UsageError("--replay and --samples cannot be used together", "A case has its object.")
	case slices.Contains(append(slices.Clone(f.samples), f.replay), run.Stdin):
		return run.UsageError("--samples and --replay take files and folders, and not standard input", "")
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
	return f.checkAddresses()
}

// checkAddresses checks --url and --connect. Names are looked up when they are called, and checked then.
func (f *webhookFlags) checkAddresses() error {
	if f.url != "" {
		u, err := url.Parse(f.url)
		switch {
		case err != nil || u.Host == "" || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
			return run.UsageError(fmt.Sprintf("--url %s: write https://HOST:PORT/PATH, or http:// for a webhook without TLS", f.url), "")
		case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
			return run.UsageError(fmt.Sprintf("--url %s: a user, a query and a fragment are not sent to webhooks; leave them out", u.Redacted()), "")
		case f.connect == "" && f.isRemote(u.Hostname()):
			return remoteAddress("--url", u.Hostname())
		}
	}
	if f.connect != "" {
		host, port, err := net.SplitHostPort(f.connect)
		switch {
		case err != nil || host == "" || port == "":
			return run.UsageError(fmt.Sprintf("--connect %s: write HOST:PORT", f.connect), "")
		case f.isRemote(host):
			return remoteAddress("--connect", host)
		}
	}
	return nil
}

// isRemote reports whether a host is an address of another machine, and that is not allowed.
func (f *webhookFlags) isRemote(host string) bool {
	at, err := netip.ParseAddr(host)
	return err == nil && !f.allowRemote && !at.Unmap().IsLoopback()
}

func remoteAddress(flag, host string) error {
	return run.UsageError(
		fmt.Sprintf("%s: %s is not an address of this machine", flag, host),
		"--allow-remote allows others. The test may stop a webhook: do not send it to one that a cluster needs.",
	)
}

// conversions are the tests that the flags ask for.
func (s *session) conversions(f webhookFlags) (*rules.Conversions, error) {
	c := &rules.Conversions{
		URL: f.url, Connect: f.connect, AllowRemote: f.allowRemote, Insecure: f.insecure, Timeout: f.timeout, Count: f.count, Seed: f.seed,
		Skip: f.skip, Objectives: f.slo,
	}
	for _, pair := range f.pairs {
		from, to, _ := strings.Cut(pair, ":")
		c.Pairs = append(c.Pairs, [2]string{from, to})
	}
	if f.caFile == "" {
		return c, nil
	}
	ca, err := s.Read(run.Input{Path: f.caFile})
	if err != nil {
		return nil, fmt.Errorf("--ca-file: %w", err)
	}
	if !x509.NewCertPool().AppendCertsFromPEM(ca) {
		return nil, run.UsageError(fmt.Sprintf("--ca-file %s has no certificate in PEM", run.Shown(f.caFile)), "")
	}
	c.CA = ca
	return c, nil
}

// address is what a command is to serve.
func (f *webhookFlags) address() string {
	if f.connect != "" {
		return f.connect
	}
	u, err := url.Parse(f.url)
	if err != nil {
		return "" // check has parsed it
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}
