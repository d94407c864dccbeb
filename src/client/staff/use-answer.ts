import { useQuery } from '@tanstack/react-query'
import type { Infer } from 'superstruct'
import { type AnyCall, pathOf } from '../../contract/call.ts'
import type { Failed, Given } from '../../local/ask.ts'
import { askStaff } from './ask-staff.ts'

/** A failed answer, as the query library wants it: thrown. */
class NotAnswered extends Error {
  readonly failed: Failed

  constructor(failed: Failed) {
    super(failed.errors.join('\n'))
    this.failed = failed
  }
}

export type Reading<Data> = {
  /** The last answer there was; what a list shows until its next page is there. */
  data: Data | undefined
  /** Why there is no newer one; what was answered before stands beside it. */
  failed: Failed | undefined
  /** Something is being asked, whatever is shown meanwhile. */
  isAsking: boolean
  /** What is shown was answered to another question (an earlier page, an earlier filter). */
  isOld: boolean
  again: () => void
}

type Asking<Asked extends AnyCall> = Pick<Given<Asked>, 'params' | 'query'> & {
  /** False asks nothing yet. */
  when?: boolean
  /** Milliseconds after which it is asked again by itself, while something long goes on. */
  everyMs?: number | undefined
}

/** A read of the contract, kept for this tab; asked again after every change that staff make (`useChange`), and as the network returns. */
export const useAnswer = <Asked extends AnyCall>(
  call: Asked,
  { params = {}, query = {}, when = true, everyMs }: Asking<Asked> = {},
): Reading<Infer<Asked['answer']>> => {
  // Without its parameters a call has no path yet.
  const path = when ? pathOf(call, params, {}) : call.path
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [path, query],
    enabled: when,
    // An earlier page of the same list; never an earlier thing in the place of another.
    placeholderData: (before: Infer<Asked['answer']> | undefined, asked) =>
      asked?.queryKey[0] === path ? before : undefined,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    queryFn: async ({ signal }): Promise<Infer<Asked['answer']>> => {
      const answer = await askStaff(call, { params, query, signal })
      if (!answer.ok) throw new NotAnswered(answer)
      return answer.data
    },
  })
  const failed = error instanceof NotAnswered ? error.failed : undefined
  return { data, failed, isAsking: isFetching, isOld: isPlaceholderData, again: () => void refetch() }
}
