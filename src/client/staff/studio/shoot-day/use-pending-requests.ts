import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useMemo, useRef } from 'react'
import { onSettledRequest, staffDatabase, staffSender } from '#client/staff/kit/query/staff-sender.ts'
import type { ShootSubject } from '#contract/studio/shoots.ts'
import type { MarkKind } from '#domain/subjects/attendance.ts'
import { randomId } from '#local/outbox/device-stamp.ts'
import { dropRequest, requestsOfJob, storeShootRequest } from '#local/outbox/staff-outbox.ts'
import { shootSubjectIn } from '#local/outbox/staff-queue.ts'
import type { JobKey, ShootRequest } from '#local/store/staff-database.ts'
import { toastError } from '#ui/toast/toast.ts'
import { isPendingRequest, type PendingRequest, requestSubjectKey } from './pending-requests.ts'

export type WalkUpValues = { firstName: string; lastName: string; groupName: string; code: string }

type OnSettled = (row: PendingRequest, subject: ShootSubject | undefined) => void

const noRequests: readonly PendingRequest[] = []

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`

const newMark = (station: string) => ({ key: randomId(), at: new Date().toISOString(), station })

/** Requests of this tablet that the server has not confirmed. A new request is stored on the device before it is sent. */
export const usePendingRequests = ({ studioId, jobId }: JobKey, onSettled: OnSettled) => {
  const latestOnSettled = useRef(onSettled)
  latestOnSettled.current = onSettled
  const rows = useLiveQuery(() => requestsOfJob(staffDatabase, { studioId, jobId }), [studioId, jobId])
  const requests = useMemo(() => rows?.filter(isPendingRequest) ?? noRequests, [rows])
  useEffect(
    () =>
      onSettledRequest((row, answer) => {
        if (!isPendingRequest(row) || row.request.jobId !== jobId || row.request.studioId !== studioId) return
        latestOnSettled.current(row, answer.ok ? shootSubjectIn(answer.data) : undefined)
      }),
    [studioId, jobId],
  )

  const store = async (
    requestId: string,
    request: ShootRequest,
    description: { about: string; subjectName: string },
  ) => {
    const result = await storeShootRequest(staffDatabase, { requestId, request, ...description })
    if (typeof result !== 'number') {
      toastError([result.message])
      return undefined
    }
    void staffSender().wake('mutation')
    return result
  }
  const job = { studioId, jobId }
  const mark = (subject: ShootSubject, kind: MarkKind, station: string) => {
    const body = { ...newMark(station), subjectId: subject.subjectId, kind }
    void store(
      body.key,
      { ...job, kind: 'mark', body },
      { about: requestSubjectKey(subject), subjectName: nameOf(subject) },
    )
  }
  const walkUp = async (values: WalkUpValues, station: string) => {
    const body = { ...newMark(station), ...values }
    const description = { about: `walk-up ${body.key}`, subjectName: nameOf(values) }
    const seq = await store(body.key, { ...job, kind: 'walkUp', body }, description)
    return seq === undefined ? undefined : -seq
  }
  const undo = async (subject: ShootSubject): Promise<void> => {
    const { mark: lastMark } = subject
    if (!lastMark) return
    // A request that was not sent is deleted. Otherwise a second request undoes it.
    const unsentRequest = requests.find(({ requestId }) => requestId === lastMark.key)
    if (unsentRequest && (await dropRequest(staffDatabase, unsentRequest.seq))) return
    const description = { about: requestSubjectKey(subject), subjectName: nameOf(subject) }
    await store(randomId(), { ...job, kind: 'undo', key: lastMark.key }, description)
  }
  return {
    requests,
    mark,
    walkUp,
    undo: (subject: ShootSubject) => void undo(subject),
    sendNow: () => void staffSender().wake('tap'),
    drop: ({ seq }: PendingRequest) => void dropRequest(staffDatabase, seq),
  }
}
