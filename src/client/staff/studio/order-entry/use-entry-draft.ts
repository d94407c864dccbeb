import { useRef, useState } from 'react'
import { formDrafts } from '#client/staff/kit/form/form-drafts.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import type { Totals } from '#contract/shapes/order-structs.ts'
import { type EntryForm, type EntryResult, enterOrder } from '#contract/studio/order-entry.ts'
import { randomId } from '#local/outbox/device-stamp.ts'
import { type EntryFormValues, emptyEntryForm, entryDraftOf, parseCents } from './entry-form-values.ts'
import { type EntryErrors, useEntryPrice } from './use-entry-price.ts'

export type EntryDraftState = {
  values: EntryFormValues
  change: (changes: Partial<EntryFormValues>) => void
  totals: Totals | undefined
  /** Validation errors by field path; shown after the first attempt to submit. */
  faults: EntryErrors
  /** Why pricing or ordering failed. */
  errors: readonly string[]
  wasSubmitted: boolean
  busy: boolean
  submit: () => Promise<EntryResult | undefined>
  /** Empties the form. */
  startOver: () => void
}

const isEntryFormValues = (draft: unknown): draft is EntryFormValues =>
  typeof draft === 'object' && draft !== null && 'entryKey' in draft && 'lines' in draft && 'payment' in draft

/** The values of an order form, stored in this tab until the order is submitted, and priced by the server on each change. */
export const useEntryDraft = (job: JobParams, form: EntryForm): EntryDraftState => {
  const { studioId, jobId } = job
  const name = `entry ${jobId}`
  const [values, setValues] = useState<EntryFormValues>(() => {
    const storedValues = formDrafts.read(name)
    return isEntryFormValues(storedValues) ? storedValues : emptyEntryForm(form, randomId())
  })
  const [rejection, setRejection] = useState<{ faults: EntryErrors; errors: readonly string[] }>({
    faults: {},
    errors: [],
  })
  const [wasSubmitted, setSubmitted] = useState(false)
  const mutation = useStaffMutation(enterOrder)
  const currentKey = useRef(values.entryKey)
  currentKey.current = values.entryKey

  const change = (changes: Partial<EntryFormValues>) => {
    setRejection({ faults: {}, errors: [] })
    setValues((previous) => {
      const nextValues = { ...previous, ...changes }
      formDrafts.store(name, nextValues)
      return nextValues
    })
  }

  const draft = entryDraftOf(values)
  const { price, clearPrice } = useEntryPrice(job, draft)

  const startOver = () => {
    formDrafts.drop(name)
    setValues(emptyEntryForm(form, randomId()))
    setSubmitted(false)
    clearPrice()
    setRejection({ faults: {}, errors: [] })
  }

  const submit = async (): Promise<EntryResult | undefined> => {
    // A key that is held down submits repeatedly.
    if (mutation.busy) return undefined
    setSubmitted(true)
    const { totals } = price
    if (!totals || draft.lines.length === 0) return undefined
    const { method, received, checkNumber } = values.payment
    const receivedCents = parseCents(received)
    if (receivedCents === null) {
      setRejection({ faults: { 'payment.receivedCents': ['Enter the amount received'] }, errors: [] })
      return undefined
    }
    const body = {
      entryKey: values.entryKey,
      draft,
      totalCents: totals.totalCents,
      payment: { method, receivedCents, checkNumber },
    }
    const answer = await mutation.mutate({ params: { studioId, jobId }, body }, { onError: 'silent' })
    if (!answer.ok) {
      setRejection({ faults: answer.fields ?? {}, errors: answer.errors })
      return undefined
    }
    // The user may already have started the next form.
    if (currentKey.current === body.entryKey) startOver()
    return answer.data
  }
  return {
    values,
    change,
    totals: price.totals,
    faults: { ...price.faults, ...rejection.faults },
    errors: rejection.errors.length > 0 ? rejection.errors : price.errors,
    wasSubmitted,
    busy: mutation.busy,
    submit,
    startOver,
  }
}
