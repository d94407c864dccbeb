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

type SubjectUpdates = ReadonlyMap<number, { person: ShootSubject; at: number }>

const withUpdates = (before: SubjectUpdates, people: readonly ShootSubject[]): SubjectUpdates =>
  new Map([...before, ...people.map((person) => [person.subjectId, { person, at: Date.now() }] as const)])

export type ShootDay = {
  people: readonly ShootSubject[]
  query: QueryResult<unknown>
  shoot: Shoot | undefined
  pendingRequests: readonly PendingRequest[]
  isPending: (person: ShootSubject) => boolean
  mark: (person: ShootSubject, kind: MarkKind, station: string) => void
  /** Resolves to the walk-up's temporary id. */
  walkUp: (newcomer: WalkUpValues, station: string) => Promise<number | undefined>
  undo: (person: ShootSubject) => void
  /** Applies a response about one subject. */
  applyUpdate: (person: ShootSubject) => void
  sendNow: () => void
  discard: (one: PendingRequest) => void
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
  const [learnt, setLearnt] = useState<SubjectUpdates>(new Map())
  const learn = (person: ShootSubject) => setLearnt((before) => withUpdates(before, [person]))
  const { refetch: readShoot } = shoot
  const pending = usePendingRequests({ studioId, jobId }, (row, person) => {
    if (person) learn(person)
    if (person && row.request.kind === 'walkUp') onWalkUp(-row.seq, person.subjectId)
    readShoot()
  })
  const unsent = pending.requests

  // Changes of other tablets: the poll returns the newest marks. If the counts still differ, the whole list is refetched.
  const { data: looked } = shoot
  const { refetch: readRoster } = roster
  useEffect(() => {
    if (!looked) return
    setLearnt((before) => withUpdates(before, looked.newest))
    if (hasStaffDatabase())
      void updateStoredRoster(staffDatabase, { studioId, jobId }, looked.newest).catch(console.warn)
  }, [looked, studioId, jobId])

  const told = roster.data && toPage<ShootSubject>(roster.data).resultItems
  const people = useMemo(() => {
    const known = new Map((told ?? []).map((one) => [one.subjectId, one]))
    for (const [id, { person }] of learnt) known.set(id, person)
    return withPending([...known.values()], unsent)
  }, [told, learnt, unsent])

  const expected = looked && looked.counts.photographed + looked.counts.absent + looked.counts.again
  const counted = people.filter(({ standing }) => standing !== 'waiting').length
  const differs = expected !== undefined && unsent.length === 0 && told !== undefined && expected !== counted
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per poll that shows a difference
  useEffect(() => {
    if (differs) readRoster()
  }, [differs, looked])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list overrides responses that are much older
  useEffect(() => {
    setLearnt((before) => new Map([...before].filter(([, { at }]) => Date.now() - at < updateLifetimeMs)))
  }, [told])

  return {
    people,
    query: roster,
    shoot: looked,
    pendingRequests: unsent,
    isPending: (person) => unsent.some((one) => isOwnRequest(one, person)),
    mark: pending.mark,
    walkUp: pending.walkUp,
    undo: pending.undo,
    applyUpdate: learn,
    sendNow: pending.sendNow,
    discard: pending.drop,
  }
}
