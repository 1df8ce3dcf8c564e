package story_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// everyKill in KILLS plays each story once for each boundary, as `make
// random-kills` does. Without it each is played once.
const everyKill = "every"

// tally is what the stories have come to.
type tally struct{ stories, played, kills, plans, refused, imported, again, onceMore, lost, bought int }

// A run that is killed at a request, or whose state is never stored, has its
// purchases in the log: no later run buys them twice, or takes what is somebody
// else's, and each cure works once. Faults F31 and F39.
func TestKilledRuns(t *testing.T) {
	tier.Long(t, "random stories")
	t.Parallel()
	t.Logf("the seed is %s", flag.Lookup("rapid.seed").Value)
	isEvery := os.Getenv("KILLS") == everyKill
	sum := &tally{}
	rapid.Check(t, func(run *rapid.T) {
		p := plots(casts().Draw(run, "cast")).Draw(run, "plot")
		fromEnd := rapid.IntRange(0, 1000).Draw(run, "boundary, from the end")
		boundaries := newKilled(reporter{t, run}, p, sum).boundaries()
		late := (boundaries + 1) / 2 // the first half are mostly those of the plan
		one := boundaries - 1 - fromEnd%late
		sum.stories++
		for boundary := range boundaries {
			if isEvery || boundary == one {
				newKilled(reporter{t, run}, p, sum).play(boundary)
			}
		}
	})
	t.Logf("%d stories, played %d times, %d kills, %d states lost later, %d plans between: %d refusals, "+
		"%d replacements bought once more, %d imports, %d times bought again on purpose, %d purchases",
		sum.stories, sum.played, sum.kills, sum.lost, sum.plans, sum.refused, sum.onceMore, sum.imported, sum.again,
		sum.bought)
}

// unkilled is beyond every request: the run ends in order, and its state may be
// lost all the same.
const unkilled = 1 << 20

// killed is a plot that is played.
type killed struct {
	*acctest.Scenario
	plot   plot
	config configuration
	sum    *tally
	log    *acctest.Book

	// Of the run that is killed: its requests, the states that a backend may
	// have been given until then, what the log had at the kill, and whether it
	// came. Requests arrive side by side.
	mutex    sync.Mutex
	requests int
	states   []moment
	left     acctest.BookCopy
	came     bool
	// killing is what happens at the kill. The command may end before.
	killing sync.WaitGroup

	// allowed is how often each purchase may be in the ledger, copies how many
	// of it may exist.
	allowed, copies purchases
	most            purchases // how often the configuration has had a text at once
	// strangers are groups and jobs of somebody else, held what has been in a
	// state, excused what a person has taken out of one.
	strangers, held, excused map[string]bool
	refusals                 int
	applies                  int
	// cured are the ids that a person has imported since a state was last lost:
	// no message names them again.
	cured map[string]bool
	// older is the state that the kill has left, next says who runs what comes
	// after it. trusts says that they take the service's word that something is
	// gone, and settles that nothing more may be refused.
	older           core.Snapshot
	next            caller
	trusts, settles bool
}

type moment struct {
	at    time.Time
	state core.Snapshot
}

func newKilled(t testing.TB, p plot, sum *tally) *killed {
	service := acctest.NewRepeatable(t, func(o *mockserver.Options) { o.GenerationTime = p.generationTime })
	for _, id := range characters {
		service.AddCharacter(mockserver.CharacterSeed{ID: id, Name: id, FaceImages: 10})
	}
	service.AddAPIKey(renewedKey, "")
	log := acctest.NewFileBook(t)
	if p.inStore {
		log = service.NewStoreBook()
	}
	return &killed{
		log:       log,
		Scenario:  service.Scenario(t),
		plot:      p,
		config:    p.beginning.clone(),
		sum:       sum,
		allowed:   purchases{},
		most:      purchases{},
		copies:    purchases{},
		strangers: map[string]bool{},
		held:      map[string]bool{},
		excused:   map[string]bool{},
		cured:     map[string]bool{},
	}
}

// boundaries counts where the run can be killed, its end included.
func (k *killed) boundaries() int {
	k.begin()
	k.dies(unkilled)
	return 2*k.requests + 1
}

// play plays the plot with the kill at a boundary: before the request of half
// its number, or if it is odd after that was processed, and before its reply.
func (k *killed) play(boundary int) {
	k.sum.played++
	k.begin()
	k.dies(boundary)
	k.next = k.plot.next
	k.write()
	k.edit(k.plot.after)
	k.settle()
	k.losesMore()
	k.settle()
	k.checkAccounted()
	k.actsInnocently()
	k.sum.bought += len(k.Ledger().Entries)
}

// losesMore lets a person lose a state that was stored, and that any number of
// plans have seen.
func (k *killed) losesMore() {
	if k.plot.command == "destroy" {
		for _, t := range k.config.trainings {
			k.allowed[trainingOf(t.character)]++ // the log has given it up, though its end was not stored
		}
	}
	switch k.plot.later.text {
	case stateRemoved:
		for _, address := range k.Addresses() {
			k.Forget(address)
		}
	case olderState:
		k.Restore(k.older)
	default:
		return
	}
	k.sum.lost++
	clear(k.cured)
}

// actsInnocently replaces an object, or destroys all and applies: that is bought
// as announced, unless a person has left something equal at the service.
func (k *killed) actsInnocently() {
	if k.plot.last == "" || k.hasLeftovers() || len(k.Addresses()) == 0 {
		return
	}
	replaced := k.Addresses()[0]
	command := func() *core.Result { return k.Apply(core.Replacing(replaced)) }
	if k.plot.last == "replace" {
		k.allow(replaced)
	} else {
		for _, address := range k.Addresses() {
			k.allow(address)
		}
		k.run(k.Destroy).Must()
		command = func() *core.Result { return k.Apply() }
	}
	k.Clock.Advance(6 * time.Hour)
	before := len(k.Ledger().Entries)
	result := k.run(command)
	if result.Diagnostics.HasErrors() {
		k.T.Fatalf("an innocent act is refused: %s", result.Diagnostics)
	}
	want := announced(result.Plan)
	got := k.bought(before)
	if !maps.Equal(want, got) {
		k.T.Fatalf("an innocent act has bought %v, and its plan announced %v", got, want)
	}
	k.settles = true
	k.settle()
}

// hasLeftovers reports whether something equal to the configuration may be in
// no state: the next one who wants it is told so.
func (k *killed) hasLeftovers() bool {
	for _, left := range k.excused {
		if left {
			return true
		}
	}
	return len(k.Plan().Diagnostics.Find(anotherRun)) > 0
}

func (k *killed) begin() {
	k.move()
	if k.plot.lived {
		k.settle()
		k.edit(k.plot.before)
	}
}

func (k *killed) edit(edits []edit) {
	for _, e := range edits {
		e.apply(&k.config)
	}
	k.write()
}

func (k *killed) write() {
	settings := core.Object{"purchase_log": k.log.Name, "trust_not_found": k.trusts}
	if k.next.key != "" {
		settings["api_key"] = k.next.key
	}
	if k.next.host != "" {
		settings["base_url"] = strings.Replace(k.URL, "localhost", k.next.host, 1)
	}
	k.Set(settings)
	lifecycle := order(k.plot.createsFirst)
	for _, address := range slices.Sorted(maps.Keys(k.config.groups)) {
		g := k.config.groups[address]
		g.perBatch = k.plot.perBatch
		k.Resource(address, g.object(), lifecycle...)
	}
	for _, address := range slices.Sorted(maps.Keys(k.config.trainings)) {
		k.Resource(address, k.config.trainings[address].object(), lifecycle...)
	}
}

// move lets the next run be on another machine, which has a copy of the file, or
// the same store.
func (k *killed) move() {
	k.T.Helper()
	k.log = k.log.Move(k.T)
	k.write()
}

// dies runs the command that is killed, and loses its state.
func (k *killed) dies(boundary int) {
	start := k.Snapshot()
	held := maps.Clone(k.held)
	jobs := k.jobs()
	nth := boundary/2 + 1
	// The drawn command may send fewer requests.
	k.Fault(mockserver.Fault{
		Nth:           nth,
		DropBefore:    boundary%2 == 0,
		DropAfterWork: boundary%2 == 1,
		Reached:       k.killNow,
		MayStayUnmet:  true,
	})
	k.Fault(mockserver.Fault{ // a dead process sends nothing
		Nth:          nth + 1,
		Times:        unkilled,
		DropBefore:   true,
		MayStayUnmet: true,
	})
	k.Fault(mockserver.Fault{
		Nth:          1,
		Times:        unkilled,
		Reached:      k.remember,
		MayStayUnmet: true,
	})
	k.run(k.command())
	k.ClearFaults()
	k.forget(start)
	k.held = held // what only a lost state has had counts for nothing
	k.checkNoneTaken()
	k.disallow(jobs)
	if k.came {
		k.sum.kills++
		k.log.Restore(k.T, k.left)
	}
	k.older = k.Snapshot()
	if k.plot.moves {
		k.move()
	}
}

// command is what is killed. What it may delete is bought anew on purpose.
func (k *killed) command() func() *core.Result {
	switch k.plot.command {
	case "replace":
		k.allow(k.plot.replaced)
		return func() *core.Result { return k.Apply(core.Replacing(k.plot.replaced)) }
	case "destroy":
		for _, address := range k.Addresses() {
			k.allow(address)
		}
		return k.Destroy
	}
	return func() *core.Result { return k.Apply() }
}

func (k *killed) allow(address string) {
	if g := k.config.groups[address]; g != nil {
		for _, p := range g.prompts {
			k.allowed[p.text]++
			if k.plot.createsFirst {
				k.copies[p.text]++ // until the former is destroyed
			}
		}
	}
	if t := k.config.trainings[address]; t != nil {
		k.allowed[trainingOf(t.character)]++
	}
}

// jobs are those of the state, by address.
func (k *killed) jobs() map[string]any {
	all := map[string]any{}
	for address := range k.config.trainings {
		all[address] = k.State(address)["id"]
	}
	return all
}

// disallow: a training that the state has as before, and that was not
// cancelled, is not bought again.
func (k *killed) disallow(before map[string]any) {
	now := k.jobs()
	bought := k.bought(0)
	for address, t := range k.config.trainings {
		isCancelled := slices.ContainsFunc(k.Trainings(t.character), func(job mockserver.Training) bool {
			return job.JobID == before[address] && job.Status == "cancelled"
		})
		if before[address] != nil && before[address] == now[address] && !isCancelled {
			what := trainingOf(t.character)
			k.allowed[what] = max(0, bought[what]-1-t.round)
		}
	}
}

func trainingOf(character string) string { return "training of " + character }

func (k *killed) remember() {
	now := moment{k.Clock.Now(), k.Snapshot()}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.requests++
	k.states = append(k.states, now)
}

func (k *killed) killNow() {
	k.killing.Add(1)
	defer k.killing.Done()
	k.remember()
	k.came = true
	k.left = k.log.Kill()
	k.Kill()
	if k.plot.equal {
		k.buyElsewhere()
	}
}

// buyElsewhere lets somebody else buy what the configuration has.
func (k *killed) buyElsewhere() {
	for _, address := range slices.Sorted(maps.Keys(k.config.groups)) {
		g := k.config.groups[address]
		var texts []string
		for _, key := range slices.Sorted(maps.Keys(g.prompts)) {
			texts = append(texts, g.prompts[key].text)
		}
		k.strangers[k.GenerateElsewhere(g.character, g.title, texts...).ID] = true
	}
	for _, address := range slices.Sorted(maps.Keys(k.config.trainings)) {
		character := k.config.trainings[address].character
		if !slices.ContainsFunc(k.Trainings(character), active) { // the service has one at a time
			k.strangers[k.StartTrainingElsewhere(character)] = true
		}
	}
}

// forget gives the state back that the backend has: what it was given some time
// before the end.
func (k *killed) forget(start core.Snapshot) {
	lost := k.plot.lost
	if lost == losses[0] {
		return
	}
	was := start
	end := k.Clock.Now()
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for _, then := range k.states {
		if !lost.whole && end.Sub(then.at) >= lost.back {
			was = then.state
		}
	}
	k.Restore(was)
}

// run runs a command, and checks what it has bought.
func (k *killed) run(command func() *core.Result) *core.Result {
	before := len(k.Ledger().Entries)
	result := command()
	k.killing.Wait()
	k.T.Logf("%s: %s", k.config, result.Diagnostics)
	k.checkAnnounced(result.Plan, before)
	k.checkOnce()
	k.checkNoneTaken()
	return result
}

// settle applies, and does what is said, until nothing is left to do.
func (k *killed) settle() {
	for range maxApplies {
		k.Clock.Advance(6 * time.Hour)
		for range k.plansBefore() {
			k.sum.plans++
			k.trust(k.Plan().Diagnostics.Errors())
		}
		result := k.run(func() *core.Result { return k.Apply() })
		refused := result.Diagnostics.Errors()
		if k.trust(refused) {
			continue
		}
		for _, said := range refused {
			k.obey(said)
		}
		if len(refused) == 0 && result.Plan.Empty() && !k.settleReplacements(result.Diagnostics) {
			return
		}
	}
	k.T.Fatalf("applies without faults do not come to an end")
}

// trust takes the service's word from then on that something is gone, which is
// what errors advise to another caller. It reports whether they do.
func (k *killed) trust(errors core.Diagnostics) (trusts bool) {
	for _, said := range errors {
		if !strings.Contains(said.Detail, "trust_not_found") || k.trusts {
			return false
		}
		trusts = true
	}
	if trusts {
		k.trusts = true
		k.write()
	}
	return trusts
}

// plansBefore is how many plans come before the next apply.
func (k *killed) plansBefore() int {
	k.applies++
	if k.next == (caller{}) {
		return 0 // before the kill
	}
	return k.plot.plans[k.applies%len(k.plot.plans)]
}

// settleReplacements does what the warnings about killed replacements say, and
// reports whether it could.
func (k *killed) settleReplacements(said core.Diagnostics) (settled bool) {
	for _, warned := range said.Warnings().Find(onceMore) {
		k.sum.onceMore++
		if k.plot.deletes && strings.Contains(warned.Detail, "delete it at the service") {
			settled = k.deletes(warned) || settled
			continue
		}
		settled = k.imports(warned) || settled
	}
	return settled
}

// deletes deletes at the service what a warning names, and no state has.
func (k *killed) deletes(said core.Diagnostic) (deleted bool) {
	held := k.ids()
	for _, id := range k.pairsOf(said) {
		if id != unknownID && !held[id] {
			k.cure(id, said)
			k.DeleteGenerationBehindTheBack(id)
			deleted = true
		}
	}
	return deleted
}

// obey does what a refusal says: it imports what is named or can be found, or
// buys it again.
func (k *killed) obey(said core.Diagnostic) {
	if !strings.Contains(said.Summary, anotherRun) || k.settles {
		k.T.Fatalf("want no error but refusals, and none after innocent acts, got: %s", said)
	}
	k.sum.refused++
	isAgain := k.plot.again[k.refusals%len(k.plot.again)]
	k.refusals++
	if isAgain || !k.imports(said) {
		k.sum.again++
		k.buysAgain(said)
	}
}

// imports imports what a refusal names; false if there is nothing to import.
func (k *killed) imports(said core.Diagnostic) bool {
	id := k.trainingToImport(said)
	if k.config.groups[said.Address] != nil {
		id = k.groupToImport(said)
	}
	if id == "" {
		return false
	}
	before := k.ids()
	isHeld := k.State(said.Address) != nil
	isConditional := strings.Contains(said.Detail, "# Only if the state has ADDRESS")
	isTold := !isConditional && strings.Contains(said.Detail, "\n  terraform state rm ADDRESS\n")
	if isHeld && !isTold && !isConditional || !isHeld && isTold {
		k.T.Fatalf("%s is in the state: %t, and the message says: %s", said.Address, isHeld, said)
	}
	k.Forget(said.Address)
	k.Import(said.Address, id).Must()
	k.sum.imported++
	now := k.ids()
	for id := range now {
		if !before[id] {
			k.cure(id, said)
		}
	}
	for id := range before {
		k.excused[id] = k.excused[id] || !now[id]
	}
	return true
}

// cure notes what a message has led to, which it does once.
func (k *killed) cure(id string, said core.Diagnostic) {
	if k.cured[id] {
		k.T.Fatalf("%s was cured before, and is named again: %s", id, said)
	}
	k.cured[id] = true
}

// unknownID stands in a message for the id that a person has to find.
const unknownID = "GENERATION_ID"

// onceMore is the warning of a killed replacement.
const onceMore = anotherRun + " Once More"

var (
	pairsSaid = regexp.MustCompile(`jsonencode\((\{[^}]*\})\)`)
	jobSaid   = regexp.MustCompile(`id = "(\w+)/(\w+)"`)
)

// groupToImport completes the pairs that are named by what a person finds; ""
// if nothing is found.
func (k *killed) groupToImport(said core.Diagnostic) string {
	pairs := k.pairsOf(said)
	for key, id := range pairs { // no two have one text, so that the order is nothing
		if id == unknownID {
			pairs[key] = k.findGeneration(k.config.groups[said.Address].prompts[key].text, k.groupOf(pairs))
		}
	}
	isFound := slices.ContainsFunc(keysOf(k.T, said), func(key string) bool { return pairs[key] != "" })
	maps.DeleteFunc(pairs, func(_, id string) bool { return id == "" })
	if !isFound {
		return ""
	}
	text, err := json.Marshal(pairs)
	check.Must(k.T, err)
	return string(text)
}

// pairsOf are the keys and ids of the import that a message names.
func (k *killed) pairsOf(said core.Diagnostic) map[string]string {
	found := pairsSaid.FindStringSubmatch(said.Detail)
	if found == nil {
		k.T.Fatalf("the message names no import: %s", said)
	}
	pairs := map[string]string{}
	check.Must(k.T, json.Unmarshal([]byte(found[1]), &pairs))
	return pairs
}

// groupOf is the group of the ids that pairs name; empty if they name none.
func (k *killed) groupOf(pairs map[string]string) (group string) {
	for _, id := range pairs {
		made, isKnown := k.Generation(id)
		if isKnown {
			group = made.GroupID
		}
	}
	return group
}

// findGeneration finds our generation of a text, in a group if that is known,
// that no state has, and that nobody has taken out of one.
func (k *killed) findGeneration(text, inGroup string) string {
	held := k.ids()
	for _, group := range k.Groups() {
		if k.strangers[group.ID] || inGroup != "" && group.ID != inGroup {
			continue
		}
		for _, made := range group.Generations {
			if made.Prompt == text && !held[made.ID] && !k.excused[made.ID] {
				return made.ID
			}
		}
	}
	return ""
}

func (k *killed) trainingToImport(said core.Diagnostic) string {
	found := jobSaid.FindStringSubmatch(said.Detail)
	switch {
	case found == nil:
		return ""
	case found[2] != "JOB_ID":
		return found[1] + "/" + found[2]
	}
	for _, job := range k.Trainings(found[1]) {
		if !k.held[job.JobID] && !k.strangers[job.JobID] {
			return found[1] + "/" + job.JobID
		}
	}
	return ""
}

// buysAgain does so, and allows it.
func (k *killed) buysAgain(said core.Diagnostic) {
	for _, key := range k.config.buyAgain(k.T, said) {
		text := k.config.groups[said.Address].prompts[key].text
		k.allowed[text]++
		k.copies[text]++
	}
	k.write()
}
