import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createFolderAtomically,
  DatabaseUnavailable,
  hasDatabase,
  lockFolder,
} from '#server/database/embedded/data-folder.ts'

let folder = ''

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'data-folder-')), 'database')
})

afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

describe('the folder of the embedded database', () => {
  it('the folder can be locked only once until it is released, also within one process', () => {
    const unlock = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(DatabaseUnavailable)
    unlock()
    lockFolder(folder)()
  })

  it('a folder that cannot be created or written is refused with the same message', () => {
    const file = join(folder, '..', 'file')
    writeFileSync(file, '')
    for (const path of [join(file, 'database'), '/sys/kernel/database']) {
      expect(() => lockFolder(path)).toThrow(DatabaseUnavailable)
      expect(() => lockFolder(path)).toThrow(/cannot be used: .+ DATA_DIR/)
    }
  })

  it('a lock that fails for another reason is not reported as another process', () => {
    writeFileSync(`${folder}.lock`, 'this is neither a lock nor a database '.repeat(100))
    expect(() => lockFolder(folder)).toThrow(/cannot be used: .+ DATA_DIR/)
    expect(() => lockFolder(folder)).not.toThrow(/Another process/)
  })

  it('a folder of another version is refused, with the version', () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'PG_VERSION'), '17\n')
    expect(() => hasDatabase(folder)).toThrow(
      `The database in ${folder} was written by PostgreSQL 17, this version reads 18`,
    )
  })

  it('a folder with other files is refused', () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'holiday.jpg'), '')
    expect(() => hasDatabase(folder)).toThrow(`${folder} is not a database`)
  })

  it('a failed creation leaves no folder, and the next creation starts from nothing', async () => {
    const failing = createFolderAtomically(folder, async (unfinished) => {
      writeFileSync(join(unfinished, 'half'), '')
      throw new Error('interrupted')
    })
    await expect(failing).rejects.toThrow('interrupted')
    expect(existsSync(folder)).toBe(false)
    await createFolderAtomically(folder, async (unfinished) => writeFileSync(join(unfinished, 'PG_VERSION'), '18'))
    expect(readdirSync(folder)).toEqual(['PG_VERSION'])
    expect(hasDatabase(folder)).toBe(true)
  })
})
