import { useEffect } from 'react'
import type { Image } from '../../../contract/customer-find.ts'
import { mayCrop } from '../../../domain/nodes.ts'
import { useEvent } from '../event.tsx'
import { placesOf } from './customising.ts'
import type { Part } from './part.ts'
import { cropFrame, imageOf } from './pictures.ts'

/** What the crop rules want logged (section 4: an aspect nobody knows), once for each thing it says. */
export const useLoggedAspects = (parts: readonly Part[], images: readonly Image[]): void => {
  const { organizationType } = useEvent().job
  useEffect(() => {
    const warnings = parts.flatMap((part) =>
      placesOf(part).flatMap(({ item, node }) => {
        const choice = part.images.find((one) => one.packageItemImageNodeId === node.id)
        const image = images.find((one) => one.id === imageOf(choice))
        if (!image || !mayCrop(item, node)) return []
        const { warning } = cropFrame({ item, node, image }, organizationType)
        return warning ? [`${item.name}, ${node.name}: ${warning}`] : []
      }),
    )
    for (const warning of new Set(warnings)) console.warn(warning)
  }, [parts, images, organizationType])
}
