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

/** Milliseconds between two looks at what the other tablets did. */
const refetchIntervalMs = 10_000
/** Milliseconds for which what an answer said of somebody counts more than a list that may have been on its way before. */
const updateLifetimeMs = 15_000

type SubjectUpdates = ReadonlyMap<number, { person: ShootSubject; at: number }>

const withUpdates = (before: SubjectUpdates, people: readonly ShootSubject[]): SubjectUpdates =>
  new Map([...before, ...people.map((person) => [person.subjectId, { person, at: Date.now() }] as const)])

export type ShootDay = {
  people: readonly ShootSubject[]
  reading: QueryResult<unknown>
  shoot: Shoot | undefined
  pendingRequests: readonly PendingRequest[]
  isPending: (person: ShootSubject) => boolean
  mark: (person: ShootSubject, kind: MarkKind, station: string) => void
  /** Resolves to the number by which the walk-up is known on this device until the server has it. */
  walkUp: (newcomer: WalkUpValues, station: string) => Promise<number | undefined>
  undo: (person: ShootSubject) => void
  /** Takes in what an answer says of somebody. */
  applyUpdate: (person: ShootSubject) => void
  sendNow: () => void
  discard: (one: PendingRequest) => void
}

/**
 * Everybody of a shoot as this tablet knows them: as the server told last, with what was done here since and what of that is still on
 * its way. Held whole, so that a scan is answered at once, with a network or without.
 */
export const useShoot = (
  { studioId, jobId }: JobParams,
  /** Once the server has numbered a walk-up: the number until then, and the one from now on. */
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

  // Another tab may have sent some: their answers came there.
  const waiting = useRef(0)
  useEffect(() => {
    if (unsent.length < waiting.current) readShoot()
    waiting.current = unsent.length
  }, [unsent.length, readShoot])

  // What the other tablets did: the newest marks say it of whom they are; where the counts still differ, the whole list does.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each look that finds a difference
  useEffect(() => {
    if (differs) readRoster()
  }, [differs, looked])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that is new says more than what was learnt long before it
  useEffect(() => {
    setLearnt((before) => new Map([...before].filter(([, { at }]) => Date.now() - at < updateLifetimeMs)))
  }, [told])

  return {
    people,
    reading: roster,
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
