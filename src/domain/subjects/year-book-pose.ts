/**
 * Whether a subject may choose its year-book pose: enabled, not expired, and more than one image to choose from
 * (section 4).
 */
export const mayChoosePose = (input: { enabled: boolean; expired: boolean; imageCount: number }): boolean =>
  input.enabled && !input.expired && input.imageCount > 1
