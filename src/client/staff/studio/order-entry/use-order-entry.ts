import { useEffect, useState } from 'react'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import type { EntryForm, EntryPackage, EntryResult, EntrySubject } from '#contract/studio/order-entry.ts'
import { randomId } from '#local/outbox/device-stamp.ts'
import { defaultImages, type EntryFormLine, isMissingImage, requiredTexts } from './entry-form-values.ts'
import { useEntryDraft } from './use-entry-draft.ts'
import type { EntryFieldRefs } from './use-entry-shortcuts.ts'

/** State of the order entry: the subject, the form's values and the last order. Moves the focus to the next field to fill in. */
export const useOrderEntry = (job: JobParams, form: EntryForm, { subjectInput, packageInput }: EntryFieldRefs) => {
  const draftState = useEntryDraft(job, form)
  const { values, change } = draftState
  const [subject, setSubject] = useState<EntrySubject | undefined>()
  const [lastOrder, setLastOrder] = useState<EntryResult | undefined>()
  const [addedLineId, setAddedLineId] = useState<string | undefined>()

  // Focuses the first required field of a new line, or the package field if nothing is required.
  useEffect(() => {
    if (addedLineId === undefined) return
    const requiredField = document.querySelector<HTMLElement>(
      `[data-line="${addedLineId}"] [data-asked] :is(select, input)`,
    )
    const nextField = requiredField ?? packageInput.current
    nextField?.focus()
  }, [addedLineId, packageInput])

  const addPackage = (entryPackage: EntryPackage, quantity: number): boolean => {
    const isSearching = subjectInput.current?.value.trim() !== ''
    if (!subject || isSearching) {
      // While the user searches for a subject, the focus stays in the field.
      if (!isSearching) subjectInput.current?.focus()
      return false
    }
    const packageId = entryPackage.package.id
    const line: EntryFormLine = {
      id: randomId(),
      subject,
      packageId,
      quantity,
      ...defaultImages(subject, entryPackage),
      texts: {},
    }
    change({ lines: [...values.lines, line] })
    const needsTexts = requiredTexts(line, entryPackage).length > 0
    const needsImage = values.orderMethod === 'gallery' && isMissingImage(line, entryPackage)
    if (needsTexts || needsImage) setAddedLineId(line.id)
    else packageInput.current?.focus()
    return true
  }
  const chooseSubject = (chosenSubject: EntrySubject): void => {
    setSubject(chosenSubject)
    setLastOrder(undefined)
    if (values.customer.lastName === '') change({ customer: { ...values.customer, lastName: chosenSubject.lastName } })
    packageInput.current?.focus()
  }
  const submit = async (): Promise<void> => {
    const result = await draftState.submit()
    if (!result) return
    setLastOrder(result)
    setSubject(undefined)
    setAddedLineId(undefined)
    subjectInput.current?.focus()
  }
  const startOver = (): void => {
    draftState.startOver()
    setSubject(undefined)
    subjectInput.current?.focus()
  }
  const dismissLastOrder = (): void => setLastOrder(undefined)
  return { ...draftState, subject, lastOrder, addPackage, chooseSubject, submit, startOver, dismissLastOrder }
}
