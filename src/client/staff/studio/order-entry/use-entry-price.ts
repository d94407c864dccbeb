import { useEffect, useRef, useState } from 'react'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import type { Totals } from '#contract/customer/checkout-calls.ts'
import { type EntryDraft, priceEntry } from '#contract/studio/order-entry.ts'
import { useOnline } from '#platform/online.ts'

/** Debounce in milliseconds before the server prices the form. */
const pauseMs = 300

export type EntryErrors = Readonly<Record<string, string[]>>

type EntryPrice = { totals?: Totals; faults: EntryErrors; errors: readonly string[] }

const noPrice: EntryPrice = { faults: {}, errors: [] }

/** The server's price of the draft, requested after each change and when the network returns. */
export const useEntryPrice = ({ studioId, jobId }: JobParams, draft: EntryDraft) => {
  const [priced, setPriced] = useState<EntryPrice>(noPrice)
  const online = useOnline()
  const draftJson = JSON.stringify(draft)
  const newest = useRef(draftJson)
  newest.current = draftJson
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the draft triggers pricing
  useEffect(() => {
    if (draft.lines.length === 0) return setPriced(noPrice)
    const controller = new AbortController()
    const pause = setTimeout(async () => {
      const answer = await authorizedRequest(priceEntry, {
        params: { studioId, jobId },
        body: draft,
        signal: controller.signal,
      })
      if (controller.signal.aborted || newest.current !== draftJson) return
      if (answer.ok) setPriced({ ...answer.data, errors: [] })
      else setPriced({ faults: answer.fields ?? {}, errors: answer.errors })
    }, pauseMs)
    return () => {
      controller.abort()
      clearTimeout(pause)
    }
  }, [draftJson, online])
  return { priced, clearPrice: () => setPriced(noPrice) }
}
