package main

import (
	"bufio"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// webhook has crdlift test a conversion webhook, which is another process.
func (b *bench) webhook() (text string, err error) {
	url, stop, err := b.serve()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, stop()) }()
	testing := func(count int, does string) contestant {
		return contestant{name: fmt.Sprintf("`crdlift webhook test --count %d`", count), does: does, args: []string{b.crdlift, "webhook", "test", "--no-config",
			"--url", url, "--count", strconv.Itoa(count), filepath.Join(b.root, "internal", "testing", "webhooks", "gadgets.yaml")}}
	}
	return b.hold(heat{
		caption: "A webhook in Go for a CRD of three versions, which makes no mistake", show: plain,
		rows: []contestant{
			testing(300, "makes 300 objects of each version, the default, and has them converted in all directions"),
			testing(1000, "the same with more objects"),
		},
		goals: []goal{
			light("`crdlift webhook test --count 300`", 600*megabyte),
		},
	})
}

// serve starts a webhook and returns its address.
func (b *bench) serve() (url string, stop func() error, err error) {
	cmd := exec.CommandContext(b.ctx, b.reference, "webhook")
	in, err := cmd.StdinPipe() // which it ends with
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() error { return errors.Join(in.Close(), cmd.Wait()) }
	url, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", nil, errors.Join(fmt.Errorf("reference webhook: %w", err), stop())
	}
	return strings.TrimSpace(url), stop, nil
}
