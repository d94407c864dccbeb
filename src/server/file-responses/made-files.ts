import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'

/** Days until files that staff had made in the background are removed. */
export const madeFileDays = 7

/** The states of files that are not finished. */
export const statesInProgress = ['waiting', 'making'] as const

/** Thrown when files cannot be made until staff do something; the message says what. */
export class MakingRejected extends Error {
  override name = 'MakingRejected'
}

/** The folder of the file of a report, with a slash at the end. */
export const reportFolder = (reportFileId: number): string => `reports/${reportFileId}/`

/** Deletes files of reports `f`, also those that are being made. Returns the number of deleted ones. */
export const deleteReportFiles = async (
  tx: Transaction,
  { jobs }: Pick<Deps, 'jobs'>,
  condition: RawBuilder<unknown>,
): Promise<number> => {
  const { rows } = await sql<{ id: number }>`delete from report_files f where ${condition} returning f.id`.execute(tx)
  const folders = rows.map(({ id }) => reportFolder(id))
  if (folders.length > 0) await jobs.enqueue(tx, 'remove-files', { folders, keys: [] })
  return rows.length
}
