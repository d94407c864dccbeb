import { useEffect, useMemo, useState } from 'react'
import { useDraft } from '#client/customer/shared/drafts/use-draft.ts'
import type { OrderRoute } from '#platform/urls.ts'
import type { PackageDraft } from '../customiser/customise-draft.ts'
import type { CustomisedPackage } from '../customiser/customised-package.ts'
import {
  applyPackageDiff,
  imageChoiceSteps,
  type OrderImageChoice,
  type OrderImageLine,
  packageDiff,
  toCustomisedPackage,
} from './image-choice.ts'
import {
  changesFromDraft,
  type ImageChoiceDraft,
  imageChoiceDraftKey,
  toImageChoiceDraft,
} from './image-choice-draft.ts'
import type { PersonalizationChange } from './personalization-texts.tsx'

/** A line of the order with its package as loaded and as changed by the customer. */
export type ChangedLine = { orderLine: OrderImageLine; initial: CustomisedPackage; part: CustomisedPackage }

/** A copy of the changes with the change of one line set; null removes it. */
const withChange = <Change>(changes: ReadonlyMap<number, Change>, id: number, change: Change | null) => {
  const next = new Map(changes)
  if (change === null) next.delete(id)
  else next.set(id, change)
  return next
}

/** The customer's changes to an order. Each is stored as a draft on this device as it is made. */
export const useImageChoiceChanges = (
  { jobId, orderNumber }: OrderRoute,
  imageChoice: OrderImageChoice,
  savedDraft: ImageChoiceDraft | null,
) => {
  const draft = useDraft(imageChoiceDraftKey(jobId, orderNumber))
  // The order and draft as they were when opened: later reads must not bring back a draft that has been submitted.
  const [initialChoice] = useState(imageChoice)
  const [initialChanges] = useState(() => changesFromDraft(imageChoice, savedDraft))
  const [packageChanges, setPackageChanges] = useState<ReadonlyMap<number, PackageDraft>>(initialChanges.lines)
  const [textChanges, setTextChanges] = useState<ReadonlyMap<number, PersonalizationChange>>(initialChanges.words)
  useEffect(() => {
    if (packageChanges !== initialChanges.lines || textChanges !== initialChanges.words)
      draft.save(toImageChoiceDraft(initialChoice, { lines: packageChanges, words: textChanges }))
  }, [packageChanges, textChanges, initialChanges, draft, initialChoice])

  const editableLines = useMemo(
    () =>
      imageChoice.lines
        .filter((line) => imageChoiceSteps(line).length > 0)
        .map((orderLine) => ({ orderLine, initial: toCustomisedPackage(orderLine, imageChoice.organizationType) })),
    [imageChoice],
  )
  return {
    lines: editableLines.map(
      ({ orderLine, initial }): ChangedLine => ({
        ...{ orderLine, initial },
        part: applyPackageDiff(initial, packageChanges.get(orderLine.id), orderLine),
      }),
    ),
    textChanges,
    isChanged: packageChanges.size + textChanges.size > 0,
    changePart:
      ({ orderLine, initial, part }: ChangedLine) =>
      (change: (before: CustomisedPackage) => CustomisedPackage): void =>
        setPackageChanges((changes) => {
          const before = changes.has(orderLine.id)
            ? applyPackageDiff(initial, changes.get(orderLine.id), orderLine)
            : part
          return withChange(changes, orderLine.id, packageDiff(initial, change(before)))
        }),
    changeText: (id: number, change: PersonalizationChange | null): void =>
      setTextChanges((changes) => withChange(changes, id, change)),
    dropDraft: draft.drop,
  }
}
