import { useEffect, useMemo, useReducer } from 'react'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { SnapshotImage } from '#domain/cart/cart.ts'
import { isGroupNode } from '#domain/catalogue/nodes.ts'
import { chosenImageId } from '../images/node-images.ts'
import type { PackageSubject } from '../package-context.ts'
import { editableImageNodes } from './customise-reducer.ts'
import {
  type CustomiseStep,
  customiseSteps,
  type FieldProblem,
  fieldProblems,
  type StepGroup,
} from './customise-steps.ts'
import type { CustomisedPackage } from './customised-package.ts'
import { customiserReducer, initialState } from './customiser-state.ts'
import { useDisplayedPackages } from './use-displayed-packages.ts'

type UseCustomiserInput = {
  initialParts: CustomisedPackage[]
  subject: PackageSubject
  images: readonly Image[]
  /** Images that a cart line already has. */
  lineImages: readonly SnapshotImage[]
  /** Stores a draft; must be a stable function. */
  save: (parts: readonly CustomisedPackage[]) => void
}

/**
 * State of packages while they are customised: content, displayed items and missing fields. Every change is stored as a
 * draft.
 */
export const useCustomiser = ({ initialParts: firstParts, subject, images, lineImages, save }: UseCustomiserInput) => {
  const { job, jobId, orderMethod } = useJobContext()
  const [{ initialParts, parts, removed }, dispatch] = useReducer(customiserReducer, firstParts, initialState)
  useEffect(() => {
    if (parts !== initialParts) save([...parts, ...removed])
  }, [parts, removed, initialParts, save])

  const importedData = orderMethod === 'prepay' ? job.prepaySettings.importedData : job.importedData
  const steps = useMemo(
    () => customiseSteps(initialParts, { orderMethod, importedData, subject }),
    [initialParts, orderMethod, importedData, subject],
  )
  const displayed = useDisplayedPackages({ jobId, initialParts, parts, steps, subject, images, lineImages, dispatch })
  return {
    ...displayed,
    parts,
    dispatch,
    problems: fieldProblems(parts, subject, orderMethod).filter((problem) =>
      displayed.groups.some((group) => isFieldOfStep(group.first, problem)),
    ),
  }
}

/** Whether the field belongs to the item of this step. */
export const isFieldOfStep = (step: CustomiseStep, problem: FieldProblem): boolean =>
  problem.part === step.part && problem.itemId === step.item.id

/** Whether another print accepts this image and has a different one now. */
export const isUsableElsewhere = (
  parts: readonly CustomisedPackage[],
  { first, duplicates }: StepGroup,
  imageId: number,
): boolean =>
  parts.some((part, index) =>
    editableImageNodes(part).some(({ item, node }) => {
      const isThisStep = [first, ...duplicates].some((step) => step.part === index && step.item.id === item.id)
      const currentImageId = chosenImageId(part.images.find((choice) => choice.packageItemImageNodeId === node.id))
      return (
        !isThisStep &&
        currentImageId !== null &&
        currentImageId !== imageId &&
        isGroupNode(node) === first.imageNodes.some(isGroupNode)
      )
    }),
  )
