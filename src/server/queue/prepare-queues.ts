import { isDeepStrictEqual } from 'node:util'
import type { PgBoss, QueueOptions } from 'pg-boss'
import type { Database } from '../database/database.ts'
import { type Queue, type Queues, retriesOf } from './queue.ts'

/** The queue of jobs that failed for good, stored for 90 days with their queue and error. */
export const deadLetters = 'dead-letters'

const daySeconds = 24 * 60 * 60

const nilId = '00000000-0000-0000-0000-000000000000'

/** The jobs of a server without heartbeats are given to another one. */
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

/** Whether an existing queue or schedule has all the wanted options. */
const hasOptions = (actual: object | undefined, wanted: WantedOptions): boolean => {
  if (!actual) return false
  const existing = new Map<string, unknown>(Object.entries(actual))
  return Object.entries(wanted).every(([name, value]) => existing.get(name) === value)
}

/**
 * Creates or updates queues and schedules that differ from the table, and deletes schedules that are not in it. Usually
 * nothing differs, and the start is not delayed by writing them.
 */
export const prepareQueues = async (boss: PgBoss, queues: Queues, kind: Database['kind']): Promise<void> => {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  const prepare = async (name: string, options: Options): Promise<void> => {
    if (hasOptions(existing.get(name), { ...options })) return
    await boss.createQueue(name, options)
    await boss.updateQueue(name, options)
    // Querying a new queue makes this process know it; existing queues are loaded at the start.
    await boss.findJobs(name, { id: nilId })
  }
  // First, because queues can only refer to an existing dead letter queue.
  await prepare(deadLetters, { retentionSeconds: 90 * daySeconds, deleteAfterSeconds: 90 * daySeconds })
  for (const [name, queue] of Object.entries(queues)) {
    await prepare(name, { ...optionsOf(queue), deadLetter: deadLetters, notify: true })
  }
  if (kind === 'embedded') await failAbandoned(boss, new Set(Object.keys(queues)))
  await prepareSchedules(boss, queues)
}

/**
 * The embedded database has one server: jobs that are active at its start were interrupted and need not wait for a
 * heartbeat.
 */
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
    const actual = schedules.find((one) => one.name === name)
    const isCurrent = hasOptions(actual, { cron, timezone: timeZone }) && isDeepStrictEqual(actual?.data, payload)
    if (!isCurrent) await boss.schedule(name, cron, payload, { tz: timeZone })
  }
}
