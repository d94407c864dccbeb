import { type Dispatch, useMemo, useState } from 'react'
import type { Image } from '#contract/customer/discovery-calls.ts'
import type { ImageFact } from '#domain/cart/cart.ts'
import { factsOf } from '../images/node-images.ts'
import {
  backgroundFactsOf,
  isBackgroundPlace,
  partsTogether,
  standsOnOne,
  useBackgrounds,
} from '../images/package-backgrounds.ts'
import type { Person } from '../package-subject.ts'
import type { Doing } from './customise-reducer.ts'
import { groupSteps, likenessOf, type Step, type StepGroup, untouchedItems } from './customise-steps.ts'
import { type Part, previewOf } from './customised-package.ts'
import { useLoggedAspects } from './use-log-aspect-warnings.ts'

type Given = {
  jobId: number
  /** The packages as they began, and as they are by now; the same from render to render until they change. */
  first: readonly Part[]
  parts: readonly Part[]
  steps: readonly Step[]
  person: Person
  images: readonly Image[]
  /** Pictures that a line knows already. */
  known: readonly ImageFact[]
  doing: Dispatch<Doing>
}

/** Packages while their pictures are chosen, as the screen shows them: alike items in one, each drawn with its pictures and background. */
export const useShownParts = ({ jobId, first, parts, steps, person, images, known, doing }: Given) => {
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set())
  // Grouped by how it began: cards must not run together under somebody's finger.
  const groups = useMemo(() => groupSteps(steps, { parts: first, apart }), [steps, first, apart])
  const backgrounds = useBackgrounds(jobId, { images, parts })
  useLoggedAspects(parts, images)
  const facts = useMemo(
    () => [...factsOf(images), ...backgroundFactsOf(backgrounds ?? []), ...known],
    [images, backgrounds, known],
  )
  const urls = useMemo(() => {
    const shown = [...images, ...(backgrounds ?? []).map(({ imageId, previewUrl }) => ({ id: imageId, previewUrl }))]
    return new Map(shown.map(({ id, previewUrl }) => [id, previewUrl]))
  }, [images, backgrounds])
  const stood = (part: number) => standsOnOne(first[part]) || standsOnOne(parts[part])
  const isBackgroundHere = (group: StepGroup) => isBackgroundPlace(group, { groups, parts, images, stood })
  return {
    groups,
    facts,
    urls,
    /** The backgrounds to choose from with this group of items; undefined where there is nothing to choose. */
    backgroundsFor: (group: StepGroup) =>
      // One that was chosen and is gone has to be taken back here.
      (backgrounds?.length || stood(group.first.part)) && isBackgroundHere(group) ? backgrounds : undefined,
    stand: (group: StepGroup, greenScreenId: number | null) => {
      for (const part of partsTogether(group.first.part, groups)) doing({ do: 'stand', part, greenScreenId })
    },
    lines: parts.map((part) => previewOf(part, person, facts)),
    rest: untouchedItems(first, steps),
    makeDifferent: ({ first: step }: StepGroup) => setApart(new Set([...apart, likenessOf(step)])),
  }
}
