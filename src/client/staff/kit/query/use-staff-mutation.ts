import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Infer } from 'superstruct'
import type { AnyCall } from '#contract/shapes/call.ts'
import type { CallInput, CallResult } from '#local/transport/request.ts'
import { toastError } from '#ui/toast/toast.ts'
import { authorizedRequest } from './authorized-request.ts'

type MutationOptions = { onError?: 'toast' | 'silent' }

export type StaffMutation<Call extends AnyCall> = {
  /** Makes the call. A failure shows a toast (section 8), unless `onError` is `silent`. */
  mutate: (input: CallInput<Call>, options?: MutationOptions) => Promise<CallResult<Infer<Call['answer']>>>
  /** True until the response arrives. */
  busy: boolean
}

/** A write call of the contract. A successful call invalidates all queries, since it may have changed the data of any of them. */
export const useStaffMutation = <Call extends AnyCall>(call: Call): StaffMutation<Call> => {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const pendingCount = useRef(0)
  const mutate: StaffMutation<Call>['mutate'] = async (input, { onError = 'toast' } = {}) => {
    pendingCount.current += 1
    setBusy(true)
    const answer = await authorizedRequest(call, input)
    pendingCount.current -= 1
    if (pendingCount.current === 0) setBusy(false)
    if (answer.ok) void client.invalidateQueries()
    else if (onError === 'toast') toastError(answer.errors)
    return answer
  }
  return { mutate, busy }
}
