import { isDeepStrictEqual } from 'node:util'
import type { PgBoss, QueueOptions } from 'pg-boss'
import type { Database } from '../database/database.ts'
import { type Queue, type Queues, retriesOf } from './queue.ts'

/** The queue of jobs that failed for good, stored for 90 days with their queue and error. */
export const deadLetters = 'dead-letters'

const daySeconds = 24 * 60 * 60

const nilId = '00000000-0000-0000-0000-000000000000'

/** Without a heartbeat for this long, a server's jobs are retried on another server. */
const heartbeatSeconds = 30

const toQueueOptions = (queue: Queue<object>): QueueOptions => ({
  retryLimit: retriesOf(queue),
  retryDelay: queue.retryDelaySeconds ?? 5,
  ...((queue.retryDelaySeconds ?? 5) > 0 ? { retryBackoff: true, retryDelayMax: 60 * 60 } : { retryBackoff: false }),
  expireInSeconds: queue.timeoutSeconds ?? 15 * 60,
  heartbeatSeconds,
})

type Options = NonNullable<Parameters<PgBoss['createQueue']>[1]>
type ExpectedOptions = Readonly<Record<string, unknown>>

/** Whether an existing queue or schedule has all the expected options. */
const hasOptions = (actual: object | undefined, expected: ExpectedOptions): boolean => {
  if (!actual) return false
  const existing = new Map<string, unknown>(Object.entries(actual))
  return Object.entries(expected).every(([name, value]) => existing.get(name) === value)
}

/**
 * Creates or updates queues and schedules that differ from the table, and deletes schedules that are not in it. Usually
 * nothing differs, so nothing is written and the start is fast.
 */
export const prepareQueues = async (boss: PgBoss, queues: Queues, kind: Database['kind']): Promise<void> => {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  const prepare = async (name: string, options: Options): Promise<void> => {
    if (hasOptions(existing.get(name), { ...options })) return
    await boss.createQueue(name, options)
    await boss.updateQueue(name, options)
    // A query loads the new queue into this process; existing queues were loaded at the start.
    await boss.findJobs(name, { id: nilId })
  }
  // First, because queues can only refer to an existing dead letter queue.
  await prepare(deadLetters, { retentionSeconds: 90 * daySeconds, deleteAfterSeconds: 90 * daySeconds })
  for (const [name, queue] of Object.entries(queues)) {
    await prepare(name, { ...toQueueOptions(queue), deadLetter: deadLetters, notify: true })
  }
  if (kind === 'embedded') await failAbandonedJobs(boss, new Set(Object.keys(queues)))
  await prepareSchedules(boss, queues)
}

/**
 * Fails jobs that are active at the start, so that they are retried without waiting for a missing heartbeat. Only for
 * the embedded database, which has a single server: its active jobs were interrupted.
 */
const failAbandonedJobs = async (boss: PgBoss, names: ReadonlySet<string>): Promise<void> => {
  const { rows } = await boss.getDb().executeSql(`select name, id from pgboss.job where state = 'active'`)
  const abandonedByQueue = Map.groupBy(rows as { name: string; id: string }[], ({ name }) => name)
  for (const [name, jobs] of abandonedByQueue) {
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
    const actual = schedules.find((candidate) => candidate.name === name)
    const isCurrent = hasOptions(actual, { cron, timezone: timeZone }) && isDeepStrictEqual(actual?.data, payload)
    if (!isCurrent) await boss.schedule(name, cron, payload, { tz: timeZone })
  }
}
