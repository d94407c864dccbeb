import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../database/database.ts'
import { inShortTransaction, type RunStep } from '../database/in-steps.ts'
import type { Deps } from '../deps.ts'

/** Subjects per step of reading or deleting. It is small, so that customers do not wait long for the embedded database. */
export const subjectsPerStep = 100

/** Whether subject `u` is staged, and one of `ids` if they are given. */
const isStaged = (ids?: readonly number[]): RawBuilder<boolean> =>
  ids === undefined ? sql`u.state = 'staged'` : sql`(u.state = 'staged' and u.id = any(${[...ids]}::bigint[]))`

const isFolder = (key: string): boolean => key.endsWith('/')

/** Has files removed in the background after the commit; a key that ends with `/` is a folder. */
export const enqueueFileRemoval = async (
  tx: Transaction,
  { jobs }: Pick<Deps, 'jobs'>,
  keys: readonly string[],
): Promise<void> => {
  const batchSize = 100
  for (let start = 0; start < keys.length; start += batchSize) {
    const batch = keys.slice(start, start + batchSize)
    const folders = batch.filter(isFolder)
    await jobs.enqueue(tx, 'remove-files', { folders, keys: batch.filter((key) => !isFolder(key)) })
  }
}

/** The stored files of an image: its folder, or a single file without a folder. */
const imageFolderOrFile = (originalKey: string): string => originalKey.replace(/\/(?:original|cut-out-[0-9a-f]+)$/, '/')

type ImageFiles = { originalKey: string; cutOutKey: string | null; uploadedKey: string | null }

/** Deletes a batch of subjects with their images; returns how many. */
const deleteBatch = async (
  tx: Transaction,
  deps: Pick<Deps, 'jobs'>,
  ids: readonly number[] | undefined,
): Promise<number> => {
  const batch = sql`(select u.studio_id, u.id from subjects u where ${isStaged(ids)}
    order by u.studio_id, u.id limit ${subjectsPerStep})`
  const images = await sql<ImageFiles>`
    select i.original_key as "originalKey", i.cut_out_key as "cutOutKey", i.uploaded_key as "uploadedKey"
      from ${batch} b join image_lookups i on i.studio_id = b.studio_id and i.subject_id = b.id`.execute(tx)
  const files = images.rows.flatMap(({ originalKey, cutOutKey, uploadedKey }) =>
    [imageFolderOrFile(originalKey), cutOutKey ?? [], uploadedKey ?? []].flat(),
  )
  await enqueueFileRemoval(tx, deps, files)
  const { numAffectedRows } = await sql`delete from subjects where (studio_id, id) in ${batch}`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** Deletes staged subjects, with everything that a cascade deletes and the files of their images: those of `ids`, or without them all. */
export const deleteStagedSubjects = async (
  runStep: RunStep,
  deps: Pick<Deps, 'jobs'>,
  ids?: readonly number[],
): Promise<void> => {
  while ((await runStep((tx) => deleteBatch(tx, deps, ids))) === subjectsPerStep);
}

/**
 * Deletes staged subjects in short transactions, and the groups that were created with them and have no other members or images. With
 * `ids`, deletes those of a failed request; without, those of all requests that the end of the previous process interrupted.
 */
export const removeStagedSubjects = async (
  deps: Pick<Deps, 'db' | 'wait' | 'jobs'>,
  ids?: readonly number[],
): Promise<void> => {
  await inShortTransaction(deps, (tx) =>
    sql`
      delete from groups g where (g.studio_id, g.id) in (
        select m.studio_id, m.group_id from subjects u
          join subject_groups m on m.studio_id = u.studio_id and m.subject_id = u.id
         where ${isStaged(ids)} and u.created_at = g.created_at)
         and not exists (select from subject_groups m join subjects u on u.studio_id = m.studio_id and u.id = m.subject_id
                          where m.studio_id = g.studio_id and m.group_id = g.id and not ${isStaged(ids)})
         and not exists (select from image_lookups i where i.studio_id = g.studio_id and i.group_id = g.id)`.execute(
      tx,
    ),
  )
  await deleteStagedSubjects((step) => inShortTransaction(deps, step), deps, ids)
}
