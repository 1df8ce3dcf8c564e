package mockserver

// The wire types of the API except inference. A pointer is nullable.

type errorBody struct {
	Error       string `json:"error,omitempty"`
	Message     string `json:"message,omitempty"`
	CharacterID string `json:"character_id,omitempty"`
	GroupID     string `json:"group_id,omitempty"`
}

type accessTokenBody struct {
	AccessToken string `json:"accessToken"`
}

type characterBody struct {
	CharacterID     string  `json:"character_id"`
	OrganizationID  string  `json:"organization_id"`
	CreatorID       string  `json:"creator_id"`
	Name            string  `json:"name"`
	Description     string  `json:"description"`
	Status          string  `json:"status"`
	CurrentStep     int     `json:"current_step"`
	FaceImagesCount int     `json:"face_images_count"`
	BodyImagesCount int     `json:"body_images_count"`
	DatasetStatus   string  `json:"dataset_status"`
	FaceLoRAStatus  string  `json:"face_lora_status"`
	BodyLoRAStatus  string  `json:"body_lora_status"`
	CreatedAt       string  `json:"created_at"`
	UpdatedAt       string  `json:"updated_at"`
	SubscriptionID  *string `json:"subscription_id"`
}

type characterListBody struct {
	Characters []characterBody `json:"characters"`
	Pagination paginationBody  `json:"pagination"`
	Filters    filtersBody     `json:"filters"`
}

type paginationBody struct {
	Limit    int  `json:"limit"`
	Offset   int  `json:"offset"`
	Returned int  `json:"returned"`
	HasMore  bool `json:"has_more"`
}

type filtersBody struct {
	OrganizationID *string `json:"organization_id"`
	CreatorID      *string `json:"creator_id"`
}

type characterRequest struct {
	Name        *string `json:"name"`
	Description *string `json:"description"`
}

type assetsBody struct {
	Assets []assetBody `json:"assets"`
	Total  int         `json:"total"`
}

// assetBody is one form of the contract's free-form asset object.
type assetBody struct {
	AssetID       string  `json:"asset_id"`
	AssetType     string  `json:"asset_type"`
	Filename      string  `json:"filename"`
	ContentType   string  `json:"content_type"`
	Size          int64   `json:"size"`
	ViewURL       string  `json:"view_url"`
	StorageURL    string  `json:"storage_url"`
	Caption       *string `json:"caption"`
	CaptionStatus string  `json:"caption_status"`
	CreatedAt     string  `json:"created_at"`
}

type uploadBody struct {
	Success       bool    `json:"success"`
	Message       string  `json:"message"`
	AssetID       string  `json:"asset_id"`
	StorageURL    string  `json:"storage_url"`
	ViewURL       string  `json:"view_url"`
	Filename      string  `json:"filename"`
	Caption       *string `json:"caption"`
	CaptionStatus string  `json:"caption_status"`
}

type datasetBody struct {
	CharacterID   string             `json:"character_id"`
	Images        []datasetImageBody `json:"images"`
	Total         int                `json:"total"`
	ApprovedCount int                `json:"approved_count"`
	DatasetStatus string             `json:"dataset_status"`
}

type datasetImageBody struct {
	ImageID     string `json:"image_id"`
	Filename    string `json:"filename"`
	Prompt      string `json:"prompt"`
	Seed        int64  `json:"seed"`
	Approved    bool   `json:"approved"`
	Regenerated bool   `json:"regenerated"`
	CreatedAt   string `json:"created_at"`
	ViewURL     string `json:"view_url"`
}

type datasetImageChangeBody struct {
	Success  bool   `json:"success"`
	Message  string `json:"message"`
	ImageID  string `json:"image_id"`
	Approved bool   `json:"approved"`
}

type trainingStatusBody struct {
	FaceLoRAStatus           string            `json:"face_lora_status"`
	BodyLoRAStatus           string            `json:"body_lora_status"`
	FaceTraining             *trainingJobBody  `json:"face_training"`
	CharacterTraining        *trainingJobBody  `json:"character_training"`
	FaceTrainingHistory      []trainingJobBody `json:"face_training_history"`
	CharacterTrainingHistory []trainingJobBody `json:"character_training_history"`
	CanStartFaceTraining     bool              `json:"can_start_face_training"`
	CanStartBodyTraining     bool              `json:"can_start_body_training"`
	TrainingComplete         bool              `json:"training_complete"`
	HasActiveTraining        bool              `json:"has_active_training"`
	FaceImageCount           int               `json:"face_image_count"`
	BodyImageCount           int               `json:"body_image_count"`
	FailedFaceImageCount     int               `json:"failed_face_image_count"`
	FailedBodyImageCount     int               `json:"failed_body_image_count"`
}

type trainingJobBody struct {
	JobID             string   `json:"job_id"`
	CharacterID       string   `json:"character_id"`
	JobType           string   `json:"job_type"`
	Status            string   `json:"status"`
	TrainingServiceID string   `json:"training_service_id"`
	CreatedAt         string   `json:"created_at"`
	UpdatedAt         string   `json:"updated_at"`
	Progress          int      `json:"progress"`
	TrainingPhase     *string  `json:"training_phase"`
	ETAMinutes        *int     `json:"eta_minutes"`
	TrainingSpeed     *float64 `json:"training_speed"`
}

type trainingStartBody struct {
	Success          bool     `json:"success"`
	Message          string   `json:"message"`
	JobID            string   `json:"job_id"`
	TrainingSteps    int      `json:"training_steps"`
	CreditsDeducted  float64  `json:"credits_deducted"`
	RemainingBalance *float64 `json:"remaining_balance"`
}

type doneBody struct {
	Success bool   `json:"success"`
	Message string `json:"message"`
}

type loraBody struct {
	Status    string  `json:"status"`
	Available bool    `json:"available"`
	URL       *string `json:"url"`
}

type capabilitiesBody struct {
	CharacterID     string   `json:"character_id"`
	FaceLoRA        loraBody `json:"face_lora"`
	BodyLoRA        loraBody `json:"body_lora"`
	CanGenerate     bool     `json:"can_generate"`
	GenerationReady bool     `json:"generation_ready"`
}

type batchRequest struct {
	Prompts     []promptRequest `json:"prompts"`
	CharacterID string          `json:"character_id"`
	GroupID     string          `json:"group_id"`
	GroupTitle  string          `json:"group_title"`
}

type promptRequest struct {
	Prompt         string `json:"prompt"`
	FaceSwap       *bool  `json:"face_swap"`
	UseFaceLoRA    *bool  `json:"use_face_lora"`
	UseBodyLoRA    *bool  `json:"use_body_lora"`
	SourceImageURL string `json:"source_image_url"`
}

type batchBody struct {
	BatchID               string            `json:"batch_id"`
	GroupID               string            `json:"group_id"`
	GenerationType        string            `json:"generation_type"`
	Status                string            `json:"status"`
	Message               string            `json:"message"`
	TotalRequested        int               `json:"total_requested"`
	SuccessfulSubmissions int               `json:"successful_submissions"`
	FailedSubmissions     int               `json:"failed_submissions"`
	EstimatedTime         float64           `json:"estimated_time"`
	CreditsDeducted       float64           `json:"credits_deducted"`
	RemainingBalance      *float64          `json:"remaining_balance"`
	Results               []batchResultBody `json:"results"`
}

type batchResultBody struct {
	GenerationID *string `json:"generation_id"`
	Status       string  `json:"status"`
	PromptIndex  int     `json:"prompt_index"`
	Error        *string `json:"error"`
}

type generationBody struct {
	GenerationID        string         `json:"generation_id"`
	GroupID             string         `json:"group_id"`
	GenerationType      string         `json:"generation_type"`
	Status              string         `json:"status"`
	Progress            int            `json:"progress"`
	ResultURLs          []string       `json:"result_urls"`
	Error               *string        `json:"error"`
	CreatedAt           string         `json:"created_at"`
	Prompt              string         `json:"prompt"`
	Service             string         `json:"service"`
	PerformanceMetadata map[string]any `json:"performance_metadata"`
}

type groupDeletionBody struct {
	Success                   bool                 `json:"success"`
	Message                   string               `json:"message"`
	GroupID                   string               `json:"group_id"`
	GroupTitle                string               `json:"group_title"`
	DeletedGenerations        int                  `json:"deleted_generations"`
	FailedGenerationDeletions int                  `json:"failed_generation_deletions"`
	TotalDeletedImages        int                  `json:"total_deleted_images"`
	TotalFailedImageDeletions int                  `json:"total_failed_image_deletions"`
	Details                   groupDeletionDetails `json:"details"`
}

type groupDeletionDetails struct {
	DeletedGenerationIDs []string `json:"deleted_generation_ids"`
	FailedGenerationIDs  []string `json:"failed_generation_ids"`
	DeletedImageURLs     []string `json:"deleted_image_urls"`
	FailedImageURLs      []string `json:"failed_image_urls"`
}

type generationDeletionBody struct {
	Success         bool                      `json:"success"`
	Message         string                    `json:"message"`
	GenerationID    string                    `json:"generation_id"`
	GroupID         string                    `json:"group_id"`
	DeletedImages   int                       `json:"deleted_images"`
	FailedDeletions int                       `json:"failed_deletions"`
	Details         generationDeletionDetails `json:"details"`
}

type generationDeletionDetails struct {
	DeletedImageURLs   []string `json:"deleted_image_urls"`
	FailedDeletionURLs []string `json:"failed_deletion_urls"`
}
