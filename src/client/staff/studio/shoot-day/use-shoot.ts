import { useEffect, useMemo, useRef, useState } from 'react'
import { hasStaffDatabase, staffDatabase } from '#client/staff/kit/query/staff-sender.ts'
import { type QueryResult, useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { getShoot, listShootSubjects, type Shoot, type ShootSubject } from '#contract/studio/shoots.ts'
import { toPage } from '#domain/shared/paging.ts'
import type { MarkKind } from '#domain/subjects/attendance.ts'
import { updateStoredRoster } from '#local/store/stored-responses.ts'
import { isRequestOf, type PendingRequest, withPending } from './pending-requests.ts'
import { usePendingRequests, type WalkUpValues } from './use-pending-requests.ts'

/** Polling interval in milliseconds for changes of other tablets. */
const refetchIntervalMs = 10_000
/** Milliseconds for which a response about one subject overrides the list, which may have been requested before it. */
const updateLifetimeMs = 15_000

type SubjectUpdates = ReadonlyMap<number, { subject: ShootSubject; at: number }>

const withUpdates = (before: SubjectUpdates, subjects: readonly ShootSubject[]): SubjectUpdates =>
  new Map([...before, ...subjects.map((subject) => [subject.subjectId, { subject, at: Date.now() }] as const)])

export type ShootDay = {
  subjects: readonly ShootSubject[]
  query: QueryResult<unknown>
  shoot: Shoot | undefined
  pendingRequests: readonly PendingRequest[]
  isPending: (subject: ShootSubject) => boolean
  mark: (subject: ShootSubject, kind: MarkKind, station: string) => void
  /** Resolves to the temporary id of the walk-up; undefined if it could not be stored. */
  walkUp: (values: WalkUpValues, station: string) => Promise<number | undefined>
  undo: (subject: ShootSubject) => void
  /** Shows a newer state of one subject, from the response of a call. */
  applyUpdate: (subject: ShootSubject) => void
  sendNow: () => void
  discard: (request: PendingRequest) => void
}

/**
 * The subjects of a shoot: the server's list, updated by the responses and the pending requests of this tablet. The whole list is held in
 * memory, so that scans work without a request, online or offline.
 */
export const useShoot = (
  { studioId, jobId }: JobParams,
  /** Called when the server has assigned an id to a walk-up. */
  onWalkUpSaved: (temporaryId: number, subjectId: number) => void,
): ShootDay => {
  const params = { studioId, jobId }
  const roster = useStaffQuery(listShootSubjects, { params, storeForStudioId: studioId })
  const shoot = useStaffQuery(getShoot, { params, refetchIntervalMs, storeForStudioId: studioId })
  const [updates, setUpdates] = useState<SubjectUpdates>(new Map())
  const applyUpdate = (subject: ShootSubject) => setUpdates((before) => withUpdates(before, [subject]))
  const { refetch: refetchShoot } = shoot
  const pending = usePendingRequests({ studioId, jobId }, (row, subject) => {
    if (subject) applyUpdate(subject)
    if (subject && row.request.kind === 'walkUp') onWalkUpSaved(-row.seq, subject.subjectId)
    refetchShoot()
  })
  const pendingRequests = pending.requests

  // Another tab may have sent some of the requests, and received their responses.
  const previousCount = useRef(0)
  useEffect(() => {
    if (pendingRequests.length < previousCount.current) refetchShoot()
    previousCount.current = pendingRequests.length
  }, [pendingRequests.length, refetchShoot])

  // Applies the latest marks of other tablets, which each poll returns.
  const { data: latest } = shoot
  const { refetch: refetchRoster } = roster
  useEffect(() => {
    if (!latest) return
    setUpdates((before) => withUpdates(before, latest.newest))
    if (hasStaffDatabase())
      void updateStoredRoster(staffDatabase, { studioId, jobId }, latest.newest).catch(console.warn)
  }, [latest, studioId, jobId])

  const listedSubjects = roster.data && toPage<ShootSubject>(roster.data).resultItems
  const subjects = useMemo(() => {
    const subjectById = new Map((listedSubjects ?? []).map((subject) => [subject.subjectId, subject]))
    for (const [id, { subject }] of updates) subjectById.set(id, subject)
    return withPending([...subjectById.values()], pendingRequests)
  }, [listedSubjects, updates, pendingRequests])

  // If the counts differ from the server's, refetches the whole list.
  const expectedCount = latest && latest.counts.photographed + latest.counts.absent + latest.counts.retake
  const markedCount = subjects.filter(({ status }) => status !== 'waiting').length
  const isComparable = expectedCount !== undefined && listedSubjects !== undefined && pendingRequests.length === 0
  const differs = isComparable && expectedCount !== markedCount
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per poll that shows a difference
  useEffect(() => {
    if (differs) refetchRoster()
  }, [differs, latest])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new list ends the lifetime of updates
  useEffect(() => {
    setUpdates((before) => new Map([...before].filter(([, { at }]) => Date.now() - at < updateLifetimeMs)))
  }, [listedSubjects])

  return {
    subjects,
    query: roster,
    shoot: latest,
    pendingRequests,
    isPending: (subject) => pendingRequests.some((request) => isRequestOf(request, subject)),
    mark: pending.mark,
    walkUp: pending.walkUp,
    undo: pending.undo,
    applyUpdate,
    sendNow: pending.sendNow,
    discard: pending.drop,
  }
}
