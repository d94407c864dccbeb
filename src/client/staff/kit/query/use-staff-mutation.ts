import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Infer } from 'superstruct'
import type { AnyCall } from '#contract/shapes/call.ts'
import type { CallInput, CallResult } from '#local/transport/request.ts'
import { toastError } from '#ui/toast/toast.ts'
import { authorizedRequest } from './authorized-request.ts'

export type StaffMutation<Asked extends AnyCall> = {
  /** Makes the call; a failure is told by a toast (section 8), unless whoever asks says it themselves (`tell: 'nobody'`). */
  mutate: (given: CallInput<Asked>, tell?: 'toast' | 'nobody') => Promise<CallResult<Infer<Asked['answer']>>>
  /** From the tap until the answer. */
  busy: boolean
}

/** A write of the contract. Once it is done everything on the screen is asked anew, since much of it may have changed with it. */
export const useStaffMutation = <Asked extends AnyCall>(call: Asked): StaffMutation<Asked> => {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const running = useRef(0)
  const make: StaffMutation<Asked>['mutate'] = async (given, tell = 'toast') => {
    running.current += 1
    setBusy(true)
    const answer = await authorizedRequest(call, given)
    running.current -= 1
    if (running.current === 0) setBusy(false)
    if (answer.ok) void client.invalidateQueries()
    else if (tell === 'toast') toastError(answer.errors)
    return answer
  }
  return { mutate: make, busy }
}
