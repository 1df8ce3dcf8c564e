package main

import (
	"context"
	"errors"
	"fmt"
	"image/png"
	"net/http"
)

// story is the main example, step by step.
type story struct {
	service  *service
	terminal *terminal
	keep     bool
}

func (s story) tell(ctx context.Context) error {
	for _, step := range []func(context.Context) error{s.provision, s.fetchResult, s.planAgain, s.addPrompt} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if s.keep {
		s.explain()
		return nil
	}
	return s.destroy(ctx)
}

func (s story) provision(ctx context.Context) error {
	say("apply: adopt two characters, upload three face images, train two body LoRAs, generate four images.")
	if err := s.terminal.run(ctx, "apply", "-auto-approve"); err != nil {
		return err
	}
	say("The service's ledger after the apply:")
	return s.printLedger(ctx)
}

// fetchResult fetches a result, as a user would.
func (s story) fetchResult(ctx context.Context) error {
	outputs, err := s.terminal.outputs(ctx)
	if err != nil {
		return err
	}
	addresses := outputs.Results.Value["ada"]["portrait"]
	if len(addresses) == 0 {
		return errors.New("the portrait of ada has no result address")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, addresses[0], http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	picture, err := png.DecodeConfig(response.Body)
	if err != nil {
		return fmt.Errorf("%s is not a PNG: %w", addresses[0], err)
	}
	say("A result is fetched: %s is a PNG of %d x %d.", addresses[0], picture.Width, picture.Height)
	return nil
}

func (s story) planAgain(ctx context.Context) error {
	say("plan: nothing has changed.")
	return s.terminal.run(ctx, "plan", "-detailed-exitcode")
}

func (s story) addPrompt(ctx context.Context) error {
	before, err := s.service.ledger(ctx)
	if err != nil {
		return err
	}
	say("apply with one more prompt: only that one is bought.")
	if err := s.terminal.run(ctx, "apply", "-auto-approve", "-var", extraPrompts); err != nil {
		return err
	}
	after, err := s.service.ledger(ctx)
	if err != nil {
		return err
	}
	bought := after.Entries[len(before.Entries):]
	if len(bought) != 1 || len(bought[0].Prompts) != 1 {
		return fmt.Errorf("one prompt was added, but the ledger shows %+v", bought)
	}
	say("The ledger has one new entry: %s of %q for %g credits.", bought[0].Kind, bought[0].Prompts[0], bought[0].Credits)
	return nil
}

func (s story) destroy(ctx context.Context) error {
	say("destroy: the groups and their media are deleted, the characters and their face images forgotten.")
	if err := s.terminal.run(ctx, "destroy", "-auto-approve", "-var", extraPrompts); err != nil {
		return err
	}
	media, err := s.service.media(ctx)
	if err != nil {
		return err
	}
	if media != 0 {
		return fmt.Errorf("%d media are left at the service", media)
	}
	say("No media are left at the service. Its ledger at the end:")
	return s.printLedger(ctx)
}

func (s story) printLedger(ctx context.Context) error {
	ledger, err := s.service.ledger(ctx)
	if err != nil {
		return err
	}
	for _, entry := range ledger.Entries {
		fmt.Printf("    %-9s %6.0f credits  %s\n", entry.Kind, entry.Credits, entry.what())
	}
	fmt.Printf("    balance   %6.0f credits\n", ledger.Balance)
	return nil
}

func (s story) explain() {
	say("The service is left up. To look around:")
	fmt.Printf(`    dashboard      %s/_mock/
    configuration  %s
    environment    export MEDIAGEN_BASE_URL=%s MEDIAGEN_API_KEY=%s TF_CLI_CONFIG_FILE=%s
    commands       cd %s && %s plan -var '%s'
    stop           kill %d

`, s.service.origin, s.terminal.workspace, s.service.baseURL(), apiKey, s.terminal.cliConfig,
		s.terminal.workspace, s.terminal.cli, extraPrompts, s.service.process.Pid)
}
