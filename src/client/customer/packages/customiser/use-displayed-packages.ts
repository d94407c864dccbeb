import { type Dispatch, useMemo, useState } from 'react'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { SnapshotImage } from '#domain/cart/cart.ts'
import { toSnapshotImages } from '../images/node-images.ts'
import {
  hasBackground,
  packagesSharingBackground,
  showsBackgroundChoice,
  toBackgroundSnapshotImages,
  useBackgrounds,
} from '../images/package-backgrounds.ts'
import type { PackageSubject } from '../package-subject.ts'
import type { CustomiseAction } from './customise-reducer.ts'
import { type CustomiseStep, groupSteps, type StepGroup, stepSignature, unchangedItems } from './customise-steps.ts'
import { type CustomisedPackage, previewLine } from './customised-package.ts'
import { useLogAspectWarnings } from './use-log-aspect-warnings.ts'

type DisplayedPackagesInput = {
  jobId: number
  /** The packages at the start and now; both stable until they change. */
  first: readonly CustomisedPackage[]
  parts: readonly CustomisedPackage[]
  steps: readonly CustomiseStep[]
  person: PackageSubject
  images: readonly Image[]
  /** Images that a line already has. */
  known: readonly SnapshotImage[]
  dispatch: Dispatch<CustomiseAction>
}

/**
 * Prepares packages for display while images are chosen: merges identical items, each with its images and background.
 */
export const useDisplayedPackages = ({
  jobId,
  first,
  parts,
  steps,
  person,
  images,
  known,
  dispatch,
}: DisplayedPackagesInput) => {
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set())
  // Grouped by the initial state: cards must not merge while the customer uses them.
  const groups = useMemo(() => groupSteps(steps, { parts: first, apart }), [steps, first, apart])
  const backgrounds = useBackgrounds(jobId, { images, parts })
  useLogAspectWarnings(parts, images)
  const facts = useMemo(
    () => [...toSnapshotImages(images), ...toBackgroundSnapshotImages(backgrounds ?? []), ...known],
    [images, backgrounds, known],
  )
  const urls = useMemo(() => {
    const shown = [...images, ...(backgrounds ?? []).map(({ imageId, previewUrl }) => ({ id: imageId, previewUrl }))]
    return new Map(shown.map(({ id, previewUrl }) => [id, previewUrl]))
  }, [images, backgrounds])
  const hadBackground = (part: number) => hasBackground(first[part]) || hasBackground(parts[part])
  const isBackgroundHere = (group: StepGroup) => showsBackgroundChoice(group, { groups, parts, images, hadBackground })
  return {
    groups,
    facts,
    urls,
    /** The backgrounds to offer with this group of items; undefined if there is nothing to choose. */
    backgroundsFor: (group: StepGroup) =>
      // A chosen background that no longer exists must be replaced here.
      (backgrounds?.length || hadBackground(group.first.part)) && isBackgroundHere(group) ? backgrounds : undefined,
    stand: (group: StepGroup, greenScreenId: number | null) => {
      for (const part of packagesSharingBackground(group.first.part, groups))
        dispatch({ do: 'stand', part, greenScreenId })
    },
    lines: parts.map((part) => previewLine(part, person, facts)),
    rest: unchangedItems(first, steps),
    makeDifferent: ({ first: step }: StepGroup) => setApart(new Set([...apart, stepSignature(step)])),
  }
}
