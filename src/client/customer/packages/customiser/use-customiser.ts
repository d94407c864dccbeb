import { useEffect, useMemo, useReducer } from 'react'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { SnapshotImage } from '#domain/cart/cart.ts'
import { isGroupNode } from '#domain/catalogue/nodes.ts'
import { chosenImageId } from '../images/node-images.ts'
import type { PackageSubject } from '../package-subject.ts'
import { customiseReducer, editableImageNodes } from './customise-reducer.ts'
import {
  type CustomiseStep,
  customiseSteps,
  type FieldProblem,
  fieldProblems,
  type StepGroup,
} from './customise-steps.ts'
import type { CustomisedPackage } from './customised-package.ts'
import { useDisplayedPackages } from './use-displayed-packages.ts'

type UseCustomiserInput = {
  first: CustomisedPackage[]
  person: PackageSubject
  images: readonly Image[]
  /** Images that a cart line already has. */
  known: readonly SnapshotImage[]
  /** Stores a draft; must be a stable function. */
  save: (parts: readonly CustomisedPackage[]) => void
}

/**
 * State of packages while they are customised: content, displayed items and missing fields. Every change is stored as a
 * draft.
 */
export const useCustomiser = ({ first, person, images, known, save }: UseCustomiserInput) => {
  const { job, jobId, orderMethod } = useJobContext()
  const [parts, dispatch] = useReducer(customiseReducer, first)
  useEffect(() => {
    if (parts !== first) save(parts)
  }, [parts, first, save])

  const importedData = orderMethod === 'prepay' ? job.prepaySettings.importedData : job.importedData
  const steps = useMemo(
    () => customiseSteps(first, { orderMethod, importedData, subject: person }),
    [first, orderMethod, importedData, person],
  )
  const shown = useDisplayedPackages({ jobId, first, parts, steps, person, images, known, dispatch })
  return {
    ...shown,
    parts,
    doing: dispatch,
    gaps: fieldProblems(parts, person, orderMethod).filter((gap) =>
      shown.groups.some((group) => isFieldOfStep(group.first, gap)),
    ),
  }
}

/** Whether something is missing on this item. */
export const isFieldOfStep = (step: CustomiseStep, gap: FieldProblem): boolean =>
  gap.part === step.part && gap.itemId === step.item.id

/** Whether another print could use this image and holds a different one. */
export const isUsableElsewhere = (
  parts: readonly CustomisedPackage[],
  { first, twins }: StepGroup,
  imageId: number,
): boolean =>
  parts.some((part, index) =>
    editableImageNodes(part).some(({ item, node }) => {
      const own = [first, ...twins].some((step) => step.part === index && step.item.id === item.id)
      const held = chosenImageId(part.images.find((one) => one.packageItemImageNodeId === node.id))
      return !own && held !== null && held !== imageId && isGroupNode(node) === first.imageNodes.some(isGroupNode)
    }),
  )
