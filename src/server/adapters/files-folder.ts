import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { ignoring } from '#server/ignoring.ts'
import type { ByteRange, FileRead, Files, ListedFile } from '../ports/files.ts'

const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/
const LONGEST = 500

/** Returns the key if every store can hold it; throws otherwise. No part begins with a dot, so `..` and hidden files cannot be named. */
const checkedKey = (key: string): string => {
  if (key.length > LONGEST || !KEY.test(key)) throw new Error(`Not a file key: ${JSON.stringify(key.slice(0, 100))}`)
  return key
}

/** A folder to list: a key followed by `/`, or nothing for the whole store; throws otherwise. */
const checkedFolder = (folder: string): string => {
  if (folder === '') return folder
  if (!folder.endsWith('/'))
    throw new Error(`A folder of files ends in a slash: ${JSON.stringify(folder.slice(0, 100))}`)
  return `${checkedKey(folder.slice(0, -1))}/`
}

/** No key can name it (keys have no leading dot), and it is on the same disk, so that a rename is atomic. */
const UNFINISHED = '.unfinished'

const isCode = (error: unknown, ...codes: string[]): boolean =>
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
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
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

/** Does something in a folder and creates the folder where it is missing; usually it exists. */
const inFolder = async <Done>(folder: string, act: () => Promise<Done>): Promise<Done> => {
  try {
    return await act()
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
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
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

const checkRange = ({ start, end }: ByteRange): void => {
  const whole = Number.isSafeInteger(start) && start >= 0 && (end === undefined || Number.isSafeInteger(end))
  if (!whole || (end !== undefined && end < start)) throw new Error(`Not a byte range: ${start}-${end ?? ''}`)
}

const readOpened = async (handle: FileHandle, range: ByteRange | undefined): Promise<FileRead> => {
  const found = await handle.stat()
  if (!found.isFile()) return { outcome: 'missing' }
  const size = found.size
  const start = range?.start ?? 0
  if (range && start >= size) return { outcome: 'outside', size }
  const end = Math.min(range?.end ?? size - 1, size - 1)
  // Node cannot express a stream from byte 0 to byte -1.
  const body = size === 0 ? Readable.from([]) : handle.createReadStream({ start, end })
  return { outcome: 'opened', size, start, end, body }
}

/**
 * Stores files in a local folder. Bytes go to a temporary file that is synced and then renamed, so that a key shows the old bytes or the
 * new ones after any crash. `newId` names the temporary files; it must never repeat.
 */
export const folderFiles = ({ folder, newId }: { folder: string; newId: () => string }): Files => {
  const root = resolve(folder)
  const pathOf = (key: string): string => join(root, checkedKey(key))

  const put: Files['put'] = async (key, body) => {
    const path = pathOf(key)
    const unfinished = join(root, UNFINISHED, newId())
    try {
      const size = await writeSynced(unfinished, body)
      await inFolder(dirname(path), () => rename(unfinished, path))
      await syncFolder(dirname(path))
      return { size }
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }

  const read: Files['read'] = async (key, range) => {
    const path = pathOf(key)
    if (range) checkRange(range)
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
      if (!isCode(error, 'ENOENT', 'ENOTDIR')) throw error
    }
  }

  async function* listUnder(path: string): AsyncGenerator<ListedFile> {
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      if (isCode(error, 'ENOENT', 'ENOTDIR')) return []
      throw error
    })
    for (const entry of entries) {
      const found = join(path, entry.name)
      if (entry.isDirectory() && entry.name !== UNFINISHED) yield* listUnder(found)
      if (!entry.isFile()) continue
      // A file that was removed during the listing is left out.
      const size = await stat(found).then(
        (file) => file.size,
        () => undefined,
      )
      if (size !== undefined) yield { key: relative(root, found).replaceAll('\\', '/'), size }
    }
  }

  return { put, read, remove, list: (under) => listUnder(join(root, checkedFolder(under))) }
}

/**
 * Removes what a crash left half written: temporary files last touched before `before`. Run it at start, with a day's grace, since other
 * processes may be writing now.
 */
export const removeUnfinished = async ({ folder, before }: { folder: string; before: Date }): Promise<number> => {
  const unfinished = join(resolve(folder), UNFINISHED)
  const names = await readdir(unfinished).catch(() => [])
  let removed = 0
  for (const name of names) {
    const path = join(unfinished, name)
    const found = await ignoring('another process removed the file', () => stat(path))
    if (!found || found.mtime >= before) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}
