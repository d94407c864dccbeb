import type { Deps } from '../deps.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { queues } from '../jobs/queues.ts'

/** The folder a picture has to itself, with a slash at the end; null where it lies among others. */
const folderOf = (originalKey: string): string | null => {
  const [folder] = /^.+\/(?=original$)/.exec(originalKey) ?? []
  return folder ?? null
}

/** All that is stored of a picture: its original, and what was made of it beside it. */
export const filesOfPicture = (originalKey: string): string => folderOf(originalKey) ?? originalKey

/** Removes files, and all of a folder whose name ends with a slash. Bears being done again. */
export const removeFiles = async ({ files }: Pick<Deps, 'files'>, keys: readonly string[]): Promise<void> => {
  for (const key of keys) {
    if (!key.endsWith('/')) await files.remove(key)
    else for await (const file of files.list(key)) await files.remove(file.key)
  }
}

/** Starts the worker that removes the files of what was deleted, once that is committed. */
export const workOnRemovals = (jobs: Jobs<typeof queues>, deps: Pick<Deps, 'files'>): Promise<void> =>
  jobs.work('remove-files', 1, ({ payload }) => removeFiles(deps, payload.keys))
