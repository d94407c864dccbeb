import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FileRequest } from './recorded-files.ts'

/** Decides which unsynced changes reach the disk. */
export type PowerCutOutcome = {
  /** Whether one sector was written. */
  readonly isWritten: () => boolean
  /** The number of changed names that were journalled. */
  readonly countJournalled: (names: number) => number
}

export const loseAllUnsynced: PowerCutOutcome = { isWritten: () => false, countJournalled: () => 0 }

export const keepAllUnsynced: PowerCutOutcome = { isWritten: () => true, countJournalled: (names) => names }

/** A seeded random generator from 0 up to 1, so that a failing cut can be reproduced. */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export const randomOutcome = (seed: number): PowerCutOutcome => {
  const chance = seeded(seed)
  const share = chance()
  return { isWritten: () => chance() < share, countJournalled: (names) => Math.floor(chance() * (names + 1)) }
}

type Change = Extract<FileRequest, { do: 'write' | 'resize' }>
type NameChange = Exclude<FileRequest, Change | { do: 'sync' | 'acknowledge' }>

const sector = 512

/**
 * Changes `folder`, a copy of the files at the start of the recording, to what a disk contains if the power fails after
 * `requests`. Everything that was synced is on the disk. `outcome` decides about the rest: any sector of a file's
 * contents may be written or not; of new, renamed and removed names the first few are applied, because a file system
 * journals them in order, and a sync of any file writes the journal (as ext4 and XFS do).
 */
export const writeFilesAfterPowerCut = (
  folder: string,
  requests: readonly FileRequest[],
  outcome: PowerCutOutcome,
): void => {
  const contents = new Contents(folder)
  const unsynced = new Map<string, Change[]>()
  let unsyncedNames: NameChange[] = []
  const appliedNames: NameChange[] = []
  for (const request of requests) {
    if (request.do === 'write' || request.do === 'resize') {
      const changes = unsynced.get(request.file)
      if (changes) changes.push(request)
      else unsynced.set(request.file, [request])
    } else if (request.do === 'sync') {
      for (const change of unsynced.get(request.file) ?? []) contents.apply(change, () => true)
      unsynced.delete(request.file)
      appliedNames.push(...unsyncedNames)
      unsyncedNames = []
    } else if (request.do !== 'acknowledge') unsyncedNames.push(request)
  }
  for (const changes of unsynced.values()) {
    for (const change of changes) contents.apply(change, outcome.isWritten)
  }
  appliedNames.push(...unsyncedNames.slice(0, outcome.countJournalled(unsyncedNames.length)))
  contents.writeUnder(appliedNames)
}

/** The contents of files by the name that they had at first. */
class Contents {
  readonly #folder: string
  readonly #byFile = new Map<string, Buffer>()

  constructor(folder: string) {
    this.#folder = folder
  }

  apply(change: Change, isWritten: () => boolean): void {
    const content = this.#of(change.file)
    if (change.do === 'resize') {
      if (isWritten()) this.#byFile.set(change.file, resized(content, change.size))
      return
    }
    let newContent = content
    for (let from = 0; from < change.bytes.length; from += sector) {
      if (!isWritten()) continue
      const sectorBytes = change.bytes.subarray(from, from + sector)
      newContent = resized(newContent, Math.max(newContent.length, change.at + from + sectorBytes.length))
      newContent.set(sectorBytes, change.at + from)
    }
    this.#byFile.set(change.file, newContent)
  }

  /** Applies the name changes to the folder and fills each named file with its content. */
  writeUnder(nameChanges: readonly NameChange[]): void {
    const fileByPath = new Map(
      [...this.#byFile.keys()].filter((file) => existsSync(join(this.#folder, file))).map((file) => [file, file]),
    )
    for (const nameChange of nameChanges) this.#name(nameChange, fileByPath)
    for (const [path, file] of fileByPath) {
      const content = this.#byFile.get(file)
      if (content) writeFileSync(join(this.#folder, path), content)
    }
  }

  #name(nameChange: NameChange, fileByPath: Map<string, string>): void {
    const path = join(this.#folder, nameChange.path)
    if (nameChange.do === 'createFolder') mkdirSync(path)
    else if (nameChange.do === 'removeFolder') rmdirSync(path)
    else if (nameChange.do === 'remove') {
      rmSync(path)
      fileByPath.delete(nameChange.path)
    } else if (nameChange.do === 'create') {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, '')
      fileByPath.set(nameChange.path, nameChange.file)
    } else {
      renameSync(path, join(this.#folder, nameChange.to))
      const file = fileByPath.get(nameChange.path)
      fileByPath.delete(nameChange.path)
      fileByPath.delete(nameChange.to)
      if (file !== undefined) fileByPath.set(nameChange.to, file)
    }
  }

  #of(file: string): Buffer {
    const cached = this.#byFile.get(file)
    if (cached) return cached
    const path = join(this.#folder, file)
    const content = file.includes('#') ? Buffer.alloc(0) : readFileSync(path)
    this.#byFile.set(file, content)
    return content
  }
}

const resized = (content: Buffer, size: number): Buffer => {
  if (size <= content.length) return content.subarray(0, size)
  const enlarged = Buffer.alloc(size)
  content.copy(enlarged)
  return enlarged
}
