package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	upstream "k8s.io/apiextensions-apiserver/test/integration/fixtures"
)

// etcdURLVariable is where upstream's fixtures look for etcd.
const etcdURLVariable = "KUBE_INTEGRATION_ETCD_URL"

var (
	errNoEtcd        = errors.New("no etcd in PATH: `apt-get install etcd-server` brings one; real API servers need it")
	errNotDownloaded = errors.New("the dependencies of test/e2e/server121 are not downloaded; `make e2e` downloads them")
)

// today is the server that v1 CRDs are written for: v0.37.2, in this process. Tests share it.
func today(t *testing.T) *server { return started(t, startToday) }

// last is the last server that took v1beta1: v0.21.14, in a process of its own. Tests share it.
func last(t *testing.T) *server { return started(t, startLast) }

func started(t *testing.T, start func() (*server, error)) *server {
	t.Helper()
	s, err := start()
	if errors.Is(err, errNoEtcd) || errors.Is(err, errNotDownloaded) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// startEtcd starts the one etcd of this test process; servers keep to prefixes of their own in it.
var startEtcd = sync.OnceValue(func() error {
	program, err := exec.LookPath("etcd")
	if err != nil {
		return errNoEtcd
	}
	dir, err := os.MkdirTemp("", "crdlift-e2e-etcd")
	if err != nil {
		return err
	}
	atEnd(func() { os.RemoveAll(dir) })
	client, peer, err := freeURLs()
	if err != nil {
		return err
	}
	// The shell ends etcd when this process ends, however it does: their pipe is closed then.
	var output bytes.Buffer
	cmd := exec.Command("sh", "-c", `"$@" </dev/null & cat >/dev/null; kill $!; wait`, "sh", program,
		"--unsafe-no-fsync", "--data-dir", dir, "--name", "e2e", "--log-level", "error", "--quota-backend-bytes", "8589934592",
		"--listen-client-urls", client, "--advertise-client-urls", client,
		"--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", "e2e="+peer)
	cmd.Stdout, cmd.Stderr = &output, &output
	// From 3.5.13 on, servers ask etcd how far it is. Of an older one they wait to be told, by default for ten minutes, while they leave
	// watches that ask for the present state unanswered. A newer one does not know the variable, and does not need it.
	cmd.Env = append(os.Environ(), "ETCD_EXPERIMENTAL_WATCH_PROGRESS_NOTIFY_INTERVAL=50ms")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	atEnd(func() {
		in.Close()
		_ = cmd.Wait() // it was told to end
	})
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if answer, err := http.Get(client + "/health"); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return os.Setenv(etcdURLVariable, client)
			}
		}
		if time.Now().After(end) {
			return errors.New("etcd did not start within 30 s")
		}
	}
})

// freeURLs returns two URLs of ports that nobody listens on.
func freeURLs() (string, string, error) {
	var urls [2]string
	for i := range urls {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", "", err
		}
		defer l.Close() // not before both are chosen, or they may be one
		urls[i] = "http://" + l.Addr().String()
	}
	return urls[0], urls[1], nil
}

var startToday = sync.OnceValues(func() (*server, error) {
	s, stop, err := startServer()
	if err == nil {
		atEnd(stop)
	}
	return s, err
})

// uncached is a server like today's, but without watch caches: they would have objects converted at times of their own. Here
// every request reads etcd, and what a webhook is asked is asked for the request that is answered. It ends with the test.
func uncached(t *testing.T) *server {
	return started(t, func() (*server, error) {
		s, stop, err := startServer("--watch-cache=false")
		if err == nil {
			t.Cleanup(stop)
		}
		return s, err
	})
}

func startServer(flags ...string) (s *server, stop func(), err error) {
	if err := startEtcd(); err != nil {
		return nil, nil, err
	}
	stop, config, options, err := upstream.StartDefaultServer(quiet{}, flags...)
	if err != nil {
		return nil, nil, fmt.Errorf("starting v0.37.2: %w", err)
	}
	s, err = newServer(access{config.Host, config.BearerToken, config.CAData, config.ServerName,
		options.RecommendedOptions.Etcd.StorageConfig.Prefix})
	return s, stop, err
}

var startLast = sync.OnceValues(func() (*server, error) {
	if err := startEtcd(); err != nil {
		return nil, err
	}
	// Building apart from running tells an error of the build from one of the program.
	if out, err := goCommand("build", "-o", os.DevNull, ".").CombinedOutput(); err != nil {
		if strings.Contains(string(out), "GOPROXY=off") {
			return nil, errNotDownloaded
		}
		return nil, fmt.Errorf("building server121: %w\n%s", err, out)
	}
	cmd := goCommand("run", ".")
	// Where it panics, as it does on some numbers with multipleOf, it answers nothing and goes on.
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	atEnd(func() {
		in.Close()
		_ = cmd.Wait() // it was told to end
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		_ = cmd.Wait() // how it ended is in its complaints
		return nil, fmt.Errorf("starting server121: %w\n%s", err, &complaints)
	}
	var a access
	if err := json.Unmarshal(line, &a); err != nil {
		return nil, fmt.Errorf("server121 said %q: %w", line, err)
	}
	return newServer(a)
})

// goCommand is the go command in server121's module. Tests must not download anything, and a workspace would change
// the versions.
func goCommand(args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = "server121"
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off")
	return cmd
}

// quiet is the fixtures' logger: what goes wrong is in the error that they return.
type quiet struct{}

func (quiet) Logf(string, ...any)   {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(format string, args ...any) {
	panic(fmt.Sprintf(format, args...))
}
