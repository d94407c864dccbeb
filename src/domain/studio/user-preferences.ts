/** What somebody has who chose nothing (section 9). */
export const defaultUserPreferences = {
  buildMaximumCropperSize: 200,
  buildImagesPerRow: 6,
  useDarkMode: false,
} as const

/** What can be chosen: a crop editor as large as a tablet's screen in pixels; as many images in a row as still are images. */
export const userPreferenceBounds = {
  buildMaximumCropperSize: { least: 100, most: 1200 },
  buildImagesPerRow: { least: 1, most: 12 },
} as const
