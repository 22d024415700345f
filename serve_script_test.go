package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"k8s.io/client-go/tools/clientcmd"
)

// askServer is the program `api FILE` of stories: a client of the server in KUBECONFIG, which it waits for. Each line of the file is a step:
// METHOD PATH [BODY], which prints the code and the body of the answer; until CODE METHOD PATH [BODY], which asks until that is the code;
// copy FROM TO; wait DURATION; exit CODE.
func askServer() {
	steps, err := os.Open(os.Args[1])
	if err != nil {
		fail(err)
	}
	c := &apiClient{}
	for lines := bufio.NewScanner(steps); lines.Scan(); {
		if line := lines.Text(); line != "" && !strings.HasPrefix(line, "#") {
			if err := c.step(line); err != nil {
				fail(fmt.Errorf("%s: %w", line, err))
			}
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// An apiClient asks the server of a kubeconfig.
type apiClient struct {
	client     *http.Client
	url, token string
}

func (c *apiClient) step(line string) error {
	words := strings.SplitN(line, " ", 3)
	switch words[0] {
	case "exit":
		var code int
		if _, err := fmt.Sscan(words[1], &code); err != nil {
			return err
		}
		os.Exit(code)
	case "wait":
		took, err := time.ParseDuration(words[1])
		time.Sleep(took)
		return err
	case "copy":
		text, err := os.ReadFile(words[1])
		if err == nil {
			err = os.WriteFile(words[2], text, 0o666)
		}
		return err
	case "until":
		for range 100 {
			code, _, err := c.ask(words[2])
			if err != nil {
				return err
			}
			if fmt.Sprint(code) == words[1] {
				return nil
			}
			time.Sleep(100 * time.Millisecond)
		}
		return fmt.Errorf("the code is never %s", words[1])
	}
	code, body, err := c.ask(line)
	fmt.Println(code, strings.TrimSpace(body))
	return err
}

func (c *apiClient) ask(line string) (int, string, error) {
	if c.client == nil {
		if err := c.connect(); err != nil {
			return 0, "", err
		}
	}
	words := append(strings.SplitN(line, " ", 3), "")
	req, err := http.NewRequest(words[0], c.url+words[1], strings.NewReader(words[2]))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Content-Type", "application/json")
	answer, err := c.client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(body), err
}

// connect reads the kubeconfig once it is there.
func (c *apiClient) connect() error {
	path := os.Getenv("KUBECONFIG")
	for range 100 {
		if _, err := os.Stat(path); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(config.CAData)
	c.url, c.token = config.Host, config.BearerToken
	c.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	return nil
}
