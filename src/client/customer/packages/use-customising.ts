import { useEffect, useMemo, useReducer, useState } from 'react'
import type { Image } from '../../../contract/customer-find.ts'
import type { ImageFact } from '../../../domain/cart.ts'
import { useEvent } from '../event.tsx'
import type { Person } from '../person.ts'
import type { useDraft } from '../use-draft.ts'
import { backgroundFactsOf, isBackgroundPlace, partsTogether, useBackgrounds } from './backgrounds.ts'
import { customise, placesOf } from './customising.ts'
import { draftOf } from './draft.ts'
import { type Part, previewOf } from './part.ts'
import { factsOf, imageOf, isForGroup } from './pictures.ts'
import {
  type Gap,
  gapsOf,
  groupSteps,
  likenessOf,
  type Step,
  type StepGroup,
  stepsOf,
  untouchedItems,
} from './steps.ts'

type Given = {
  first: Part[]
  person: Person
  images: readonly Image[]
  /** Pictures that a line in the cart knows already. */
  known: readonly ImageFact[]
  draft: ReturnType<typeof useDraft>
}

/** Packages while they are customised: what they are by now, what to show of them, what is missing. Each change becomes a draft. */
export const useCustomising = ({ first, person, images, known, draft }: Given) => {
  const { job, jobId, orderMethod } = useEvent()
  const [parts, doing] = useReducer(customise, first)
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (parts !== first) draft.save(draftOf(parts))
  }, [parts, first, draft])

  const importedData = orderMethod === 'prepay' ? job.prepaySettings.importedData : job.importedData
  const steps = useMemo(
    () => stepsOf(first, { orderMethod, importedData, subject: person }),
    [first, orderMethod, importedData, person],
  )
  // Grouped by how it began: cards must not run together under somebody's finger.
  const groups = useMemo(() => groupSteps(steps, { parts: first, apart }), [steps, first, apart])
  const backgrounds = useBackgrounds(jobId, images)
  const facts = [...factsOf(images), ...backgroundFactsOf(backgrounds ?? []), ...known]
  const shownFrom = [...images, ...(backgrounds ?? []).map(({ imageId, previewUrl }) => ({ id: imageId, previewUrl }))]
  const isBackgroundHere = (group: StepGroup) => isBackgroundPlace(group, { groups, parts, images })
  return {
    parts,
    doing,
    groups,
    facts,
    urls: new Map(shownFrom.map(({ id, previewUrl }) => [id, previewUrl])),
    /** The backgrounds to choose from with this group of items; undefined where there is nothing to choose. */
    backgroundsFor: (group: StepGroup) => (backgrounds?.length && isBackgroundHere(group) ? backgrounds : undefined),
    stand: (group: StepGroup, greenScreenId: number | null) => {
      for (const part of partsTogether(group.first.part, groups)) doing({ do: 'stand', part, greenScreenId })
    },
    lines: parts.map((part) => previewOf(part, person, facts)),
    gaps: gapsOf(parts, person, orderMethod).filter((gap) => groups.some((group) => isOn(group.first, gap))),
    rest: untouchedItems(first, steps),
    makeDifferent: ({ first: step }: StepGroup) => setApart(new Set([...apart, likenessOf(step)])),
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
      return !own && held !== null && held !== imageId && isForGroup(node) === first.imageNodes.some(isForGroup)
    }),
  )
