import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { pauseMs } from '../queue/queue.ts'
import type { Transaction } from './database.ts'
import type { RunStep } from './in-steps.ts'

/** What bulk work writes. */
type BulkData = 'subjects' | 'imports'

/** The tables of bulk data, each with the columns by which its rows are looked up. */
const tables: Record<BulkData, readonly { table: string; lookupColumns: string }[]> = {
  subjects: [
    { table: 'subjects', lookupColumns: 'studio_id, id, job_id, reference' },
    { table: 'subject_fields', lookupColumns: 'studio_id, subject_id' },
    { table: 'subject_groups', lookupColumns: 'studio_id, subject_id, group_id' },
    { table: 'access_codes', lookupColumns: 'studio_id, code, job_id, subject_id' },
  ],
  imports: [{ table: 'import_rows', lookupColumns: 'studio_id, import_id, row_number, state, subject_id' }],
}

/** Whether tables have grown so much by this number of steps that they need an analyze: after 1, 2, 4, 8 and so on. */
export const isAnalyzeDue = (steps: number): boolean => Number.isInteger(Math.log2(steps))

/**
 * Updates the statistics of tables during bulk work. PostgreSQL would otherwise plan for tables that are nearly empty, and read a whole
 * table to check the references of each new row: a list of 20,000 would take hours. Only the columns for lookups are analyzed, because all
 * columns would take longer than a step. A table that another transaction analyzes is skipped, because it is locked until that ends.
 */
export const analyzeLookups = async (runStep: RunStep, ...data: readonly BulkData[]): Promise<void> => {
  for (const { table, lookupColumns } of data.flatMap((kind) => tables[kind]))
    await runStep((tx) => sql.raw(`analyze (skip_locked) ${table} (${lookupColumns})`).execute(tx))
}

/** From this many rows on, bulk work is followed by an analyze. */
const bulkRows = 300

/**
 * Enqueues an analyze of the tables after bulk work of this many rows. Without it a database without autovacuum plans with outdated
 * sizes, and cart calls take several times as long; even autovacuum starts up to a minute later. Deletions need none: plans for larger
 * tables are right for smaller ones too, and an analyze makes every connection plan its statements again.
 */
export const enqueueAnalyze = async (
  tx: Transaction,
  { jobs }: Pick<Deps, 'jobs'>,
  { data, rows }: { data: BulkData[]; rows: number },
): Promise<void> => {
  if (rows >= bulkRows) await jobs.enqueue(tx, 'analyze-tables', { data })
}

/** Updates all statistics of the tables, one at a time, so that no request waits long. */
export const analyzeTables = async (
  { db, wait }: Pick<Deps, 'db' | 'wait'>,
  { data }: { data: readonly BulkData[] },
): Promise<void> => {
  for (const { table } of data.flatMap((kind) => tables[kind])) {
    await sql.raw(`analyze ${table}`).execute(db)
    await wait(pauseMs)
  }
}
