import { useEffect, useMemo, useRef, useState } from 'react'
import { hasStaffDatabase, staffDatabase } from '#client/staff/kit/query/staff-sender.ts'
import { type QueryResult, useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { getShoot, listShootSubjects, type Shoot, type ShootSubject } from '#contract/studio/shoots.ts'
import { toPage } from '#domain/shared/paging.ts'
import type { MarkKind } from '#domain/subjects/attendance.ts'
import { updateStoredRoster } from '#local/store/stored-responses.ts'
import { isOwnRequest, type PendingRequest, withPending } from './pending-requests.ts'
import { usePendingRequests, type WalkUpValues } from './use-pending-requests.ts'

/** Polling interval in milliseconds for changes of other tablets. */
const refetchIntervalMs = 10_000
/** Milliseconds for which a response about one subject overrides a list, which may have been requested earlier. */
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
  /** Resolves to the walk-up's temporary id. */
  walkUp: (newcomer: WalkUpValues, station: string) => Promise<number | undefined>
  undo: (subject: ShootSubject) => void
  /** Applies a response about one subject. */
  applyUpdate: (subject: ShootSubject) => void
  sendNow: () => void
  discard: (request: PendingRequest) => void
}

/**
 * The subjects of a shoot as this tablet knows them: the server's list, updated by this tablet's responses and pending requests. The
 * whole list is held in memory, so that scans are answered at once, online or offline.
 */
export const useShoot = (
  { studioId, jobId }: JobParams,
  /** Called when the server has assigned an id to a walk-up. */
  onWalkUp: (pendingId: number, subjectId: number) => void,
): ShootDay => {
  const params = { studioId, jobId }
  const roster = useStaffQuery(listShootSubjects, { params, storeForStudioId: studioId })
  const shoot = useStaffQuery(getShoot, { params, refetchIntervalMs: refetchIntervalMs, storeForStudioId: studioId })
  const [updates, setUpdates] = useState<SubjectUpdates>(new Map())
  const applyUpdate = (subject: ShootSubject) => setUpdates((before) => withUpdates(before, [subject]))
  const { refetch: refetchShoot } = shoot
  const pending = usePendingRequests({ studioId, jobId }, (row, subject) => {
    if (subject) applyUpdate(subject)
    if (subject && row.request.kind === 'walkUp') onWalkUp(-row.seq, subject.subjectId)
    refetchShoot()
  })
  const unsent = pending.requests

  // Another tab may have sent some of the requests: it received their responses.
  const unsentBefore = useRef(0)
  useEffect(() => {
    if (unsent.length < unsentBefore.current) refetchShoot()
    unsentBefore.current = unsent.length
  }, [unsent.length, refetchShoot])

  // Changes of other tablets: the poll returns the newest marks. If the counts still differ, the whole list is refetched.
  const { data: latest } = shoot
  const { refetch: refetchRoster } = roster
  useEffect(() => {
    if (!latest) return
    setUpdates((before) => withUpdates(before, latest.newest))
    if (hasStaffDatabase())
      void updateStoredRoster(staffDatabase, { studioId, jobId }, latest.newest).catch(console.warn)
  }, [latest, studioId, jobId])

  const listed = roster.data && toPage<ShootSubject>(roster.data).resultItems
  const subjects = useMemo(() => {
    const subjectById = new Map((listed ?? []).map((request) => [request.subjectId, request]))
    for (const [id, { subject }] of updates) subjectById.set(id, subject)
    return withPending([...subjectById.values()], unsent)
  }, [listed, updates, unsent])

  const expected = latest && latest.counts.photographed + latest.counts.absent + latest.counts.again
  const counted = subjects.filter(({ standing }) => standing !== 'waiting').length
  const differs = expected !== undefined && unsent.length === 0 && listed !== undefined && expected !== counted
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per poll that shows a difference
  useEffect(() => {
    if (differs) refetchRoster()
  }, [differs, latest])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list overrides responses that are much older
  useEffect(() => {
    setUpdates((before) => new Map([...before].filter(([, { at }]) => Date.now() - at < updateLifetimeMs)))
  }, [listed])

  return {
    subjects,
    query: roster,
    shoot: latest,
    pendingRequests: unsent,
    isPending: (subject) => unsent.some((request) => isOwnRequest(request, subject)),
    mark: pending.mark,
    walkUp: pending.walkUp,
    undo: pending.undo,
    applyUpdate,
    sendNow: pending.sendNow,
    discard: pending.drop,
  }
}
