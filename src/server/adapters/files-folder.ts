import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { ignoring } from '#domain/shared/ignoring.ts'
import type { ByteRange, FileRead, Files, ListedFile } from '../ports/files.ts'

const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/
const MAX_KEY_LENGTH = 500

/**
 * Returns the key if it is valid in every kind of store; throws otherwise. No part begins with a dot, so a key cannot
 * contain `..` or name a hidden file.
 */
const checkedKey = (key: string): string => {
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key))
    throw new Error(`Not a file key: ${JSON.stringify(key.slice(0, 100))}`)
  return key
}

/** Returns the folder if it is valid: a key followed by `/`, or an empty string, which is the whole store. Throws otherwise. */
const checkedFolder = (folder: string): string => {
  if (folder === '') return folder
  if (!folder.endsWith('/'))
    throw new Error(`Not a folder (it must end in a slash): ${JSON.stringify(folder.slice(0, 100))}`)
  return `${checkedKey(folder.slice(0, -1))}/`
}

/**
 * The folder of temporary files. No key can name it, and it is on the same disk as the files, so that a rename is
 * atomic.
 */
const TEMPORARY_FOLDER = '.unfinished'

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** A directory entry survives a power cut only once the directory itself is synced. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const makeFolder = async (folder: string): Promise<void> => {
  const firstCreated = await mkdir(folder, { recursive: true })
  if (firstCreated === undefined) return
  for (let path = folder; path.length >= firstCreated.length; path = dirname(path)) await syncFolder(dirname(path))
}

const writeAll = async (handle: FileHandle, body: Uint8Array | Readable): Promise<number> => {
  if (body instanceof Uint8Array) {
    await handle.writeFile(body)
    return body.byteLength
  }
  let size = 0
  for await (const chunk of body) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    await handle.writeFile(bytes)
    size += bytes.byteLength
  }
  return size
}

/** Runs an action in a folder; where the folder is missing, creates it and retries the action. */
const inFolder = async <Result>(folder: string, act: () => Promise<Result>): Promise<Result> => {
  try {
    return await act()
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    await makeFolder(folder)
    return await act()
  }
}

const writeSynced = async (path: string, body: Uint8Array | Readable): Promise<number> => {
  const handle = await inFolder(dirname(path), () => open(path, 'wx'))
  try {
    const size = await writeAll(handle, body)
    await handle.sync()
    return size
  } finally {
    await handle.close()
  }
}

const openFile = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

const assertValidRange = ({ start, end }: ByteRange): void => {
  const hasIntegerBounds = Number.isSafeInteger(start) && start >= 0 && (end === undefined || Number.isSafeInteger(end))
  if (!hasIntegerBounds || (end !== undefined && end < start))
    throw new Error(`Not a byte range: ${start}-${end ?? ''}`)
}

const readOpened = async (handle: FileHandle, range: ByteRange | undefined): Promise<FileRead> => {
  const stats = await handle.stat()
  if (!stats.isFile()) return { outcome: 'missing' }
  const { size } = stats
  const start = range?.start ?? 0
  if (range && start >= size) return { outcome: 'outside', size }
  const end = Math.min(range?.end ?? size - 1, size - 1)
  // Node cannot create a stream of an empty range.
  const body = size === 0 ? Readable.from([]) : handle.createReadStream({ start, end })
  return { outcome: 'opened', size, start, end, body }
}

/**
 * Stores files in a local folder. Bytes go to a temporary file that is synced and then renamed, so that a read returns the old bytes or the
 * new ones after any crash. `newId` names the temporary files; it must never repeat.
 */
export const folderFiles = ({ folder, newId }: { folder: string; newId: () => string }): Files => {
  const root = resolve(folder)
  const pathOf = (key: string): string => join(root, checkedKey(key))

  const put: Files['put'] = async (key, body) => {
    const path = pathOf(key)
    const temporaryPath = join(root, TEMPORARY_FOLDER, newId())
    try {
      const size = await writeSynced(temporaryPath, body)
      await inFolder(dirname(path), () => rename(temporaryPath, path))
      await syncFolder(dirname(path))
      return { size }
    } catch (error) {
      await rm(temporaryPath, { force: true })
      throw error
    }
  }

  const read: Files['read'] = async (key, range) => {
    const path = pathOf(key)
    if (range) assertValidRange(range)
    const handle = await openFile(path)
    if (!handle) return { outcome: 'missing' }
    let result: FileRead | undefined
    try {
      result = await readOpened(handle, range)
      return result
    } finally {
      // A stream closes its handle when it ends or is destroyed; without a stream it is closed here.
      if (result?.outcome !== 'opened' || result.size === 0) await handle.close()
    }
  }

  const remove: Files['remove'] = async (key) => {
    const path = pathOf(key)
    try {
      await rm(path)
      await syncFolder(dirname(path))
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    }
  }

  async function* listUnder(path: string): AsyncGenerator<ListedFile> {
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return []
      throw error
    })
    for (const entry of entries) {
      const entryPath = join(path, entry.name)
      if (entry.isDirectory() && entry.name !== TEMPORARY_FOLDER) yield* listUnder(entryPath)
      if (!entry.isFile()) continue
      // A file that was removed during the listing is left out.
      const size = await stat(entryPath).then(
        (file) => file.size,
        () => undefined,
      )
      if (size !== undefined) yield { key: relative(root, entryPath).replaceAll('\\', '/'), size }
    }
  }

  return { put, read, remove, list: (folderToList) => listUnder(join(root, checkedFolder(folderToList))) }
}

/**
 * Removes temporary files that a crash left behind, if they were last changed before `before`. Pass a time at least a day in the past,
 * because other processes may be writing now.
 */
export const removeUnfinished = async ({ folder, before }: { folder: string; before: Date }): Promise<number> => {
  const unfinishedFolder = join(resolve(folder), TEMPORARY_FOLDER)
  const names = await readdir(unfinishedFolder).catch(() => [])
  let removed = 0
  for (const name of names) {
    const path = join(unfinishedFolder, name)
    const stats = await ignoring('another process removed the file', () => stat(path))
    if (!stats || stats.mtime >= before) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}
