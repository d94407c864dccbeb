import type { ImageNode, OrganizationType, PackageItem } from '../catalogue/catalogue.ts'

/** An image of the subject alone, or of one of the subject's groups (section 3, image lookup types). */
export const imageTypes = ['hosted-individual', 'hosted-group'] as const
export type ImageType = (typeof imageTypes)[number]

/** Width / height of a crop if nothing better is known (sections 4 and 9). */
export const defaultAspect = 8 / 10

const fiveBySeven = { from: 0.7, to: 0.73, aspect: 5 / 7 }
const sevenByFive = { from: 1.37, to: 1.43, aspect: 7 / 5 }
const tenByEight = { from: 1.23, to: 1.28, aspect: 10 / 8 }
const knownRatios = [fiveBySeven, sevenByFive, tenByEight]
const sportRatios = [fiveBySeven, sevenByFive]

// Tolerance, so that 3.5 / 5 does not miss 0.7 by a rounding error.
const slack = 1e-6

const matchAspect = (
  ratios: readonly { from: number; to: number; aspect: number }[],
  ratio: number,
): number | undefined => ratios.find(({ from, to }) => ratio >= from - slack && ratio <= to + slack)?.aspect

/** Width / height of a node as it is printed: its percentages of the print's inches; null if nothing is printed. */
export const aspectOf = (
  { positionCoords }: Pick<ImageNode, 'positionCoords'>,
  { widthInches, heightInches }: Pick<PackageItem, 'widthInches' | 'heightInches'>,
): number | null => {
  if (!widthInches || !heightInches || positionCoords.width <= 0 || positionCoords.height <= 0) return null
  return (positionCoords.width * widthInches) / (positionCoords.height * heightInches)
}

export type CropAspectInput = {
  nodeAspect: number | null
  organizationType: OrganizationType
  /** A replacement can take the place of either type; only `hosted-individual` has a rule of its own. */
  imageType: ImageType | 'replacement'
  imageWidth: number
  imageHeight: number
}

/**
 * The aspect ratio (width / height) of a customer's crop (sections 4 and 9). An individual image of a sport
 * organization that is itself 5x7 or 7x5 keeps its ratio. Otherwise the node's ratio is matched with the known ranges;
 * if none fits, the result is 8/10 with a warning for the caller to log.
 */
export const cropAspect = (input: CropAspectInput): { aspect: number; warning?: string } => {
  const { nodeAspect, organizationType, imageType, imageWidth, imageHeight } = input
  const isIndividualOfSport = organizationType === 'sport' && imageType === 'hosted-individual'
  const imageAspect = isIndividualOfSport ? matchAspect(sportRatios, imageWidth / imageHeight) : undefined
  const knownAspect = imageAspect ?? matchAspect(knownRatios, nodeAspect ?? 0)
  if (knownAspect !== undefined) return { aspect: knownAspect }
  if (nodeAspect !== null && Math.abs(nodeAspect - defaultAspect) < slack) return { aspect: defaultAspect }
  return { aspect: defaultAspect, warning: `unknown aspect ratio ${nodeAspect?.toFixed(4) ?? 'none'}, 8/10 is used` }
}
