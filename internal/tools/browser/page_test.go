package browser_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// patience is for a busy machine.
const patience = 3 * time.Minute

type page struct {
	t             *testing.T
	ctx           context.Context
	name, address string // the name begins those of its screenshots

	mu      sync.Mutex
	console []string
}

func openPage(t *testing.T, name, address string) *page {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(setting(t, "CHROMIUM")),
		chromedp.NoSandbox, // which containers lack; the page is ours
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.WSURLReadTimeout(patience),
	)
	ctx, cancelBrowser := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancelPage := chromedp.NewContext(ctx)
	t.Cleanup(func() { cancelPage(); cancelBrowser() })
	p := &page{t: t, ctx: ctx, name: name, address: address}
	go p.listen(chromedp.Console(ctx))
	p.do("open "+address, chromedp.Navigate(address))
	return p
}

func (p *page) listen(console iter.Seq2[chromedp.ConsoleMessage, error]) {
	for message, err := range console {
		if err != nil {
			return
		}
		p.mu.Lock()
		p.console = append(p.console, message.Text+" "+message.URL)
		p.mu.Unlock()
	}
}

func (p *page) checkConsole(expected string) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, said := range p.console {
		if said != expected {
			p.t.Errorf("in the browser's console: %s", said)
		}
	}
}

func (p *page) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		p.t.Fatalf("%s: %v", what, err)
	}
}

func (p *page) is(condition string) bool {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	is, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+condition+")"))
	return err == nil && is
}

func (p *page) want(what, condition string) {
	p.t.Helper()
	if !p.is(condition) {
		p.t.Errorf("%s: this does not hold: %s", what, condition)
	}
}

func (p *page) wait(what, condition string) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); !p.is(condition); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			p.screenshots("failed")
			p.t.Fatalf("%s: this does not come to hold: %s", what, condition)
		}
	}
}

// screenshots wants that the page fits, in light, in dark and on a phone,
// without empty cards.
func (p *page) screenshots(name string) {
	p.t.Helper()
	for _, look := range []struct {
		name, scheme string
		width        int64
	}{{"light", "light", 1120}, {"dark", "dark", 1120}, {"narrow", "light", 375}} {
		p.do(
			"look "+look.name,
			chromedp.EmulateViewport(look.width, 800),
			command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look.scheme}},
			}),
		)
		p.want(
			"the page is not wider than the window when "+look.name,
			"document.documentElement.scrollWidth <= innerWidth",
		)
		p.want(
			"no card is taller than what it shows when "+look.name,
			`[...document.querySelectorAll("article")].every((a) => a.getBoundingClientRect().bottom - `+
				`a.lastElementChild.getBoundingClientRect().bottom < 20)`,
		)
		ctx, cancel := context.WithTimeout(p.ctx, patience)
		image, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
		cancel()
		if err == nil {
			err = os.WriteFile(
				filepath.Join(setting(p.t, "SCREENSHOTS"), fmt.Sprintf("%s-%s-%s.png", p.name, name, look.name)),
				image,
				0o600,
			)
		}
		must(p.t, err)
	}
}

func allowScripts(allowed bool) chromedp.Action[chromedp.Void] {
	return command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !allowed})
}

func command[P any](name cdp.Command[P, cdp.Empty], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, name, params)
		return err
	})
}
