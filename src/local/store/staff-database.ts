import { Dexie, type Table } from 'dexie'
import type { Infer } from 'superstruct'
import type { addWalkUp, markSubject } from '#contract/studio/shoots.ts'
import type { IndexedDb } from './database.ts'

export type JobKey = { studioId: number; jobId: number }

/** What staff did on this device at a shoot; sent unchanged until the server responds. */
export type ShootRequest = JobKey &
  (
    | { kind: 'mark'; body: Infer<(typeof markSubject)['body']> }
    | { kind: 'walkUp'; body: Infer<(typeof addWalkUp)['body']> }
    | { kind: 'undo'; key: string }
  )

/** The end of a session, sent without a sign-in. */
export type SignOutRequest = { kind: 'signOut'; refreshToken: string }

export type StaffRequest = ShootRequest | SignOutRequest

/**
 * A request that waits for the server. `new`: never sent; `sent`: sent at least once; `rejected`: by the server, and staff
 * decide. `about`: requests about the same thing keep their order. `serverErrors` counts 5xx responses to this request,
 * which then waits until `nextAt` while others are sent.
 */
export type StaffRequestRow = {
  seq: number
  requestId: string
  /** `signOut`, or one per studio; a lane waits as a whole if the server cannot be reached. */
  lane: string
  /** `studioId/jobId`; empty for a sign-out. */
  job: string
  about: string
  /** Shown while it waits. */
  subjectName: string
  state: 'new' | 'sent' | 'rejected'
  rejection: string | null
  serverErrors: number
  nextAt: number
  request: StaffRequest
}

/**
 * The sending state of one lane. `nextAt` in milliseconds since 1970; `unreached`: the last request did not reach the
 * server.
 */
export type LaneState = { lane: string; attempts: number; nextAt: number; unreached: boolean }

/** A response stored so that the screens of a shoot open offline; its address contains the studio. */
export type StoredResponse = { address: string; studioId: number; storedAt: number; data: unknown }

/**
 * Staff data that must survive closing the tab, signing out and restarting. Clearing a customer's data from the device
 * does not touch it.
 */
export class StaffDatabase extends Dexie {
  declare readonly requests: Table<StaffRequestRow, number, Omit<StaffRequestRow, 'seq'>>
  declare readonly sending: Table<LaneState, string>
  declare readonly answers: Table<StoredResponse, string>
}

/** The name under which browsers list this database. */
export const staffDatabaseName = 'staff'

/** Opens it with strict durability: a check-in that is shown as stored survives an empty battery. */
export const openStaffDatabase = (indexedDb?: IndexedDb): StaffDatabase => {
  const db = new StaffDatabase(staffDatabaseName, { chromeTransactionDurability: 'strict', ...indexedDb })
  db.version(1).stores({
    requests: '++seq, &requestId, lane, job, state',
    sending: 'lane',
    answers: 'address, studioId, storedAt',
  })
  return db
}
