import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { folderFiles, removeUnfinished } from '#server/adapters/files-folder.ts'
import { filesContract } from './files-contract.ts'

const makeFolder = () => mkdtemp(join(tmpdir(), 'fieldproof-files-'))

filesContract('the folder', async () => {
  const folder = await makeFolder()
  return {
    files: folderFiles({ folder, newId: randomUUID }),
    close: () => rm(folder, { recursive: true }),
  }
})

test('a failed put leaves no temporary file behind', async () => {
  const folder = await makeFolder()
  const files = folderFiles({ folder, newId: randomUUID })
  const failingStream = new Readable({ read: () => failingStream.destroy(new Error('lost')) })
  await expect(files.put('a', failingStream)).rejects.toThrow('lost')
  expect(await readdir(join(folder, '.unfinished'))).toEqual([])
  await rm(folder, { recursive: true })
})

test('unfinished files that a crash left are removed, and files that are still being written stay', async () => {
  const folder = await makeFolder()
  await folderFiles({ folder, newId: randomUUID }).put('kept', Buffer.from('kept'))
  const oldFile = join(folder, '.unfinished', 'old')
  await writeFile(oldFile, 'half')
  await writeFile(join(folder, '.unfinished', 'fresh'), 'half')
  await utimes(oldFile, new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:00:00Z'))
  expect(await removeUnfinished({ folder, before: new Date('2026-01-02T00:00:00Z') })).toBe(1)
  expect(await readdir(join(folder, '.unfinished'))).toEqual(['fresh'])
  expect(await removeUnfinished({ folder: join(folder, 'nowhere'), before: new Date() })).toBe(0)
  await rm(folder, { recursive: true })
})
