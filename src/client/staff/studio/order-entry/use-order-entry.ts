import { useEffect, useState } from 'react'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import type { EntryForm, EntryPackage, EntryResult, EntrySubject } from '#contract/studio/order-entry.ts'
import { randomId } from '#local/outbox/device-stamp.ts'
import { defaultImages, type EntryFormLine, isMissingImage, requiredTexts } from './entry-form-values.ts'
import { useEntryDraft } from './use-entry-draft.ts'
import type { EntryFieldRefs } from './use-entry-shortcuts.ts'

/** A sequence of order forms: subject, draft and last order. Moves the focus to where the next key belongs. */
export const useOrderEntry = (job: JobParams, form: EntryForm, { subjectInput, packageInput }: EntryFieldRefs) => {
  const entry = useEntryDraft(job, form)
  const { values, change } = entry
  const [subject, setSubject] = useState<EntrySubject | undefined>()
  const [entered, setEntered] = useState<EntryResult | undefined>()
  const [added, setAdded] = useState<string | undefined>()

  // A package that requires input gets the focus; otherwise it stays in the package field.
  useEffect(() => {
    if (added === undefined) return
    const requiredField = document.querySelector<HTMLElement>(`[data-line="${added}"] [data-asked] :is(select, input)`)
    const next = requiredField ?? packageInput.current
    next?.focus()
  }, [added, packageInput])

  const add = (entryPackage: EntryPackage, quantity: number): boolean => {
    const isSearching = subjectInput.current?.value.trim() !== ''
    if (!subject || isSearching) {
      // While a subject is being looked up, the focus stays for the next Enter.
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
    if (needsTexts || needsImage) setAdded(line.id)
    else packageInput.current?.focus()
    return true
  }
  const choose = (next: EntrySubject): void => {
    setSubject(next)
    setEntered(undefined)
    if (values.customer.lastName === '') change({ customer: { ...values.customer, lastName: next.lastName } })
    packageInput.current?.focus()
  }
  const order = async (): Promise<void> => {
    const done = await entry.order()
    if (!done) return
    setEntered(done)
    setSubject(undefined)
    setAdded(undefined)
    subjectInput.current?.focus()
  }
  const begin = (): void => {
    entry.begin()
    setSubject(undefined)
    subjectInput.current?.focus()
  }
  const dismiss = (): void => setEntered(undefined)
  return { ...entry, subject, entered, add, choose, order, begin, dismiss }
}
