import { useEffect, useRef } from 'react'
import type { Image } from '#contract/shapes/image-structs.ts'
import { mayCrop } from '#domain/catalogue/nodes.ts'
import { chosenImageId, cropFrame } from '../images/node-images.ts'
import { useOrganizationType } from '../package-context.ts'
import { editableImageNodes } from './customise-reducer.ts'
import type { CustomisedPackage } from './customised-package.ts'

/** Logs the warnings of the crop rules (section 8: unknown aspect ratio), each distinct one once. */
export const useLogAspectWarnings = (parts: readonly CustomisedPackage[], images: readonly Image[]): void => {
  const organizationType = useOrganizationType()
  const logged = useRef(new Set<string>())
  useEffect(() => {
    for (const { item, node, choice } of parts.flatMap(choicesOf)) {
      const image = images.find((candidate) => candidate.id === chosenImageId(choice))
      const { warning } = image && mayCrop(item, node) ? cropFrame({ item, node, image }, organizationType) : {}
      const message = `${item.name}, ${node.name}: ${warning}`
      if (warning === undefined || logged.current.has(message)) continue
      logged.current.add(message)
      console.warn(message)
    }
  }, [parts, images, organizationType])
}

const choicesOf = (part: CustomisedPackage) =>
  editableImageNodes(part).map(({ item, node }) => ({
    item,
    node,
    choice: part.images.find((imageChoice) => imageChoice.packageItemImageNodeId === node.id),
  }))
