import type { Image } from '#contract/shapes/image-structs.ts'
import type { OrganizationType } from '#domain/catalogue/catalogue.ts'
import { mayCrop } from '#domain/catalogue/nodes.ts'
import { chosenImageId, cropFrame } from '../images/node-images.ts'
import { editableImageNodes } from './customise-reducer.ts'
import type { CustomisedPackage } from './customised-package.ts'

type LogInput = {
  parts: readonly CustomisedPackage[]
  images: readonly Image[]
  organizationType: OrganizationType
  /** The messages that were logged before. */
  logged: Set<string>
}

/** Logs the warnings of the crop rules (section 8: unknown aspect ratio), each distinct one once. */
export const logAspectWarnings = ({ parts, images, organizationType, logged }: LogInput): void => {
  for (const { item, node, choice } of parts.flatMap(choicesOf)) {
    const image = images.find((candidate) => candidate.id === chosenImageId(choice))
    const { warning } = image && mayCrop(item, node) ? cropFrame({ item, node, image }, organizationType) : {}
    const message = `${item.name}, ${node.name}: ${warning}`
    if (warning === undefined || logged.has(message)) continue
    logged.add(message)
    console.warn(message)
  }
}

const choicesOf = (part: CustomisedPackage) =>
  editableImageNodes(part).map(({ item, node }) => ({
    item,
    node,
    choice: part.images.find((imageChoice) => imageChoice.packageItemImageNodeId === node.id),
  }))
