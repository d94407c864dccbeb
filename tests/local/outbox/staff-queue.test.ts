import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { describe, expect, it } from 'vitest'
import type { AnyCall } from '#contract/shapes/call.ts'
import { listShootSubjects, type ShootSubject } from '#contract/studio/shoots.ts'
import {
  dropRequest,
  requestsOfJob,
  storeShootRequest,
  storeSignOut,
  unsentShootCount,
} from '#local/outbox/staff-outbox.ts'
import { createStaffQueue } from '#local/outbox/staff-queue.ts'
import { openStaffDatabase } from '#local/store/staff-database.ts'
import {
  deleteStoredResponses,
  loadStoredResponse,
  purgeStoredResponses,
  storedRosterUrl,
  storeResponse,
} from '#local/store/stored-responses.ts'
import { tabLocks } from '#local/transport/locks.ts'
import { type CallInput, type CallResult, type RequestFunction, unreachable } from '#local/transport/request.ts'
import { createSendLoop } from '#local/transport/send-loop.ts'

type Sent = { path: string; input: CallInput<AnyCall> }

const job = { studioId: 1, jobId: 2 }
const shootSubject = (subjectId: number, status: ShootSubject['status'] = 'waiting'): ShootSubject => ({
  ...{ subjectId, firstName: 'Ada', lastName: 'Lovelace', reference: null, code: null, groups: [], mark: null },
  status,
})
const failure = (status: number, problem: string): CallResult<unknown> => ({
  ok: false,
  status,
  errors: [`Answer ${status}`],
  problem,
})
const successFor = (subjectId: number): CallResult<unknown> => ({
  ok: true,
  status: 200,
  data: { person: shootSubject(subjectId, 'photographed'), before: null },
})

/** A tablet whose server returns these responses in turn, and then accepts every request. */
const openTablet = (answers: CallResult<unknown>[] = []) => {
  const indexedDb = { indexedDB: new IDBFactory(), IDBKeyRange }
  const tablet = {
    db: openStaffDatabase(indexedDb),
    sent: [] as Sent[],
    settled: [] as string[],
    allowed: new Set([1]),
    time: { now: Date.UTC(2027, 3, 15, 10) },
    restart: () => {
      tablet.db.close()
      tablet.db = openStaffDatabase(indexedDb)
    },
    sender: () => {
      const ask = (async (call: AnyCall, input: CallInput<AnyCall>) => {
        tablet.sent.push({ path: call.path, input })
        const { subjectId = 0 } = (input.body ?? {}) as { subjectId?: number }
        return answers.shift() ?? successFor(subjectId)
      }) as unknown as RequestFunction // responds to every call
      const queue = createStaffQueue({
        db: tablet.db,
        ask,
        clock: () => tablet.time.now,
        random: () => 0.5,
        maySend: (studioId) => tablet.allowed.has(studioId),
        onSettled: ({ subjectName }) => void tablet.settled.push(subjectName),
      })
      const timers = { after: () => () => {} }
      return createSendLoop(queue, { locks: tabLocks, clock: () => tablet.time.now, timers })
    },
  }
  return tablet
}

type Tablet = ReturnType<typeof openTablet>

let keys = 0
const nextKey = () => `00000000-0000-4000-8000-${String(++keys).padStart(12, '0')}`

const checkIn = async ({ db }: Tablet, subjectName: string, subjectId: number, jobKey = job): Promise<string> => {
  const key = nextKey()
  await storeShootRequest(db, {
    requestId: key,
    request: {
      ...jobKey,
      kind: 'mark',
      body: { key, at: '2027-04-15T10:00:00.000Z', station: '1', subjectId, kind: 'present' },
    },
    about: `subject ${subjectId}`,
    subjectName,
  })
  return key
}

const namesOf = async ({ db }: Tablet, jobKey = job) =>
  (await requestsOfJob(db, jobKey)).map(({ subjectName }) => subjectName)

describe('pending check-ins of a tablet', () => {
  it('are stored before they are sent, and deleted once the server has them', async () => {
    const tablet = openTablet()
    await checkIn(tablet, 'Ada', 1)
    expect(await namesOf(tablet)).toEqual(['Ada'])
    await tablet.sender().drain()
    expect([await namesOf(tablet), tablet.settled]).toEqual([[], ['Ada']])
  })

  it('survive a browser restart, and are sent with the same key and body', async () => {
    const tablet = openTablet([unreachable])
    const key = await checkIn(tablet, 'Ada', 1)
    await tablet.sender().drain()
    tablet.restart()
    tablet.time.now += 60_000
    await tablet.sender().drain()
    expect(tablet.sent.map(({ input }) => input.idempotencyKey)).toEqual([key, key])
    expect(tablet.sent[1]?.input).toEqual(tablet.sent[0]?.input)
    expect(await namesOf(tablet)).toEqual([])
  })

  it('are sent only while a user of their studio is signed in', async () => {
    const tablet = openTablet()
    await checkIn(tablet, 'Ada', 1)
    tablet.allowed = new Set([7])
    await tablet.sender().wake('start')
    expect(tablet.sent).toEqual([])
    tablet.allowed = new Set([1])
    await tablet.sender().wake('start')
    expect(tablet.settled).toEqual(['Ada'])
  })

  it.each([
    ['whose token is no longer valid', 401, 'not-signed-in'],
    ['who lost the permission', 403, 'not-allowed'],
  ])('are not rejected because of a user %s', async (_case, status, problem) => {
    const tablet = openTablet([failure(status, problem)])
    await checkIn(tablet, 'Ada', 1)
    await tablet.sender().drain()
    expect((await requestsOfJob(tablet.db, job)).map(({ state }) => state)).toEqual(['sent'])
    await tablet.sender().wake('start')
    expect(tablet.settled).toEqual(['Ada'])
  })

  it('continue after one that the server rejects, which stays with its reason until it is dismissed', async () => {
    const tablet = openTablet([failure(422, 'refused')])
    await checkIn(tablet, 'Ada', 1)
    await checkIn(tablet, 'Bo', 2)
    await tablet.sender().drain()
    const [rejected] = await requestsOfJob(tablet.db, job)
    expect(rejected).toMatchObject({ subjectName: 'Ada', state: 'rejected', rejection: 'Answer 422' })
    expect(tablet.settled).toEqual(['Ada', 'Bo'])
    expect(await dropRequest(tablet.db, rejected?.seq ?? 0)).toBe(true)
    expect(await namesOf(tablet)).toEqual([])
  })

  it('are not delayed by one that caused a server error, which is retried later', async () => {
    const tablet = openTablet([failure(500, 'internal')])
    await checkIn(tablet, 'Ada', 1)
    await checkIn(tablet, 'Bo', 2)
    await tablet.sender().drain()
    expect(tablet.sent).toHaveLength(1)
    tablet.time.now += 2_000
    await tablet.sender().drain()
    expect(tablet.settled).toEqual(['Bo'])
    tablet.time.now += 60_000
    await tablet.sender().drain()
    expect(tablet.settled).toEqual(['Bo', 'Ada'])
  })

  it('keep their order for one subject although the first one causes a server error', async () => {
    const tablet = openTablet([failure(500, 'internal')])
    const key = await checkIn(tablet, 'Ada', 1)
    await storeShootRequest(tablet.db, {
      ...{ requestId: nextKey(), about: 'subject 1', subjectName: 'Ada' },
      request: { ...job, kind: 'undo', key },
    })
    for (let round = 0; round < 5; round += 1) {
      await tablet.sender().drain()
      tablet.time.now += 60_000
    }
    expect(tablet.sent.map(({ path }) => path.split('/').at(-1))).toEqual(['marks', 'marks', 'undo'])
  })

  it('are each sent once by any number of tabs', async () => {
    const tablet = openTablet()
    for (const n of [1, 2, 3, 4]) await checkIn(tablet, `Subject ${n}`, n)
    await Promise.all([tablet.sender().drain(), tablet.sender().drain(), tablet.sender().drain()])
    expect(tablet.sent).toHaveLength(4)
  })

  it('are sent at once when another call gets a response', async () => {
    const tablet = openTablet([unreachable, unreachable])
    await checkIn(tablet, 'Ada', 1)
    const sender = tablet.sender()
    await sender.drain()
    await sender.wake('answer')
    expect(tablet.sent).toHaveLength(2)
    await sender.wake('answer')
    expect(tablet.settled).toEqual(['Ada'])
  })

  it('are counted at sign-out for the studios of that user only', async () => {
    const tablet = openTablet()
    await checkIn(tablet, 'Ada', 1)
    await checkIn(tablet, 'Bo', 2)
    await checkIn(tablet, 'Cy', 3, { studioId: 9, jobId: 4 })
    expect(await unsentShootCount(tablet.db, (studioId) => studioId === 1)).toBe(2)
    expect(await namesOf(tablet, { studioId: 9, jobId: 4 })).toEqual(['Cy'])
  })

  it('can be undone on the tablet until they are sent', async () => {
    const tablet = openTablet([unreachable])
    await checkIn(tablet, 'Ada', 1)
    const [row] = await requestsOfJob(tablet.db, job)
    await tablet.sender().drain()
    expect(await dropRequest(tablet.db, row?.seq ?? 0)).toBe(false)
    await checkIn(tablet, 'Bo', 2)
    const [, secondRow] = await requestsOfJob(tablet.db, job)
    expect(await dropRequest(tablet.db, secondRow?.seq ?? 0)).toBe(true)
  })
})

describe('a sign-out without a network', () => {
  const signOut = ({ db }: Tablet) =>
    storeSignOut(db, { requestId: nextKey(), request: { kind: 'signOut', refreshToken: 'secret' } })

  it('is sent once the network is back, although no user is signed in', async () => {
    const tablet = openTablet([unreachable, { ok: true, status: 200, data: {} }])
    tablet.allowed = new Set()
    await signOut(tablet)
    await tablet.sender().drain()
    tablet.restart()
    await tablet.sender().wake('online')
    expect(tablet.sent.map(({ path, input }) => [path, input.body])).toEqual([
      ['/api/auth/logout', { refreshToken: 'secret' }],
      ['/api/auth/logout', { refreshToken: 'secret' }],
    ])
    expect(await tablet.db.requests.count()).toBe(0)
  })

  it('is complete if the server does not know the session', async () => {
    const tablet = openTablet([failure(401, 'invalid-token')])
    await signOut(tablet)
    await tablet.sender().drain()
    expect(await tablet.db.requests.count()).toBe(0)
  })
})

describe('the stored list of a shoot', () => {
  const storeRoster = async ({ db, time }: Tablet) => {
    const data = [shootSubject(1), shootSubject(2)]
    await storeResponse(db, { address: storedRosterUrl(job), studioId: 1, data, now: time.now })
  }

  it('has each subject as in the server’s last response', async () => {
    const tablet = openTablet()
    await storeRoster(tablet)
    await checkIn(tablet, 'Ada', 1)
    await tablet.sender().drain()
    const stored = await loadStoredResponse(tablet.db, storedRosterUrl(job))
    expect(listShootSubjects.answer.is(stored) && stored).toMatchObject(
      [
        { subjectId: 2, status: 'waiting' },
        { subjectId: 1, status: 'photographed' },
      ].toSorted((a, b) => a.subjectId - b.subjectId),
    )
  })

  it('is deleted after a week if only rejected check-ins are left', async () => {
    const tablet = openTablet()
    await storeRoster(tablet)
    await checkIn(tablet, 'Ada', 1)
    await tablet.db.requests.toCollection().modify({ state: 'rejected' })
    await purgeStoredResponses(tablet.db, tablet.time.now + 8 * 24 * 3_600_000)
    expect(await tablet.db.answers.count()).toBe(0)
  })

  it('is deleted at sign-out, but not while check-ins of the studio are pending', async () => {
    const tablet = openTablet()
    await storeRoster(tablet)
    await checkIn(tablet, 'Ada', 1)
    await deleteStoredResponses(tablet.db)
    expect(await tablet.db.answers.count()).toBe(1)
    await tablet.sender().drain()
    await deleteStoredResponses(tablet.db)
    expect(await tablet.db.answers.count()).toBe(0)
  })

  it('is deleted after a week, but not while check-ins of the studio are pending', async () => {
    const tablet = openTablet()
    await storeRoster(tablet)
    const later = tablet.time.now + 8 * 24 * 3_600_000
    await checkIn(tablet, 'Ada', 1)
    await purgeStoredResponses(tablet.db, later)
    expect(await tablet.db.answers.count()).toBe(1)
    await tablet.sender().drain()
    await purgeStoredResponses(tablet.db, later)
    expect(await tablet.db.answers.count()).toBe(0)
  })
})
