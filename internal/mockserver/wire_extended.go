package mockserver

// The wire types of the extension.

type datasetRequest struct {
	Prompts           []string `json:"prompts"`
	UseDefaultPrompts *bool    `json:"use_default_prompts"`
}

type approvalRequest struct {
	Approved bool `json:"approved"`
}

type datasetStartBody struct {
	Success     bool   `json:"success"`
	Message     string `json:"message"`
	TotalImages int    `json:"total_images"`
	JobID       string `json:"job_id"`
}

type datasetStatusBody struct {
	CharacterID        string `json:"character_id"`
	DatasetStatus      string `json:"dataset_status"`
	CurrentStep        int    `json:"current_step"`
	TotalImages        int    `json:"total_images"`
	ApprovedImages     int    `json:"approved_images"`
	MinRequired        int    `json:"min_required"`
	MaxAllowed         int    `json:"max_allowed"`
	CanApprove         bool   `json:"can_approve"`
	GenerationComplete bool   `json:"generation_complete"`
}

type datasetApprovalBody struct {
	Success        bool   `json:"success"`
	Message        string `json:"message"`
	ApprovedImages int    `json:"approved_images"`
	NextStep       string `json:"next_step"`
}

type groupBody struct {
	GroupID         string  `json:"group_id"`
	Title           string  `json:"title"`
	Description     string  `json:"description"`
	GroupType       string  `json:"group_type"`
	GenerationCount int     `json:"generation_count"`
	PreviewImageURL *string `json:"preview_image_url"`
	CreatedAt       string  `json:"created_at"`
	UpdatedAt       string  `json:"updated_at"`
	Status          string  `json:"status"`
	CharacterID     *string `json:"character_id"`
}

type groupListBody struct {
	Groups         []groupBody       `json:"groups"`
	Pagination     paginationBody    `json:"pagination"`
	OrganizationID string            `json:"organization_id"`
	Error          map[string]string `json:"error,omitempty"`
}

type groupReadBody struct {
	groupBody
	Generations []groupGenerationBody `json:"generations"`
	Pagination  paginationBody        `json:"pagination"`
}

type groupGenerationBody struct {
	GenerationID        string         `json:"generation_id"`
	Prompt              string         `json:"prompt"`
	Status              string         `json:"status"`
	ResultURLs          []string       `json:"result_urls"`
	CreatedAt           string         `json:"created_at"`
	PerformanceMetadata map[string]any `json:"performance_metadata"`
}

type categoryJobBody struct {
	JobID  string `json:"job_id"`
	Status string `json:"status"`
}

type categoryProgressBody struct {
	JobID           string           `json:"job_id"`
	Status          string           `json:"status"`
	PercentComplete int              `json:"percent_complete"`
	Results         []map[string]any `json:"results"`
}
