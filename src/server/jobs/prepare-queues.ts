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

/** Creates or updates every queue and schedule, and forgets schedules no longer in the table. */
export const prepareQueues = async (boss: PgBoss, queues: Queues, kind: Database['kind']): Promise<void> => {
  // First of all: a queue can only name dead letters that exist.
  await boss.createQueue(deadLetters, { retentionSeconds: 90 * day, deleteAfterSeconds: 90 * day })
  for (const [name, queue] of Object.entries(queues)) {
    const options = { ...optionsOf(queue), deadLetter: deadLetters, notify: true }
    await boss.createQueue(name, options)
    await boss.updateQueue(name, options)
    // Any question about a queue makes this process know it from now on.
    await boss.findJobs(name, { id: nobody })
    if (kind === 'embedded') await failAbandoned(boss, name)
  }
  await prepareSchedules(boss, queues)
}

/** The embedded database has one server: what is active as it starts was cut off by its end, and need not wait for a heartbeat. */
const failAbandoned = async (boss: PgBoss, name: string): Promise<void> => {
  const { rows } = await boss
    .getDb()
    .executeSql(`select id from pgboss.job where name = $1 and state = 'active'`, [name])
  const ids = rows.map((row: { id: string }) => row.id)
  if (ids.length > 0) await boss.fail(name, ids, { message: 'the server ended while this job ran' })
}

const prepareSchedules = async (boss: PgBoss, queues: Queues): Promise<void> => {
  for (const { name, key } of await boss.getSchedules()) {
    if (!queues[name]?.schedule) await boss.unschedule(name, key)
  }
  for (const [name, { schedule }] of Object.entries(queues)) {
    if (schedule) await boss.schedule(name, schedule.cron, schedule.payload, { tz: schedule.timeZone ?? 'UTC' })
  }
}
