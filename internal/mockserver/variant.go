package mockserver

import "time"

// Variant chooses between behaviours that the contract leaves open. The zero
// value is the plain service.
type Variant struct {
	Name string // of the variant in Variants

	// Words of status fields, numbers, times, nulls and names.

	Vocabulary  Vocabulary
	Numbers     Numbers
	Times       TimeStyle
	Nulls       Nulls
	NoneErrors  bool // a missing error is "None"
	ExtraFields bool // every object has a field that the contract does not have

	// Status codes and error bodies.

	SuccessCode int        // of replies for which the contract states no 200; 0 is 200
	DeleteCode  int        // of deletions and cancellations; 204 comes without a body
	ErrorShape  ErrorShape // of every error body
	// SuccessFalse turns refusals other than 401, 404 and 429 into a 200 with
	// `success: false`, for endpoints with `success`.
	SuccessFalse     bool
	ErrorBodyGroupID bool // a refused batch that buys nothing names an empty group that it created

	// Batches.

	PromptIndexBase  int           // of prompt_index: 0, 1, or -1 for a missing one
	LastIndex        LastIndex     // the prompt_index of the last prompt, if there are several
	ReorderResults   bool          // results come last prompt first
	DropGenerationID bool          // results come without generation_id
	Denial           Denial        // how a completed purchase is reported as a failure; also for trainings
	NoCounts         bool          // total_requested, successful_submissions and failed_submissions are missing
	SlowBatch        time.Duration // passes, by Options.OnDelay, between the work and its reply
	NoCredits        bool          // credits_deducted and remaining_balance are missing
	Background       Background    // what is missing in the reply to a batch that is processed later
	ShareEqual       bool          // equal prompts of a batch become one generation, and each is charged
	RetakeFailed     bool          // a prompt equal to a failed one of the group runs and is charged again under its id
	OneID            bool          // every result names the generation of the first
	GroupsByTitle    bool          // a batch without a group_id joins the group of its title, if there is one

	// The contents of reads.

	LateVisibility  int    // so many reads do not show a new generation, asset or job
	FlapEvery       int    // one in so many reads of such an object does not show it
	AssetIDKey      string // the field of an asset's id in the list; default asset_id
	AssetIDsDiffer  bool   // the list has a different id for an asset than the upload's reply
	FilesRenamed    bool   // an uploaded file is named after its asset
	StorageKey      string // the field of the upload's storage address; default storage_url
	IgnoreFilters   bool   // asset_type and approved_only change nothing
	RefuseFilters   bool   // requests with one of these filters are refused
	SignedURLs      bool   // every address carries a signature that differs at each read, and is refused without
	TrimTexts       bool   // blanks around names, titles and prompts are cut off, line ends unified
	Texts           Texts  // other changes to these texts
	KeepEmptyGroups bool   // a group outlives its last generation
	CategoryJob     bool   // categorising media answers with a job
	ImageReply      ImageReply
	InlineMedia     int           // results and images are data URIs of at least so many bytes
	Previews        bool          // a generation under way shows the address of a preview
	ShowsAttempts   bool          // a running generation shows the error of an attempt that is being repeated
	ResultsFor      time.Duration // how long after its end a generation shows its results; 0 is for ever
	Pages           Pages         // of paged lists
	IDs             IDStyle

	// Behaviours of the endpoints of Options.Extended that are open.

	ListsReversed    bool // groups come oldest first, and their generations newest first
	EmptyErrors      bool // the list of groups contains an error of empty fields
	DatasetReplaces  bool // a generated dataset replaces the previous one, instead of adding to it
	BodyNeedsDataset bool // a body training needs an approved dataset

	// Authentication.

	Token       TokenKind
	NestedToken bool          // the exchange answers {"mediagen": {"token": ...}}
	ClockSkew   time.Duration // how far the service's clock is ahead of Options.Now

	OrganizationClaim string // the claim of a JWT that names the organization; default org
}

// Variants returns the named variants that tests iterate over. Everything that
// works in the plain service also works in each of them. The provider marks the
// code that handles a variant by a comment of the form "variant: name".
func Variants() map[string]Variant {
	return withNames(map[string]Variant{
		"plain":                   {},
		"words-upper":             {Vocabulary: WordsUpper},
		"words-spaced":            {Vocabulary: WordsSpaced},
		"words-hyphen":            {Vocabulary: WordsHyphen},
		"words-synonyms":          {Vocabulary: WordsSynonyms},
		"words-unknown":           {Vocabulary: WordsUnknown},
		"numbers-decimal":         {Numbers: NumbersDecimal},
		"numbers-text":            {Numbers: NumbersText},
		"times-none":              {Times: TimesMissing},
		"times-local":             {Times: TimesZoneless},
		"times-epoch":             {Times: TimesEpoch},
		"nulls-missing":           {Nulls: NullsMissing},
		"nulls-many":              {Nulls: NullsMany},
		"errors-none":             {NoneErrors: true},
		"extra-fields":            {ExtraFields: true},
		"code-202":                {SuccessCode: 202, DeleteCode: 202},
		"code-204":                {DeleteCode: 204},
		"errors-detail":           {ErrorShape: ErrorsDetail},
		"errors-list":             {ErrorShape: ErrorsList},
		"errors-message":          {ErrorShape: ErrorsMessage},
		"errors-nested":           {ErrorShape: ErrorsNested},
		"errors-text":             {ErrorShape: ErrorsText},
		"errors-html":             {ErrorShape: ErrorsHTML},
		"success-false":           {SuccessFalse: true},
		"error-group-id":          {ErrorBodyGroupID: true},
		"index-from-1":            {PromptIndexBase: 1},
		"index-missing":           {PromptIndexBase: -1},
		"index-missing-reordered": {PromptIndexBase: -1, ReorderResults: true},
		"index-doubled":           {LastIndex: IndexDoubled, ReorderResults: true},
		"index-baseless":          {LastIndex: IndexMissing, PromptIndexBase: 1},
		"results-reordered":       {ReorderResults: true},
		"reordered-from-1":        {ReorderResults: true, PromptIndexBase: 1},
		"slow-batch":              {SlowBatch: 90 * time.Second},
		"no-credits":              {NoCredits: true},
		"late-visibility":         {LateVisibility: 3},
		"flapping":                {FlapEvery: 3},
		"denied":                  {Denial: DenialFalse},
		"denied-text":             {Denial: DenialText},
		"asset-key-id":            {AssetIDKey: "id"},
		"asset-key-image-id":      {AssetIDKey: "image_id"},
		"asset-ids-differ":        {AssetIDsDiffer: true},
		"files-renamed":           {FilesRenamed: true},
		"storage-key":             {StorageKey: "bucket_url"},
		"filters-ignored":         {IgnoreFilters: true},
		"filters-refused":         {RefuseFilters: true},
		"signed-urls":             {SignedURLs: true},
		"texts-trimmed":           {TrimTexts: true},
		"texts-escaped":           {Texts: TextsEscaped},
		"texts-cut":               {Texts: TextsCut},
		"texts-decomposed":        {Texts: TextsDecomposed},
		"empty-groups-stay":       {KeepEmptyGroups: true},
		"equal-shared":            {ShareEqual: true},
		"failed-retaken":          {RetakeFailed: true},
		"groups-by-title":         {GroupsByTitle: true},
		"media-inline":            {InlineMedia: 1 << 10},
		"media-inline-large":      {InlineMedia: 1 << 18},
		"previews":                {Previews: true},
		"attempts-shown":          {ShowsAttempts: true},
		"results-expire":          {ResultsFor: 36 * time.Hour},
		"pages-too-long":          {Pages: PagesOneTooMany},
		"pages-repeating":         {Pages: PagesRepeating},
		"ids-slash":               {IDs: IDsSlash},
		"ids-percent":             {IDs: IDsPercent},
		"token-without-exp":       {Token: TokenWithoutExp},
		"token-exp-in-past":       {Token: TokenExpInPast},
		"token-opaque":            {Token: TokenOpaque},
		"token-nested":            {NestedToken: true},
		"token-org-id":            {OrganizationClaim: "org_id"},
		"clock-5m-ahead":          {ClockSkew: 5 * time.Minute},
		"clock-5m-behind":         {ClockSkew: -5 * time.Minute},
	})
}

// LossyVariants returns variants in which a purchase cannot be attributed, or a
// reply contains something other than requested.
func LossyVariants() map[string]Variant {
	return withNames(map[string]Variant{
		"generation-id-dropped": {DropGenerationID: true},
		"background":            {Background: BackgroundNoResults},
		"background-no-ids":     {Background: BackgroundNoIDs},
		"one-id":                {OneID: true},
		"denied-uncounted": {
			Denial:    DenialFalse,
			NoCredits: true,
			NoCounts:  true,
		},
		"category-job": {CategoryJob: true},
		"image-later":  {ImageReply: ImagesLater},
		"image-null":   {ImageReply: ImagesNull},
	})
}

// ExtendedVariants returns the variants of a service with [Options].Extended.
func ExtendedVariants() map[string]Variant {
	return withNames(map[string]Variant{
		"lists-reversed":     {ListsReversed: true},
		"empty-errors":       {EmptyErrors: true},
		"dataset-replaces":   {DatasetReplaces: true},
		"body-needs-dataset": {BodyNeedsDataset: true},
	})
}

func withNames(variants map[string]Variant) map[string]Variant {
	for name, variant := range variants {
		variant.Name = name
		variants[name] = variant
	}
	return variants
}

func (v Variant) delay(r *route) time.Duration {
	if r.name == RouteBatch {
		return v.SlowBatch
	}
	return 0
}
