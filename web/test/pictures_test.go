package test

import (
	"cmp"
	"flag"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// pictures is where `make screenshots` has the pictures of the documentation written.
var pictures = flag.String("pictures", "", "write the pictures of the documentation into this `folder`")

// TestPictures takes the pictures of the documentation: of a window that is always the same.
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
		b.drop(map[string]string{"certificaterequests.yaml": read(t, real(t, "cert-manager__cert-manager", "certificaterequests.yaml"))})
		b.until(editor + `.textContent.includes("cert-manager")`)
		b.run(tabOf("convert"))
		b.settled()
		b.sees("the status", b.content("#status"), "1 converted")
		b.picture("playground.png")
	})
}

// real is the path of real manifests of v1beta1, which are not in this repository: CRDLIFT_CORPUS names their folder.
func real(t *testing.T, path ...string) string {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join(append([]string{cmp.Or(os.Getenv("CRDLIFT_CORPUS"), "../../../shared/corpus"), "v1beta1"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); err != nil {
		t.Fatalf("the pictures show real manifests, and CRDLIFT_CORPUS names a folder without them: %v", err)
	}
	return folder
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

// reportPage is the address of a report on how far real manifests are on their way to v1.
func reportPage(t *testing.T) string {
	t.Helper()
	manifests, folder := real(t), t.TempDir()
	program, report := filepath.Join(folder, "crdlift"), filepath.Join(folder, "report.html")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	check := exec.Command(program, "convert", "--check", "--output", "html="+report, ".")
	check.Dir = manifests
	if out, err := check.CombinedOutput(); err == nil {
		t.Fatalf("nothing is to be converted: %s", out)
	}
	return serve(t, http.FileServer(http.Dir(folder))) + "/report.html"
}
