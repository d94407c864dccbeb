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

/** Stores a request in one strictly durable transaction; it is sent later. A failure says why the device could not store it. */
const store = (db: StaffDatabase, { request, ...named }: RequestToStore): Promise<number | DeviceFailure> =>
  withDatabaseRetry(db, () =>
    db.requests.add({
      ...named,
      request,
      lane: laneOf(request),
      job: request.kind === 'signOut' ? '' : jobIndex(request),
      state: 'new',
      refusal: null,
      serverErrors: 0,
      nextAt: 0,
    }),
  )

export const storeShootRequest = (
  db: StaffDatabase,
  given: { requestId: string; request: ShootRequest; about: string; subjectName: string },
): Promise<number | DeviceFailure> => store(db, given)

export const storeSignOut = (
  db: StaffDatabase,
  { requestId, request }: { requestId: string; request: SignOutRequest },
): Promise<number | DeviceFailure> => store(db, { requestId, request, about: requestId, subjectName: '' })

/** What of a shoot the server has not taken, in its order; refused ones too. */
export const requestsOfJob = (db: StaffDatabase, job: JobKey): Promise<StaffRequestRow[]> =>
  db.requests.where('job').equals(jobIndex(job)).sortBy('seq')

/** How many check-ins, walk-ups and undos of the studios `isOwn` accepts are not sent. */
export const unsentShootCount = (db: StaffDatabase, isOwn: (studioId: number) => boolean): Promise<number> =>
  db.requests
    .where('state')
    .anyOf('new', 'sent')
    .filter(({ request }) => request.kind !== 'signOut' && isOwn(request.studioId))
    .count()

/** How many check-ins, walk-ups and undos of any studio are on this device: not sent, or refused. */
export const storedShootCount = (db: StaffDatabase): Promise<number> =>
  db.requests.filter(({ request }) => request.kind !== 'signOut').count()

/** Whether the request that ends a sign-in is on this device, and with it the sign-in's refresh token. */
export const isSignOutStored = async (db: StaffDatabase): Promise<boolean> =>
  (await db.requests.where('lane').equals(signOutLane).count()) > 0

/** Deletes a request that was refused, or one that never left. False where it is on its way by now. */
export const dropRequest = (db: StaffDatabase, seq: number): Promise<boolean> =>
  db.transaction('rw', db.requests, async () => {
    const row = await db.requests.get(seq)
    if (row?.state === 'sent') return false
    await db.requests.delete(seq)
    return true
  })
