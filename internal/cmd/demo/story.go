package main

import (
	"context"
	"fmt"
)

// story is the main example, step by step.
type story struct {
	service  *service
	terminal *terminal
	keep     bool
	// pictures is the directory for the downloaded pictures; sheet is the
	// address of the page that shows them, empty without one.
	pictures, sheet string
}

func (s *story) tell(ctx context.Context) error {
	for _, step := range []func(context.Context) error{s.planSmallest, s.provision, s.planAgain, s.addPrompt, s.download, s.destroy} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if s.sheet != "" {
		say("The pictures were deleted at the service; here they are: %s", s.sheet)
	}
	return nil
}

func (s *story) planSmallest(ctx context.Context) error {
	say("A plan of the smallest example: it buys what is wholly (known after apply).")
	return s.terminal.showSmallest(ctx)
}

func (s *story) provision(ctx context.Context) error {
	say("plan: adopt two characters, upload three face images, train two body LoRAs, generate four images.")
	if err := s.planPurchases(ctx, 6); err != nil {
		return err
	}
	say("apply: half a minute, mostly of training.")
	if err := s.terminal.run(ctx, "apply", planFile); err != nil {
		return err
	}
	return s.showLedger(ctx)
}

// planPurchases plans, and checks how much the plan buys.
func (s *story) planPurchases(ctx context.Context, want int, arguments ...string) error {
	purchases, err := s.terminal.plan(ctx, arguments...)
	if err != nil {
		return err
	}
	if purchases != want {
		return fmt.Errorf("the plan buys %d, not %d", purchases, want)
	}
	return nil
}

func (s *story) planAgain(ctx context.Context) error {
	say("plan: nothing has changed.")
	return s.terminal.run(ctx, "plan", "-detailed-exitcode")
}

func (s *story) addPrompt(ctx context.Context) error {
	before, err := s.service.ledger(ctx)
	if err != nil {
		return err
	}
	say("One more prompt: only that one is bought.")
	if err := s.planPurchases(ctx, 1, "-var", extraPrompts); err != nil {
		return err
	}
	if err := s.terminal.run(ctx, "apply", planFile); err != nil {
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
	show(fmt.Sprintf("The service's ledger has one new entry: %s of %q for %g credits.", bought[0].Kind, bought[0].Prompts[0], bought[0].Credits))
	return nil
}

// destroy destroys everything, unless it is to be kept.
func (s *story) destroy(ctx context.Context) error {
	if s.keep {
		s.explain()
		return nil
	}
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
	show("No media are left at the service.")
	return s.showLedger(ctx)
}

// showLedger shows what the service has deducted so far.
func (s *story) showLedger(ctx context.Context) error {
	ledger, err := s.service.ledger(ctx)
	if err != nil {
		return err
	}
	trainings, prompts, credits := 0, 0, 0.0
	for _, entry := range ledger.Entries {
		if len(entry.Prompts) == 0 {
			trainings++
		}
		prompts += len(entry.Prompts)
		credits += entry.Credits
	}
	show(fmt.Sprintf("The service's ledger: %d trainings and %d prompts for %g credits; %g are left.", trainings, prompts, credits, ledger.Balance))
	return nil
}

func (s *story) explain() {
	say("The service is left up. To look around:")
	fmt.Printf(`    dashboard      %s
    configuration  %s
    environment    export MEDIAGEN_BASE_URL=%s MEDIAGEN_API_KEY=%s TF_CLI_CONFIG_FILE=%s
    commands       cd %s && %s plan -var '%s'
    stop           kill %d

`, s.service.dashboard(), s.terminal.workspace, s.service.baseURL(), apiKey, s.terminal.cliConfig,
		s.terminal.workspace, s.terminal.cli, extraPrompts, s.service.process.Pid)
}
