import { useEffect, useRef, useState } from 'react'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import type { Totals } from '#contract/shapes/order-structs.ts'
import { type EntryDraft, priceEntry } from '#contract/studio/order-entry.ts'
import { useOnline } from '#platform/online.ts'

/** Debounce in milliseconds before the server prices the form. */
const debounceMs = 300

export type EntryErrors = Readonly<Record<string, string[]>>

type EntryPrice = { totals?: Totals; faults: EntryErrors; errors: readonly string[] }

const noPrice: EntryPrice = { faults: {}, errors: [] }

/** The server's price of the draft, requested after each change and when the network returns. */
export const useEntryPrice = ({ studioId, jobId }: JobParams, draft: EntryDraft) => {
  const [price, setPrice] = useState<EntryPrice>(noPrice)
  const online = useOnline()
  const draftJson = JSON.stringify(draft)
  const currentDraft = useRef(draftJson)
  currentDraft.current = draftJson
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the draft or the connection triggers pricing
  useEffect(() => {
    if (draft.lines.length === 0) return setPrice(noPrice)
    const controller = new AbortController()
    const timeout = setTimeout(async () => {
      const answer = await authorizedRequest(priceEntry, {
        params: { studioId, jobId },
        body: draft,
        signal: controller.signal,
      })
      if (controller.signal.aborted || currentDraft.current !== draftJson) return
      if (answer.ok) setPrice({ ...answer.data, errors: [] })
      else setPrice({ faults: answer.fields ?? {}, errors: answer.errors })
    }, debounceMs)
    return () => {
      controller.abort()
      clearTimeout(timeout)
    }
  }, [draftJson, online])
  return { price, clearPrice: () => setPrice(noPrice) }
}
