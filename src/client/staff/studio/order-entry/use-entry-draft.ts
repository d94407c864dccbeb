import { useRef, useState } from 'react'
import { formDrafts } from '#client/staff/kit/form/form-drafts.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import type { Totals } from '#contract/customer/checkout-calls.ts'
import { type EntryForm, type EntryResult, enterOrder } from '#contract/studio/order-entry.ts'
import { randomId } from '#local/outbox/device-stamp.ts'
import { type EntryFormValues, emptyEntryForm, entryDraftOf, parseCents } from './entry-form-values.ts'
import { type EntryErrors, useEntryPrice } from './use-entry-price.ts'

export type EntryDraftState = {
  values: EntryFormValues
  change: (change: Partial<EntryFormValues>) => void
  totals: Totals | undefined
  /** The server's validation errors; shown after a first attempt to order. */
  faults: EntryErrors
  /** Why pricing or ordering failed. */
  errors: readonly string[]
  wasTried: boolean
  busy: boolean
  order: () => Promise<EntryResult | undefined>
  begin: () => void
}

const isEntryFormValues = (stored: unknown): stored is EntryFormValues =>
  typeof stored === 'object' && stored !== null && 'entryKey' in stored && 'lines' in stored && 'payment' in stored

/** An order form: stored in this tab until it is ordered, and priced by the server on each change. */
export const useEntryDraft = (job: JobParams, form: EntryForm): EntryDraftState => {
  const { studioId, jobId } = job
  const name = `entry ${jobId}`
  const [values, setValues] = useState<EntryFormValues>(() => {
    const stored = formDrafts.read(name)
    return isEntryFormValues(stored) ? stored : emptyEntryForm(form, randomId())
  })
  const [rejected, setRejected] = useState<{ faults: EntryErrors; errors: readonly string[] }>({
    faults: {},
    errors: [],
  })
  const [wasTried, setTried] = useState(false)
  const submit = useStaffMutation(enterOrder)
  const newestKey = useRef(values.entryKey)
  newestKey.current = values.entryKey

  const change = (changes: Partial<EntryFormValues>) => {
    setRejected({ faults: {}, errors: [] })
    setValues((before) => {
      const next = { ...before, ...changes }
      formDrafts.keep(name, next)
      return next
    })
  }

  const draft = entryDraftOf(values)
  const { priced, clearPrice } = useEntryPrice(job, draft)

  const begin = () => {
    formDrafts.drop(name)
    setValues(emptyEntryForm(form, randomId()))
    setTried(false)
    clearPrice()
    setRejected({ faults: {}, errors: [] })
  }

  const order = async (): Promise<EntryResult | undefined> => {
    // Held keys repeat.
    if (submit.busy) return undefined
    setTried(true)
    const { totals } = priced
    if (!totals || draft.lines.length === 0) return undefined
    const { method, received, checkNumber } = values.payment
    const receivedCents = parseCents(received)
    if (receivedCents === null) {
      setRejected({ faults: { 'payment.receivedCents': ['Enter what was handed over'] }, errors: [] })
      return undefined
    }
    const body = {
      entryKey: values.entryKey,
      draft,
      totalCents: totals.totalCents,
      payment: { method, receivedCents, checkNumber },
    }
    const answer = await submit.mutate({ params: { studioId, jobId }, body }, { onError: 'silent' })
    if (!answer.ok) {
      setRejected({ faults: answer.fields ?? {}, errors: answer.errors })
      return undefined
    }
    // The user may have begun the next form already.
    if (newestKey.current === body.entryKey) begin()
    return answer.data
  }
  return {
    values,
    change,
    totals: priced.totals,
    faults: { ...priced.faults, ...rejected.faults },
    errors: rejected.errors.length > 0 ? rejected.errors : priced.errors,
    wasTried,
    busy: submit.busy,
    order,
    begin,
  }
}
