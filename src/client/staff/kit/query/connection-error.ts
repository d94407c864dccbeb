import { failureCauseOf } from '#local/transport/failure-cause.ts'

const titles: Partial<Record<ReturnType<typeof failureCauseOf>, string>> = {
  offline: 'There is no connection right now',
  unreachable: 'There was no answer',
}

/** Title for a failure to reach the server; undefined if the server answered. */
export const notReachedTitle = (failure: Parameters<typeof failureCauseOf>[0]): string | undefined =>
  titles[failureCauseOf(failure)]
