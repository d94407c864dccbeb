import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Answers that were recorded about a job are found without looking through those of all others. */
export const answersOfJobs: Migration = {
  up: async (db) => {
    await sql`create index idempotency_keys_job on idempotency_keys (substring(path from '/jobs/([0-9]+)'))`.execute(db)
  },
  down: async (db) => {
    await sql`drop index idempotency_keys_job`.execute(db)
  },
}
