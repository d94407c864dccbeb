import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Transaction } from '#server/database/database.ts'
import { type BackgroundJobs, startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { defineQueue } from '#server/queue/queue.ts'
import { engines, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { testQueues } from './test-queues.ts'

/** A promise that a test resolves once. */
const createSignal = <T = void>() => {
  let trigger: (value: T) => void = () => {}
  const triggered = new Promise<T>((resolve) => {
    trigger = resolve
  })
  return { trigger: (value: T): void => trigger(value), triggered }
}

describe.each(engines)('background jobs on $name', (engine) => {
  const database = freshDatabase(engine, 'bare')
  let jobs: BackgroundJobs<typeof testQueues>
  let errors: unknown[] = []

  beforeEach(async () => {
    errors = []
    const log = { ...silentLog, error: (...line: unknown[]) => void errors.push(line) }
    jobs = await startBackgroundJobs({ database: database(), log, queues: testQueues, pollSeconds: 0.5 })
  })

  afterEach(() => jobs.stop())

  const commit = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => database().db.transaction().execute(work)

  const states = async (): Promise<unknown[]> => {
    const { rows } = await sql`select name, state::text as state from pgboss.job order by name`.execute(database().db)
    return rows
  }

  it('a job runs after the transaction that enqueued it is committed', async () => {
    const greeted = createSignal<string>()
    let committed = false
    await jobs.work('greet', 1, async ({ payload, attempt }) =>
      greeted.trigger(`${payload.name} ${attempt} ${committed}`),
    )
    await commit(async (tx) => {
      await jobs.enqueue(tx, 'greet', { name: 'Ada' })
      committed = true
    })
    expect(await greeted.triggered).toBe('Ada 1 true')
  })

  it('a job of a transaction that was rolled back never runs', async () => {
    const names: string[] = []
    const last = createSignal()
    await expect(
      commit(async (tx) => {
        await jobs.enqueue(tx, 'greet', { name: 'nobody' })
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    await commit((tx) => jobs.enqueue(tx, 'greet', { name: 'last' }))
    await jobs.work('greet', 1, async ({ payload }) => {
      names.push(payload.name)
      if (payload.name === 'last') last.trigger()
    })
    await last.triggered
    await jobs.stop()
    expect(names).toEqual(['last'])
    expect(await states()).toEqual([{ name: 'greet', state: 'completed' }])
  })

  it('a failed job is retried and goes to the dead letters with its error after the last retry', async () => {
    const attempts: number[] = []
    const lastAttempt = createSignal()
    await jobs.work('greet', 1, async ({ attempt }) => {
      attempts.push(attempt)
      // Only final failures are logged as errors; retries are not.
      expect(errors).toEqual([])
      if (attempt === 3) lastAttempt.trigger()
      throw new Error('the printer is out of paper')
    })
    await commit((tx) => jobs.enqueue(tx, 'greet', { name: 'Ada' }))
    await lastAttempt.triggered
    await jobs.stop()
    expect(attempts).toEqual([1, 2, 3])
    expect(errors).toMatchObject([[{ queue: 'greet', attempt: 3 }, 'a job failed for good']])
    const { rows } = await sql`
      select name, data, source_name, source_output->>'message' as message from pgboss.job where name = 'dead-letters'`.execute(
      database().db,
    )
    expect(rows).toEqual([
      { name: 'dead-letters', data: { name: 'Ada' }, source_name: 'greet', message: 'the printer is out of paper' },
    ])
  })

  it('a concurrency that is not a multiple of the batch size is rejected', async () => {
    await expect(jobs.work('pack', 4, async () => {})).rejects.toThrow('not a multiple of the batch size 3')
  })

  it('jobs of a batch succeed or fail individually', async () => {
    const attempts: string[] = []
    const allStarted = createSignal()
    const last = createSignal()
    await commit(async (tx) => {
      for (const n of [1, 2, 3]) await jobs.enqueue(tx, 'pack', { n })
    })
    await jobs.work('pack', 3, async ({ payload, attempt }) => {
      attempts.push(`${payload.n}, try ${attempt}`)
      if (attempts.length === 3) allStarted.trigger()
      await allStarted.triggered
      if (payload.n === 2 && attempt === 1) throw new Error('the printer is out of paper')
      if (attempt === 2) last.trigger()
    })
    await last.triggered
    await jobs.stop()
    expect(attempts.toSorted()).toEqual(['1, try 1', '2, try 1', '2, try 2', '3, try 1'])
    expect(await states()).toEqual(Array(3).fill({ name: 'pack', state: 'completed' }))
  })

  it('jobs run with the requested concurrency and without pauses while jobs are waiting', async () => {
    const allDone = createSignal()
    let running = 0
    let maxRunning = 0
    let done = 0
    await commit(async (tx) => {
      for (let n = 0; n < 40; n += 1) await jobs.enqueue(tx, 'count', { n })
    })
    const startedAt = performance.now()
    await jobs.work('count', 2, async () => {
      running += 1
      maxRunning = Math.max(maxRunning, running)
      // The count reaches two only if both jobs run at the same time.
      await expect.poll(() => maxRunning).toBe(2)
      running -= 1
      done += 1
      if (done === 40) allDone.trigger()
    })
    await allDone.triggered
    expect(maxRunning).toBe(2)
    // With a pause of a poll interval between jobs this would take ten seconds.
    expect(performance.now() - startedAt).toBeLessThan(8_000)
  })

  it('a job with the same id is added once, and a delayed job does not run early', async () => {
    const id = '6f1c1b1e-0d7a-4c5e-9d0e-3a4b5c6d7e8f'
    const notBefore = new Date('2100-01-01T00:00:00Z')
    await commit((tx) => jobs.enqueue(tx, 'greet', { name: 'Ada' }, { id, notBefore }))
    await commit((tx) => jobs.enqueue(tx, 'greet', { name: 'again' }, { id }))
    const { rows } = await sql`select id, data, start_after from pgboss.job`.execute(database().db)
    expect(rows).toEqual([{ id, data: { name: 'Ada' }, start_after: notBefore }])
  })

  it('a stop finishes the jobs in flight', async () => {
    const started = createSignal()
    const proceed = createSignal()
    let finished = false
    await jobs.work('greet', 1, async () => {
      started.trigger()
      await proceed.triggered
      await sql`select 1`.execute(database().db)
      finished = true
    })
    await commit((tx) => jobs.enqueue(tx, 'greet', { name: 'Ada' }))
    await started.triggered
    const stopped = jobs.stop()
    proceed.trigger()
    await stopped
    expect(finished).toBe(true)
    expect(await states()).toEqual([{ name: 'greet', state: 'completed' }])
  })

  it("a failure of the queue does not break the application's transaction", async () => {
    await sql`create table if not exists notes (id int primary key)`.execute(database().db)
    await sql`truncate notes`.execute(database().db)
    const transactions = Array.from({ length: 20 }, (_, id) =>
      commit(async (tx) => void (await sql`insert into notes values (${id})`.execute(tx))),
    )
    const boss = database().jobStore.db
    // The queue's own scripts open a transaction; a failed one must close it before the connection is used again.
    const failingScripts = boss && Array.from({ length: 20 }, () => boss.executeSql('begin; select 1 / 0; commit;'))
    const results = await Promise.allSettled([...transactions, ...(failingScripts ?? [])])
    expect(results.slice(0, 20).filter(({ status }) => status === 'rejected')).toEqual([])
    expect((await sql`select id from notes`.execute(database().db)).rows).toHaveLength(20)
  })

  it('schedules match the table of queues', async () => {
    const nightly = {
      purge: defineQueue<{ days: number }>({
        schedule: { cron: '0 3 * * *', timeZone: 'America/Chicago', payload: { days: 7 } },
      }),
    }
    const schedules = async () =>
      (await sql`select name, cron, timezone, data from pgboss.schedule`.execute(database().db)).rows
    await (await startBackgroundJobs({ database: database(), log: silentLog, queues: nightly })).stop()
    expect(await schedules()).toEqual([
      { name: 'purge', cron: '0 3 * * *', timezone: 'America/Chicago', data: { days: 7 } },
    ])
    await (await startBackgroundJobs({ database: database(), log: silentLog, queues: testQueues })).stop()
    expect(await schedules()).toEqual([])
  })

  it('changed queue settings are applied at the next start', async () => {
    const changed = { greet: defineQueue<{ name: string }>({ retries: 9, timeoutSeconds: 60 }) }
    await (await startBackgroundJobs({ database: database(), log: silentLog, queues: changed })).stop()
    const { rows } = await sql`select retry_limit, expire_seconds from pgboss.queue where name = 'greet'`.execute(
      database().db,
    )
    expect(rows).toEqual([{ retry_limit: 9, expire_seconds: 60 }])
  })

  it('payloads are typed by queue', async () => {
    await commit(async (tx) => {
      // @ts-expect-error: there is no such queue
      await expect(jobs.enqueue(tx, 'unknown', {})).rejects.toThrow()
    })
    // @ts-expect-error: a greeting needs a name
    const enqueueInvalid = () => commit((tx) => jobs.enqueue(tx, 'greet', { n: 1 }))
    expect(enqueueInvalid).toBeTypeOf('function')
  })
})
