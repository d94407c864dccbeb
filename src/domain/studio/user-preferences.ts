/** The preferences of a user who set none (section 9). */
export const defaultUserPreferences = {
  buildMaximumCropperSize: 200,
  buildImagesPerRow: 6,
  useDarkMode: false,
} as const

/** The range of each preference: the crop editor's size in pixels, up to a tablet's screen; and the images in a row. */
export const userPreferenceBounds = {
  buildMaximumCropperSize: { least: 100, most: 1200 },
  buildImagesPerRow: { least: 1, most: 12 },
} as const
