package cli

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/serving"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/rules"
)

// A webhookAddress says where a conversion webhook is, and what starts it: the flags of the commands that ask one.
type webhookAddress struct {
	url, connect          string
	allowRemote, insecure bool
	caFile                string
	timeout               time.Duration
	caution               string // what whoever allows another machine is to think of

	command   []string // that starts the webhook
	commanded bool     // -- was given
}

// add defines the flags.
func (a *webhookAddress) add(flags *pflag.FlagSet) {
	flags.StringVar(&a.url, "url", "", "`URL` the webhook's address, instead of the one in the CRDs")
	flags.StringVar(&a.connect, "connect", "", "`HOST:PORT` connect there, with the service name and certificate of the CRDs")
	flags.BoolVar(&a.allowRemote, "allow-remote", false, "allow addresses of other machines")
	flags.StringVar(&a.caFile, "ca-file", "", "`FILE` trust the certificates in it (default: the caBundle of the CRD)")
	flags.BoolVar(&a.insecure, "insecure-skip-tls-verify", false, "do not verify the certificate of the webhook")
	flags.DurationVar(&a.timeout, "timeout", 30*time.Second, "`DURATION` when to give up on a request")
}

// divide takes the command behind -- out of the arguments, and returns the paths.
func (a *webhookAddress) divide(cmd *cobra.Command, args []string) (paths []string) {
	n := cmd.ArgsLenAtDash()
	if n < 0 {
		return args
	}
	a.command, a.commanded = args[n:], true
	return args[:n]
}

// check checks what the flags say together.
func (a *webhookAddress) check() error {
	switch {
	case a.commanded && len(a.command) == 0:
		return run.UsageError("there is no command after --", "write the command that starts the webhook, such as -- go run ./cmd")
	case a.commanded && a.url == "" && a.connect == "":
		return run.UsageError("a command needs --url or --connect", "add the address of the webhook that the command starts")
	case a.timeout <= 0:
		return run.UsageError("--timeout must be longer than 0", "write a time such as 30s")
	case a.insecure && a.caFile != "":
		return run.UsageError("--insecure-skip-tls-verify and --ca-file cannot be used together", "use one of them")
	}
	return a.checkAddresses()
}

// checkAddresses checks --url and --connect. Names are looked up when they are called, and checked then.
func (a *webhookAddress) checkAddresses() error {
	if a.url != "" {
		u, err := url.Parse(a.url)
		switch {
		case err != nil || u.Host == "" || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
			return run.UsageError(fmt.Sprintf("--url %s: write https://HOST:PORT/PATH, or http:// for a webhook without TLS", a.url), "")
		case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
			return run.UsageError(fmt.Sprintf("--url %s: a user, a query and a fragment are not sent to webhooks; leave them out", u.Redacted()), "")
		case a.connect == "" && a.isRemote(u.Hostname()):
			return a.remote("--url", u.Hostname())
		}
	}
	if a.connect != "" {
		host, port, err := net.SplitHostPort(a.connect)
		switch {
		case err != nil || host == "" || port == "":
			return run.UsageError(fmt.Sprintf("--connect %s: write HOST:PORT, such as 127.0.0.1:9443", a.connect), "")
		case a.isRemote(host):
			return a.remote("--connect", host)
		}
	}
	return nil
}

// isRemote reports whether a host is an address of another machine, and that is not allowed.
func (a *webhookAddress) isRemote(host string) bool {
	at, err := netip.ParseAddr(host)
	return err == nil && !a.allowRemote && !at.Unmap().IsLoopback()
}

func (a *webhookAddress) remote(flag, host string) error {
	return run.UsageError(
		fmt.Sprintf("%s: %s is not an address of this machine", flag, host),
		"allow other machines with --allow-remote; "+a.caution,
	)
}

// webhook is what the flags say of the webhook. It reads the certificates.
func (a *webhookAddress) webhook(s *session) (rules.Webhook, error) {
	w := rules.Webhook{URL: a.url, Connect: a.connect, AllowRemote: a.allowRemote, Insecure: a.insecure, Timeout: a.timeout}
	if a.caFile == "" {
		return w, nil
	}
	ca, err := s.Read(run.Input{Path: a.caFile})
	if err != nil {
		return w, fmt.Errorf("--ca-file: %w", err)
	}
	if !x509.NewCertPool().AppendCertsFromPEM(ca) {
		return w, run.UsageError(fmt.Sprintf("--ca-file %s has no certificate in PEM", run.Shown(a.caFile)), "name a file with certificates in PEM")
	}
	w.CA = ca
	return w, nil
}

// address is what a command is to serve.
func (a *webhookAddress) address() string {
	if a.connect != "" {
		return a.connect
	}
	u, err := url.Parse(a.url)
	if err != nil {
		return "" // check has parsed it
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// serve starts the command behind --, if there is one. It returns what ends it; nil, and the run fails, where it does not serve.
func (a *webhookAddress) serve(ctx context.Context, s *session) (end func()) {
	if !a.commanded {
		return func() {}
	}
	stop, err := serving.Start(ctx, a.command, a.address(), nil)
	if err != nil {
		s.tellCommand(err)
		s.Worsen(run.ExitTrouble)
		return nil
	}
	return func() {
		if err := stop(); err != nil {
			s.tellCommand(err) // what it did to the answers are findings
		}
	}
}

// tellCommand says that the command behind -- does not serve, or no longer, and what it said last.
func (s *session) tellCommand(err error) {
	fmt.Fprintf(s.Stderr, "crdlift: %s\n", text.Harmless(err.Error()))
	var of *serving.Error
	if errors.As(err, &of) {
		for _, line := range of.Last {
			fmt.Fprintf(s.Stderr, "  %s\n", text.HarmlessText(line))
		}
	}
}
