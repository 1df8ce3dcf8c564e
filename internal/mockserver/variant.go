package mockserver

import "time"

// Variant chooses among the behaviours that the contract leaves open. The zero
// value is the plain service.
type Variant struct {
	Name string // of the variant in Variants

	// Words of status fields, numbers, nulls and names.

	Vocabulary  Vocabulary
	Numbers     Numbers
	Nulls       Nulls
	ExtraFields bool // every object has a field that the contract does not know

	// Status codes and error bodies.

	SuccessCode      int        // of replies for which the contract states no 200; 0 is 200
	DeleteCode       int        // of deletions and cancellations; 204 comes without a body
	ErrorShape       ErrorShape // of every error body
	SuccessFalse     bool       // refusals other than 401, 404 and 429 of endpoints with `success` are a 200 with `success: false`
	ErrorBodyGroupID bool       // a batch that buys nothing is refused, in the name of an empty group that it made

	// Batches.

	PromptIndexBase  int           // of prompt_index: 0, 1, or -1 for a missing one
	ReorderResults   bool          // results come last prompt first
	DropGenerationID bool          // results come without generation_id
	SlowBatch        time.Duration // goes by, by Options.OnDelay, between the work and its reply
	NoCredits        bool          // credits_deducted and remaining_balance are missing
	BalanceOnly      bool          // credits_deducted is missing
	RefundFailed     bool          // a failed generation is paid back

	// What reads show.

	LateVisibility  int    // so many reads do not show a new generation, asset or job
	AssetIDKey      string // the field of an asset's id in the list; default asset_id
	AssetIDsDiffer  bool   // the list names an asset by another id than the upload's reply
	StorageKey      string // the field of the upload's storage address; default storage_url
	IgnoreFilters   bool   // asset_type and approved_only change nothing
	SignedURLs      bool   // every address carries a signature that differs at each read, and is refused without
	TrimTexts       bool   // blanks around names, titles and prompts are cut off, line ends unified
	KeepEmptyGroups bool   // a group outlives its last generation
	CategoryJob     bool   // categorising media answers with a job

	// Authentication.

	Token       TokenKind
	NestedToken bool          // the exchange answers {"mediagen": {"token": ...}}
	KeyIsToken  bool          // the API key is accepted as a bearer
	ClockSkew   time.Duration // the service's clock is ahead of Options.Now by this
}

// Vocabulary is the set of words that status fields use.
type Vocabulary string

// The vocabularies.
const (
	WordsPlain    Vocabulary = ""         // completed, not_trained
	WordsUpper    Vocabulary = "upper"    // COMPLETED, NOT_TRAINED
	WordsSpaced   Vocabulary = "spaced"   // Completed, Not Trained
	WordsHyphen   Vocabulary = "hyphen"   // completed, not-trained
	WordsSynonyms Vocabulary = "synonyms" // succeeded, errored, in_progress
	WordsUnknown  Vocabulary = "unknown"  // words that no client can know
)

// Numbers is how integers are written.
type Numbers string

// The number formats.
const (
	NumbersPlain   Numbers = ""        // 12
	NumbersDecimal Numbers = "decimal" // 12.0
	NumbersText    Numbers = "text"    // "12"
)

// Nulls is what becomes of fields that have no value, or that no client needs.
type Nulls string

// The treatments of nulls.
const (
	NullsPlain   Nulls = ""        // a field without a value is null
	NullsMissing Nulls = "missing" // it is missing, and an empty description too
	NullsMany    Nulls = "many"    // what no client needs is null, and an empty description too
	NullsSparse  Nulls = "sparse"  // what no client needs is missing
)

// ErrorShape is the form of an error body.
type ErrorShape string

// The error shapes.
const (
	ErrorsPlain   ErrorShape = ""        // {error, message, character_id, group_id}
	ErrorsDetail  ErrorShape = "detail"  // {detail: text}
	ErrorsList    ErrorShape = "list"    // {detail: [{loc, msg}]}
	ErrorsMessage ErrorShape = "message" // {message}, as a gateway sends it
	ErrorsNested  ErrorShape = "nested"  // {error: {code, message}}
	ErrorsText    ErrorShape = "text"    // plain text
	ErrorsHTML    ErrorShape = "html"    // a page
)

// TokenKind is what an access token looks like.
type TokenKind string

// The kinds of tokens.
const (
	TokenJWT        TokenKind = ""
	TokenWithoutExp TokenKind = "without-exp" // a JWT that does not say when it ends
	TokenExpInPast  TokenKind = "exp-in-past" // a JWT that claims to have ended, and is accepted
	TokenOpaque     TokenKind = "opaque"      // no JWT
)

// Variants returns the named variants that tests range over. In each of them
// everything that works in the plain service works too.
func Variants() map[string]Variant {
	named := map[string]Variant{
		"plain":              {},
		"words-upper":        {Vocabulary: WordsUpper},
		"words-spaced":       {Vocabulary: WordsSpaced},
		"words-hyphen":       {Vocabulary: WordsHyphen},
		"words-synonyms":     {Vocabulary: WordsSynonyms},
		"words-unknown":      {Vocabulary: WordsUnknown},
		"numbers-decimal":    {Numbers: NumbersDecimal},
		"numbers-text":       {Numbers: NumbersText},
		"nulls-missing":      {Nulls: NullsMissing},
		"nulls-many":         {Nulls: NullsMany},
		"nulls-sparse":       {Nulls: NullsSparse},
		"extra-fields":       {ExtraFields: true},
		"code-201":           {SuccessCode: 201, DeleteCode: 200},
		"code-202":           {SuccessCode: 202, DeleteCode: 202},
		"code-204":           {DeleteCode: 204},
		"errors-detail":      {ErrorShape: ErrorsDetail},
		"errors-list":        {ErrorShape: ErrorsList},
		"errors-message":     {ErrorShape: ErrorsMessage},
		"errors-nested":      {ErrorShape: ErrorsNested},
		"errors-text":        {ErrorShape: ErrorsText},
		"errors-html":        {ErrorShape: ErrorsHTML},
		"success-false":      {SuccessFalse: true},
		"error-group-id":     {ErrorBodyGroupID: true},
		"index-from-1":       {PromptIndexBase: 1},
		"index-missing":      {PromptIndexBase: -1},
		"results-reordered":  {ReorderResults: true},
		"reordered-from-1":   {ReorderResults: true, PromptIndexBase: 1},
		"slow-batch":         {SlowBatch: 90 * time.Second},
		"no-credits":         {NoCredits: true},
		"balance-only":       {BalanceOnly: true},
		"refund-failed":      {RefundFailed: true},
		"late-visibility":    {LateVisibility: 3},
		"asset-key-id":       {AssetIDKey: "id"},
		"asset-key-image-id": {AssetIDKey: "image_id"},
		"asset-key-file-id":  {AssetIDKey: "file_id"},
		"asset-ids-differ":   {AssetIDsDiffer: true},
		"storage-key":        {StorageKey: "bucket_url"},
		"filters-ignored":    {IgnoreFilters: true},
		"signed-urls":        {SignedURLs: true},
		"texts-trimmed":      {TrimTexts: true},
		"empty-groups-stay":  {KeepEmptyGroups: true},
		"token-without-exp":  {Token: TokenWithoutExp},
		"token-exp-in-past":  {Token: TokenExpInPast},
		"token-opaque":       {Token: TokenOpaque},
		"token-nested":       {NestedToken: true},
		"key-is-token":       {KeyIsToken: true},
		"clock-5m-ahead":     {ClockSkew: 5 * time.Minute},
		"clock-5m-behind":    {ClockSkew: -5 * time.Minute},
		"everything-at-once": {
			Vocabulary: WordsUpper, Numbers: NumbersDecimal, Nulls: NullsSparse, ExtraFields: true,
			SuccessCode: 202, ErrorShape: ErrorsDetail, PromptIndexBase: 1, ReorderResults: true,
			LateVisibility: 2, AssetIDKey: "id", SignedURLs: true, TrimTexts: true, KeepEmptyGroups: true,
			Token: TokenWithoutExp, NestedToken: true,
		},
	}
	for name, variant := range named {
		variant.Name = name
		named[name] = variant
	}
	return named
}

// LossyVariants returns variants in which something that was bought cannot be
// attributed, or a reply holds something else than was asked for.
func LossyVariants() map[string]Variant {
	return map[string]Variant{
		"generation-id-dropped": {Name: "generation-id-dropped", DropGenerationID: true},
		"category-job":          {Name: "category-job", CategoryJob: true},
	}
}

func (v Variant) delay(r *route) time.Duration {
	if r.name == RouteBatch {
		return v.SlowBatch
	}
	return 0
}
