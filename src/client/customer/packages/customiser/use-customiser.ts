import { useEffect, useMemo, useReducer } from 'react'
import { useEvent } from '#client/customer/shared/job/job-context.tsx'
import type { Image } from '#contract/customer/discovery-calls.ts'
import type { ImageFact } from '#domain/cart/cart.ts'
import { isGroupNode } from '#domain/catalogue/nodes.ts'
import { imageOf } from '../images/node-images.ts'
import type { Person } from '../package-subject.ts'
import { customise, placesOf } from './customise-reducer.ts'
import { type Gap, gapsOf, type Step, type StepGroup, stepsOf } from './customise-steps.ts'
import type { Part } from './customised-package.ts'
import { useShownParts } from './use-displayed-packages.ts'

type Given = {
  first: Part[]
  person: Person
  images: readonly Image[]
  /** Pictures that a line in the cart knows already. */
  known: readonly ImageFact[]
  /** Keeps a draft; the same function from render to render. */
  save: (parts: readonly Part[]) => void
}

/** Packages while they are customised: what they are by now, what to show of them, what is missing. Each change becomes a draft. */
export const useCustomising = ({ first, person, images, known, save }: Given) => {
  const { job, jobId, orderMethod } = useEvent()
  const [parts, doing] = useReducer(customise, first)
  useEffect(() => {
    if (parts !== first) save(parts)
  }, [parts, first, save])

  const importedData = orderMethod === 'prepay' ? job.prepaySettings.importedData : job.importedData
  const steps = useMemo(
    () => stepsOf(first, { orderMethod, importedData, subject: person }),
    [first, orderMethod, importedData, person],
  )
  const shown = useShownParts({ jobId, first, parts, steps, person, images, known, doing })
  return {
    ...shown,
    parts,
    doing,
    gaps: gapsOf(parts, person, orderMethod).filter((gap) => shown.groups.some((group) => isOn(group.first, gap))),
  }
}

/** Whether something is missing on this item. */
export const isOn = (step: Step, gap: Gap): boolean => gap.part === step.part && gap.itemId === step.item.id

/** Whether another print than these could take this picture and holds a different one. */
export const takesElsewhere = (parts: readonly Part[], { first, twins }: StepGroup, imageId: number): boolean =>
  parts.some((part, index) =>
    placesOf(part).some(({ item, node }) => {
      const own = [first, ...twins].some((step) => step.part === index && step.item.id === item.id)
      const held = imageOf(part.images.find((one) => one.packageItemImageNodeId === node.id))
      return !own && held !== null && held !== imageId && isGroupNode(node) === first.imageNodes.some(isGroupNode)
    }),
  )
