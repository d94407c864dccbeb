/**
 * Whether a subject may choose its year-book pose: enabled, not expired, and more than one image to choose from
 * (section 4).
 */
export const mayChoosePose = (pose: { enabled: boolean; expired: boolean; imageCount: number }): boolean =>
  pose.enabled && !pose.expired && pose.imageCount > 1
