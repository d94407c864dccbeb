import { useState } from 'react'
import type { Infer } from 'superstruct'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import { type OrderErrorRow, retryOrderErrors } from '#contract/system/order-errors.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { toast } from '#ui/toast/toast.ts'

/** Errors by their keys, or all of a list. */
export type ChosenErrors = Infer<(typeof retryOrderErrors)['body']>

type Result = Infer<(typeof retryOrderErrors)['answer']>
export type RefusedError = Result['refusals'][number]

/** “3 errors retried. 200 more match” */
export const resultText = ({ done, remaining }: Result, verb: string): string => {
  const text = `${formatCount(done)} ${done === 1 ? 'error' : 'errors'} ${verb}`
  return remaining > 0 ? `${text}. ${formatCount(remaining)} more match` : text
}

/** Retries errors, and keeps those that could not be retried. */
export const useRetryErrors = () => {
  const { mutate, busy } = useStaffMutation(retryOrderErrors)
  const [refusals, showRefusals] = useState<readonly RefusedError[]>([])
  const retry = async (chosen: ChosenErrors): Promise<boolean> => {
    const answer = await mutate({ body: chosen })
    if (!answer.ok) return false
    showRefusals(answer.data.refusals)
    toast(resultText(answer.data, 'retried'), answer.data.done > 0 ? 'success' : undefined)
    return true
  }
  return { retry, busy, refusals, showRefusals }
}

type RefusedErrorsProps = {
  refusals: readonly RefusedError[]
  rows: readonly OrderErrorRow[]
  onDismiss: () => void
}

/** Why errors could not be resolved. */
export const RefusedErrors = ({ refusals, rows, onDismiss }: RefusedErrorsProps) => {
  if (refusals.length === 0) return null
  const nameOf = ({ source, id }: RefusedError): string =>
    rows.find((row) => row.source === source && row.id === id)?.orderNumber ?? `${source} ${id}`
  return (
    <Notice tone="attention" title={`${formatCount(refusals.length)} could not be resolved`} onDismiss={onDismiss}>
      <ul>
        {refusals.slice(0, 10).map((refusal) => (
          <li key={`${refusal.source} ${refusal.id}`}>
            {nameOf(refusal)}: {refusal.message}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
