import { type Dispatch, useEffect, useMemo, useRef, useState } from 'react'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { SnapshotImage } from '#domain/cart/cart.ts'
import { whenIdle } from '#platform/when-idle.ts'
import { toSnapshotImages } from '../images/node-images.ts'
import {
  hasBackground,
  packagesSharingBackground,
  showsBackgroundChoice,
  toBackgroundSnapshotImages,
  useBackgrounds,
} from '../images/package-backgrounds.ts'
import { type PackageSubject, useOrganizationType } from '../package-context.ts'
import type { CustomiseAction } from './customise-reducer.ts'
import { type CustomiseStep, groupSteps, type StepGroup, stepSignature, unchangedItems } from './customise-steps.ts'
import { type CustomisedPackage, previewLine } from './customised-package.ts'

type DisplayedPackagesInput = {
  jobId: number
  /** The packages at the start and now; both arrays keep their identity until they change. */
  initialParts: readonly CustomisedPackage[]
  parts: readonly CustomisedPackage[]
  steps: readonly CustomiseStep[]
  subject: PackageSubject
  images: readonly Image[]
  /** Images that a line already has. */
  lineImages: readonly SnapshotImage[]
  dispatch: Dispatch<CustomiseAction>
}

/**
 * Prepares packages for display while images are chosen: merges identical items, each with its images and background.
 */
export const useDisplayedPackages = ({
  jobId,
  initialParts,
  parts,
  steps,
  subject,
  images,
  lineImages,
  dispatch,
}: DisplayedPackagesInput) => {
  const [separateSignatures, setSeparateSignatures] = useState<ReadonlySet<string>>(new Set())
  // Grouped by the initial state: cards must not merge while the customer uses them.
  const groups = useMemo(
    () => groupSteps(steps, { parts: initialParts, separateSignatures }),
    [steps, initialParts, separateSignatures],
  )
  const backgrounds = useBackgrounds(jobId, { images, parts })
  const organizationType = useOrganizationType()
  const loggedWarnings = useRef(new Set<string>())
  useEffect(() => {
    // A warning that could not be logged changes nothing.
    const log = () =>
      import('./log-aspect-warnings.ts').then(
        (module) => module.logAspectWarnings({ parts, images, organizationType, logged: loggedWarnings.current }),
        () => undefined,
      )
    return whenIdle(() => void log())
  }, [parts, images, organizationType])
  const snapshotImages = useMemo(
    () => [...toSnapshotImages(images), ...toBackgroundSnapshotImages(backgrounds ?? []), ...lineImages],
    [images, backgrounds, lineImages],
  )
  const urls = useMemo(() => {
    const previews = [...images, ...(backgrounds ?? []).map(({ imageId, previewUrl }) => ({ id: imageId, previewUrl }))]
    return new Map(previews.map(({ id, previewUrl }) => [id, previewUrl]))
  }, [images, backgrounds])
  const hadBackground = (part: number) => hasBackground(initialParts[part]) || hasBackground(parts[part])
  const isBackgroundChosenHere = (group: StepGroup) =>
    showsBackgroundChoice(group, { groups, parts, images, hadBackground })
  return {
    groups,
    snapshotImages,
    urls,
    /** The backgrounds to offer with this group of items; undefined if there is nothing to choose. */
    backgroundsFor: (group: StepGroup) =>
      // A chosen background that no longer exists must be replaced here.
      (backgrounds?.length || hadBackground(group.first.part)) && isBackgroundChosenHere(group)
        ? backgrounds
        : undefined,
    setBackground: (group: StepGroup, greenScreenId: number | null) => {
      for (const part of packagesSharingBackground(group.first.part, groups))
        dispatch({ do: 'set-background', part, greenScreenId })
    },
    lines: parts.map((part) => previewLine(part, subject, snapshotImages)),
    unchanged: unchangedItems(initialParts, steps),
    isMadeDifferent: ({ first: step }: StepGroup) => separateSignatures.has(stepSignature(step)),
    makeDifferent: ({ first: step }: StepGroup) =>
      setSeparateSignatures(new Set([...separateSignatures, stepSignature(step)])),
  }
}
