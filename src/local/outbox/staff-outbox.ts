import { type DeviceFailure, withDatabaseRetry } from '../recovery/with-database-retry.ts'
import type {
  JobKey,
  ShootRequest,
  SignOutRequest,
  StaffDatabase,
  StaffRequest,
  StaffRequestRow,
} from '../store/staff-database.ts'

export const signOutLane = 'signOut'

const laneOf = (request: StaffRequest): string =>
  request.kind === 'signOut' ? signOutLane : `studio ${request.studioId}`

/** The studio whose staff may send a lane; null for sign-outs, which need no user. */
export const studioOfLane = (lane: string): number | null =>
  lane === signOutLane ? null : Number(lane.slice('studio '.length))

export const jobIndex = ({ studioId, jobId }: JobKey): string => `${studioId}/${jobId}`

type RequestToStore = { requestId: string; request: StaffRequest; about: string; subjectName: string }

/**
 * Stores a request in one strictly durable transaction; it is sent later. A failure says why the device could not store
 * it.
 */
const store = (db: StaffDatabase, { request, ...labels }: RequestToStore): Promise<number | DeviceFailure> =>
  withDatabaseRetry(db, () =>
    db.requests.add({
      ...labels,
      request,
      lane: laneOf(request),
      job: request.kind === 'signOut' ? '' : jobIndex(request),
      state: 'new',
      rejection: null,
      serverErrors: 0,
      nextAt: 0,
    }),
  )

export const storeShootRequest = (
  db: StaffDatabase,
  requestToStore: { requestId: string; request: ShootRequest; about: string; subjectName: string },
): Promise<number | DeviceFailure> => store(db, requestToStore)

export const storeSignOut = (
  db: StaffDatabase,
  { requestId, request }: { requestId: string; request: SignOutRequest },
): Promise<number | DeviceFailure> => store(db, { requestId, request, about: requestId, subjectName: '' })

/** The requests of a job that the server has not accepted, in order, including rejected ones. */
export const requestsOfJob = (db: StaffDatabase, job: JobKey): Promise<StaffRequestRow[]> =>
  db.requests.where('job').equals(jobIndex(job)).sortBy('seq')

/** The number of unsent check-ins, walk-ups and undos of the studios that `isOwn` accepts. */
export const unsentShootCount = (db: StaffDatabase, isOwn: (studioId: number) => boolean): Promise<number> =>
  db.requests
    .where('state')
    .anyOf('new', 'sent')
    .filter(({ request }) => request.kind !== 'signOut' && isOwn(request.studioId))
    .count()

/** The number of check-ins, walk-ups and undos of all studios on this device, unsent or rejected. */
export const storedShootCount = (db: StaffDatabase): Promise<number> =>
  db.requests.filter(({ request }) => request.kind !== 'signOut').count()

/** Whether a sign-out request, which contains the refresh token, is stored on this device. */
export const isSignOutStored = async (db: StaffDatabase): Promise<boolean> =>
  (await db.requests.where('lane').equals(signOutLane).count()) > 0

/** Deletes a request that was rejected or never sent. Returns false if it was sent meanwhile. */
export const dropRequest = (db: StaffDatabase, seq: number): Promise<boolean> =>
  db.transaction('rw', db.requests, async () => {
    const row = await db.requests.get(seq)
    if (row?.state === 'sent') return false
    await db.requests.delete(seq)
    return true
  })
