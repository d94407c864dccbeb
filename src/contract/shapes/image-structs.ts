import { boolean, enums, type Infer, integer, nullable, string, type } from 'superstruct'

/** A logo's size in upright pixels. A wordmark contains the studio's name, which is then not repeated next to it. */
export const LogoShape = type({ width: integer(), height: integer(), wordmark: boolean() })
export type LogoShape = Infer<typeof LogoShape>

/**
 * The right to see images: of one subject, or (`subjectId` null) of a whole public gallery. `grantId` is part of image
 * addresses.
 */
export const Grant = type({ grantId: string(), subjectId: nullable(integer()) })
export type Grant = Infer<typeof Grant>

/**
 * An image to choose from; a replacement takes the place of one of the subject's own. Addresses lead to the watermarked
 * preview (1280 px) and the thumbnail (320 px); sizes are upright pixels.
 */
export const Image = type({
  id: integer(),
  type: enums(['hosted-individual', 'hosted-group', 'replacement']),
  groupId: nullable(integer()),
  groupName: nullable(string()),
  name: string(),
  width: integer(),
  height: integer(),
  hasAlpha: boolean(),
  thumbnailUrl: string(),
  previewUrl: string(),
})
export type Image = Infer<typeof Image>

/** At the end of a preview's address: the same at 900 px. */
export const smallPreviewSuffix = '-900'

/** The address of the preview for that of a small one; any other address itself. */
export const previewAddress = (address: string): string =>
  address.endsWith(smallPreviewSuffix) ? address.slice(0, -smallPreviewSuffix.length) : address
