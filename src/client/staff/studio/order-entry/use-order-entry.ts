import { useEffect, useState } from 'react'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import type { EntryForm, EntryPackage, EntryResult, EntrySubject } from '#contract/studio/order-entry.ts'
import { randomId } from '#local/outbox/device-stamp.ts'
import { defaultImages, type EntryFormLine, isMissingImage, requiredTexts } from './entry-form-values.ts'
import { useEntryDraft } from './use-entry-draft.ts'
import type { EntryFieldRefs } from './use-entry-shortcuts.ts'

/** A sequence of order forms: subject, draft and last order. Moves the focus to where the next key belongs. */
export const useOrderEntry = (
  job: JobParams,
  form: EntryForm,
  { subjectInput: who, packageInput: which }: EntryFieldRefs,
) => {
  const entry = useEntryDraft(job, form)
  const { keyed, change } = entry
  const [subject, setSubject] = useState<EntrySubject | undefined>()
  const [entered, setEntered] = useState<EntryResult | undefined>()
  const [added, setAdded] = useState<string | undefined>()

  // A package that requires input gets the focus; otherwise it stays in the package field.
  useEffect(() => {
    if (added === undefined) return
    const asked = document.querySelector<HTMLElement>(`[data-line="${added}"] [data-asked] :is(select, input)`)
    const next = asked ?? which.current
    next?.focus()
  }, [added, which])

  const add = (one: EntryPackage, quantity: number): boolean => {
    const isAsked = who.current?.value.trim() !== ''
    if (!subject || isAsked) {
      // While a subject is being looked up, the focus stays for the next Enter.
      if (!isAsked) who.current?.focus()
      return false
    }
    const packageId = one.package.id
    const line: EntryFormLine = {
      id: randomId(),
      subject,
      packageId,
      quantity,
      ...defaultImages(subject, one),
      texts: {},
    }
    change({ lines: [...keyed.lines, line] })
    const asks = requiredTexts(line, one).length > 0
    const choosesPicture = keyed.orderMethod === 'gallery' && isMissingImage(line, one)
    if (asks || choosesPicture) setAdded(line.id)
    else which.current?.focus()
    return true
  }
  const choose = (next: EntrySubject): void => {
    setSubject(next)
    setEntered(undefined)
    if (keyed.customer.lastName === '') change({ customer: { ...keyed.customer, lastName: next.lastName } })
    which.current?.focus()
  }
  const order = async (): Promise<void> => {
    const done = await entry.order()
    if (!done) return
    setEntered(done)
    setSubject(undefined)
    setAdded(undefined)
    who.current?.focus()
  }
  const begin = (): void => {
    entry.begin()
    setSubject(undefined)
    who.current?.focus()
  }
  const dismiss = (): void => setEntered(undefined)
  return { ...entry, subject, entered, add, choose, order, begin, dismiss }
}
