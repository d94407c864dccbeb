import { isDeepStrictEqual } from 'node:util'
import type { PgBoss, QueueOptions } from 'pg-boss'
import type { Database } from '../database/database.ts'
import { type Queue, type Queues, retriesOf } from './queue.ts'

/** Jobs that failed for good, kept 90 days for someone to look at; each remembers its queue and its error. */
export const deadLetters = 'dead-letters'

const day = 24 * 60 * 60

const nobody = '00000000-0000-0000-0000-000000000000'

/** A server that dies stops its heartbeats, and its jobs are given to another one. */
const heartbeatSeconds = 30

const optionsOf = (queue: Queue<object>): QueueOptions => ({
  retryLimit: retriesOf(queue),
  retryDelay: queue.backOff ?? 5,
  ...((queue.backOff ?? 5) > 0 ? { retryBackoff: true, retryDelayMax: 60 * 60 } : { retryBackoff: false }),
  expireInSeconds: queue.limit ?? 15 * 60,
  heartbeatSeconds,
})

type Options = NonNullable<Parameters<PgBoss['createQueue']>[1]>
type WantedOptions = Readonly<Record<string, unknown>>

/** Whether what is there is as it should be, in everything that is asked of it. */
const isAsWanted = (found: object | undefined, wanted: WantedOptions): boolean => {
  if (!found) return false
  const there = new Map<string, unknown>(Object.entries(found))
  return Object.entries(wanted).every(([name, value]) => there.get(name) === value)
}

/**
 * Creates or updates every queue and schedule that is not as it should be, and forgets schedules no longer in the table. At most starts
 * all are, and a start is not held up by writing them again.
 */
export const prepareQueues = async (boss: PgBoss, queues: Queues, kind: Database['kind']): Promise<void> => {
  const there = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  const prepare = async (name: string, options: Options): Promise<void> => {
    if (isAsWanted(there.get(name), { ...options })) return
    await boss.createQueue(name, options)
    await boss.updateQueue(name, options)
    // Any question about a queue makes this process know it from now on; those that were there it has known since it started.
    await boss.findJobs(name, { id: nobody })
  }
  // First of all: a queue can only name dead letters that exist.
  await prepare(deadLetters, { retentionSeconds: 90 * day, deleteAfterSeconds: 90 * day })
  for (const [name, queue] of Object.entries(queues)) {
    await prepare(name, { ...optionsOf(queue), deadLetter: deadLetters, notify: true })
  }
  if (kind === 'embedded') await failAbandoned(boss, new Set(Object.keys(queues)))
  await prepareSchedules(boss, queues)
}

/** The embedded database has one server: what is active as it starts was cut off by its end, and need not wait for a heartbeat. */
const failAbandoned = async (boss: PgBoss, names: ReadonlySet<string>): Promise<void> => {
  const { rows } = await boss.getDb().executeSql(`select name, id from pgboss.job where state = 'active'`)
  const abandoned = Map.groupBy(rows as { name: string; id: string }[], ({ name }) => name)
  for (const [name, jobs] of abandoned) {
    if (!names.has(name)) continue
    const ids = jobs.map(({ id }) => id)
    await boss.fail(name, ids, { message: 'the server ended while this job ran' })
  }
}

const prepareSchedules = async (boss: PgBoss, queues: Queues): Promise<void> => {
  const schedules = await boss.getSchedules()
  for (const { name, key } of schedules) {
    if (!queues[name]?.schedule) await boss.unschedule(name, key)
  }
  for (const [name, { schedule }] of Object.entries(queues)) {
    if (!schedule) continue
    const { cron, payload, timeZone = 'UTC' } = schedule
    const found = schedules.find((one) => one.name === name)
    const isThere = isAsWanted(found, { cron, timezone: timeZone }) && isDeepStrictEqual(found?.data, payload)
    if (!isThere) await boss.schedule(name, cron, payload, { tz: timeZone })
  }
}
