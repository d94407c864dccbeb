import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import {
  ignoreOrderErrors,
  type OrderErrorResult,
  type OrderErrorRow,
  reopenOrderErrors,
  retryOrderErrors,
  type SelectedOrderErrors,
} from '#contract/system/order-errors.ts'
import { maxOrderErrorsPerCall, orderErrorKinds } from '#domain/orders/order-error-kinds.ts'

/** The id of an error in a list. */
export const errorKey = ({ kind, id }: Pick<OrderErrorRow, 'kind' | 'id'>): string => `${kind}:${id}`

/** Selects single errors by their ids in a list. */
export const selectErrors = (keys: Iterable<string>): SelectedOrderErrors => ({
  errors: [...keys].slice(0, maxOrderErrorsPerCall).flatMap((key) => {
    const kind = orderErrorKinds.find((name) => key.startsWith(`${name}:`))
    return kind === undefined ? [] : [{ kind, id: key.slice(kind.length + 1) }]
  }),
})

/** What an action did: its message, the errors that stay as they are, and a way to continue with the rest. */
export type ActionResult = Pick<OrderErrorResult, 'refused'> & {
  readonly message: string
  readonly runRest: (() => Promise<unknown>) | undefined
}

const formatErrorCount = (count: number): string => `${formatCount(count)} ${count === 1 ? 'error' : 'errors'}`

/** The actions on errors, and the result of the last one. Each returns whether the server answered. */
export const useOrderErrorActions = () => {
  const retrying = useStaffMutation(retryOrderErrors)
  const ignoring = useStaffMutation(ignoreOrderErrors)
  const reopening = useStaffMutation(reopenOrderErrors)
  const [result, setResult] = useState<ActionResult | null>(null)

  const show = ({ done, refused, rest }: OrderErrorResult, text: string, runAgain?: () => Promise<unknown>) =>
    setResult({ message: `${formatErrorCount(done)} ${text}`, refused, runRest: rest > 0 ? runAgain : undefined })

  const retry = async (which: SelectedOrderErrors): Promise<boolean> => {
    const answer = await retrying.mutate({ body: { which } })
    // Errors that are retried stay in the list until their source is healthy, so that a second call would retry the same ones.
    if (answer.ok) show(answer.data, 'retried. Each leaves the list as soon as it succeeds.')
    return answer.ok
  }
  const reopen = async (which: SelectedOrderErrors): Promise<boolean> => {
    const answer = await reopening.mutate({ body: { which } })
    if (answer.ok) show(answer.data, 'shown again.', () => reopen(which))
    return answer.ok
  }
  const ignore = async (which: SelectedOrderErrors, reason: string) => {
    const answer = await ignoring.mutate({ body: { which, reason } }, { onError: 'silent' })
    if (answer.ok) show(answer.data, 'ignored until it fails again.', () => ignore(which, reason))
    return answer
  }
  return {
    result,
    dismissResult: () => setResult(null),
    retry,
    reopen,
    ignore,
    busy: retrying.busy || ignoring.busy || reopening.busy,
  }
}

export type OrderErrorActions = ReturnType<typeof useOrderErrorActions>
