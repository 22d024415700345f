package test

import (
	"cmp"
	"flag"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// pictures is where `make screenshots` has the pictures of the documentation written.
var pictures = flag.String("pictures", "", "write the pictures of the documentation into this `folder`")

// TestPictures takes the pictures of the documentation: of a window that is always the same, and of texts that are here.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("'make screenshots' takes them")
	}
	t.Run("report", func(t *testing.T) {
		b := browser(t)
		b.window(1200, 860)
		b.run(chromedp.Navigate(reportPage(t)))
		b.picture("report.png")
	})
	t.Run("playground", func(t *testing.T) {
		b := browser(t)
		b.window(1400, 1000)
		b.open("")
		b.drop(map[string]string{"certificaterequests.yaml": realCRD(t)})
		b.until(editor + `.textContent.includes("cert-manager")`)
		b.run(tabOf("convert"))
		b.settled()
		b.sees("the status", b.content("#status"), "1 converted")
		b.picture("playground.png")
	})
}

// realCRD is the text of a CRD of cert-manager, of v1beta1. It is with other real manifests, which are not in this repository.
func realCRD(t *testing.T) string {
	t.Helper()
	corpus := cmp.Or(os.Getenv("CRDLIFT_CORPUS"), "../../../shared/corpus")
	text, err := os.ReadFile(filepath.Join(corpus, "v1beta1", "cert-manager__cert-manager", "certificaterequests.yaml"))
	if err != nil {
		t.Skip(err)
	}
	return string(text)
}

// window has the tab show a window of a size, in light colours.
func (b *tab) window(width, height int64) {
	b.Helper()
	b.run(chromedp.EmulateViewport(width, height), b.media("prefers-color-scheme", "light"))
}

// media has the tab answer a media query.
func (b *tab) media(name, value string) chromedp.Action {
	return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: name, Value: value}})
}

// picture keeps what the window shows.
func (b *tab) picture(name string) {
	b.Helper()
	var png []byte
	b.run(chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(filepath.Join(*pictures, name), png, 0o644); err != nil {
		b.Fatal(err)
	}
	b.Logf("%s: %d KB", name, len(png)/1024)
}

// reportPage is the address of a report on three CRDs: one that is at v1, one to convert, and one that needs a person.
func reportPage(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	program := filepath.Join(folder, "crdlift")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	crds := filepath.Join(folder, "config", "crd")
	if err := os.MkdirAll(crds, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"backups.yaml":  read(t, "../../examples/lint/backups.yaml"),
		"crontabs.yaml": read(t, "../../examples/convert/crontabs.yaml"),
		"routes.yaml":   strings.NewReplacer("crontabs", "routes", "CronTab", "Route").Replace(read(t, "../../testdata/convert/h07-conditions/input.yaml")),
	} {
		if err := os.WriteFile(filepath.Join(crds, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	check := exec.Command(program, "convert", "--check", "--output", "html=report.html", "config/crd")
	check.Dir = folder
	if out, err := check.CombinedOutput(); err == nil {
		t.Fatalf("nothing is to be converted: %s", out)
	}
	return serve(t, http.FileServer(http.Dir(folder))) + "/report.html"
}
