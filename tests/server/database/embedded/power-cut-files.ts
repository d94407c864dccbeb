import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FileRequest } from './recorded-files.ts'

/** Decides what happens to requests that were not synced. */
export type PowerCutOutcome = {
  /** Whether one sector was written. */
  readonly written: () => boolean
  /** How many of the changed names were journalled. */
  readonly journalled: (names: number) => number
}

export const loseAllUnsynced: PowerCutOutcome = { written: () => false, journalled: () => 0 }

export const keepAllUnsynced: PowerCutOutcome = { written: () => true, journalled: (names) => names }

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
  return { written: () => chance() < share, journalled: (names) => Math.floor(chance() * (names + 1)) }
}

type Change = Extract<FileRequest, { do: 'write' | 'resize' }>
type Naming = Exclude<FileRequest, Change | { do: 'sync' | 'acknowledge' }>

const sector = 512

/**
 * Turns `folder`, a copy of the files as they were when the record began, into what a disk holds after the power failed with
 * `asked` behind it. What was synced is there. Of what was not, `fate` decides: of a file's contents any part may have been
 * written or not, sector by sector; of new, renamed and removed names any first few, because a file system journals them in order,
 * and a sync of any file writes the journal (as ext4 and XFS do).
 */
export const writeFilesAfterPowerCut = (folder: string, asked: readonly FileRequest[], fate: PowerCutOutcome): void => {
  const contents = new Contents(folder)
  const unsynced = new Map<string, Change[]>()
  let unnamed: Naming[] = []
  const names: Naming[] = []
  for (const step of asked) {
    if (step.do === 'write' || step.do === 'resize') {
      const changes = unsynced.get(step.file)
      if (changes) changes.push(step)
      else unsynced.set(step.file, [step])
    } else if (step.do === 'sync') {
      for (const change of unsynced.get(step.file) ?? []) contents.apply(change, () => true)
      unsynced.delete(step.file)
      names.push(...unnamed)
      unnamed = []
    } else if (step.do !== 'acknowledge') unnamed.push(step)
  }
  for (const changes of unsynced.values()) {
    for (const change of changes) contents.apply(change, fate.written)
  }
  names.push(...unnamed.slice(0, fate.journalled(unnamed.length)))
  contents.writeUnder(names)
}

/** The contents of files by their first name. */
class Contents {
  readonly #folder: string
  readonly #byFile = new Map<string, Buffer>()

  constructor(folder: string) {
    this.#folder = folder
  }

  apply(change: Change, survives: () => boolean): void {
    const held = this.#of(change.file)
    if (change.do === 'resize') {
      if (survives()) this.#byFile.set(change.file, resized(held, change.size))
      return
    }
    let grown = held
    for (let from = 0; from < change.bytes.length; from += sector) {
      if (!survives()) continue
      const piece = change.bytes.subarray(from, from + sector)
      grown = resized(grown, Math.max(grown.length, change.at + from + piece.length))
      grown.set(piece, change.at + from)
    }
    this.#byFile.set(change.file, grown)
  }

  /** Applies the name changes to the folder and fills each named file with its content. */
  writeUnder(namings: readonly Naming[]): void {
    const fileByPath = new Map(
      [...this.#byFile.keys()].filter((file) => existsSync(join(this.#folder, file))).map((file) => [file, file]),
    )
    for (const naming of namings) this.#name(naming, fileByPath)
    for (const [path, file] of fileByPath) {
      const held = this.#byFile.get(file)
      if (held) writeFileSync(join(this.#folder, path), held)
    }
  }

  #name(naming: Naming, fileByPath: Map<string, string>): void {
    const path = join(this.#folder, naming.path)
    if (naming.do === 'createFolder') mkdirSync(path)
    else if (naming.do === 'removeFolder') rmdirSync(path)
    else if (naming.do === 'remove') {
      rmSync(path)
      fileByPath.delete(naming.path)
    } else if (naming.do === 'create') {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, '')
      fileByPath.set(naming.path, naming.file)
    } else {
      renameSync(path, join(this.#folder, naming.to))
      const file = fileByPath.get(naming.path)
      fileByPath.delete(naming.path)
      fileByPath.delete(naming.to)
      if (file !== undefined) fileByPath.set(naming.to, file)
    }
  }

  #of(file: string): Buffer {
    const known = this.#byFile.get(file)
    if (known) return known
    const path = join(this.#folder, file)
    const held = file.includes('#') ? Buffer.alloc(0) : readFileSync(path)
    this.#byFile.set(file, held)
    return held
  }
}

const resized = (held: Buffer, size: number): Buffer => {
  if (size <= held.length) return held.subarray(0, size)
  const room = Buffer.alloc(size)
  held.copy(room)
  return room
}
