import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ByteRange, Files, ListedFile } from '#server/ports/files.ts'

/** Creates an empty store and a function that removes it. */
export type FilesFactory = () => Promise<{ files: Files; close: () => Promise<void> }>

const readBytes = async (files: Files, key: string, range?: ByteRange): Promise<Buffer | string> => {
  const result = await files.read(key, range)
  return result.outcome === 'opened' ? buffer(result.body) : result.outcome
}

const listFiles = async (files: Files, folder: string): Promise<ListedFile[]> => {
  const listed: ListedFile[] = []
  for await (const file of files.list(folder)) listed.push(file)
  return listed
}

const listKeys = async (files: Files, folder: string): Promise<string[]> =>
  (await listFiles(files, folder)).map((file) => file.key).sort()

async function* brokenHalfway() {
  yield Buffer.from('half of it')
  throw new Error('The connection was lost')
}

const wrongKeys = [
  '',
  '/',
  '..',
  '../a',
  'a/../b',
  'a/..',
  '/a',
  'a/',
  'a//b',
  '.hidden',
  'a/.b',
  'a\\b',
  'a b',
  'ä',
  'a\0b',
  'a\n',
  'a'.repeat(501),
]

/** The contract of the files port; every adapter runs the same tests. */
export const filesContract = (name: string, makeStore: FilesFactory): void => {
  describe(`${name} fulfils the contract of the files port`, () => {
    let store: Awaited<ReturnType<FilesFactory>>
    let files: Files
    beforeEach(async () => {
      store = await makeStore()
      files = store.files
    })
    afterEach(() => store.close())

    test('a file written from bytes or from a stream is read back unchanged', async () => {
      const bytes = randomBytes(3_000_000)
      expect(await files.put('studios/1/images/7/original', bytes)).toEqual({ size: bytes.length })
      expect(bytes.equals(Buffer.from(await readBytes(files, 'studios/1/images/7/original')))).toBe(true)
      const parts = [bytes.subarray(0, 10), bytes.subarray(10, 2_000_000), bytes.subarray(2_000_000)]
      expect(await files.put('studios/1/images/8/original.jpg', Readable.from(parts))).toEqual({ size: bytes.length })
      expect(bytes.equals(Buffer.from(await readBytes(files, 'studios/1/images/8/original.jpg')))).toBe(true)
    })

    test('an empty file can be stored', async () => {
      await files.put('empty', Buffer.alloc(0))
      expect(await files.read('empty')).toMatchObject({ outcome: 'opened', size: 0 })
      expect(await readBytes(files, 'empty')).toEqual(Buffer.alloc(0))
      expect(await files.read('empty', { start: 0 })).toEqual({ outcome: 'outside', size: 0 })
    })

    test('any range reads like a slice of the bytes', async () => {
      const bytes = randomBytes(700)
      await files.put('a/b', bytes)
      const ranges = fc.record({ start: fc.nat(699), length: fc.option(fc.integer({ min: 1, max: 900 })) })
      await fc.assert(
        fc.asyncProperty(ranges, async ({ start, length }) => {
          const end = length === null ? undefined : start + length - 1
          const result = await files.read('a/b', { start, end })
          if (result.outcome !== 'opened') throw new Error(result.outcome)
          const expected = bytes.subarray(start, end === undefined ? undefined : end + 1)
          expect(await buffer(result.body)).toEqual(expected)
          expect(result).toMatchObject({ size: 700, start, end: start + expected.length - 1 })
        }),
        { numRuns: 40 },
      )
    })

    test('a range after the end and a missing file are reported', async () => {
      await files.put('a/b', Buffer.from('12345'))
      expect(await files.read('a/b', { start: 5 })).toEqual({ outcome: 'outside', size: 5 })
      expect(await files.read('a/c')).toEqual({ outcome: 'missing' })
      expect(await files.read('a')).toEqual({ outcome: 'missing' })
      expect(await files.read('a/b/c')).toEqual({ outcome: 'missing' })
    })

    test('put replaces a file without interrupting a reader of the old one', async () => {
      await files.put('a', Buffer.from('old old old'))
      const opened = await files.read('a')
      await files.put('a', Buffer.from('new'))
      expect(opened.outcome === 'opened' && (await buffer(opened.body)).toString()).toBe('old old old')
      expect(String(await readBytes(files, 'a'))).toBe('new')
    })

    test('a put that fails halfway leaves the old file', async () => {
      await files.put('kept', Buffer.from('kept'))
      await expect(files.put('kept', Readable.from(brokenHalfway()))).rejects.toThrow('The connection was lost')
      await expect(files.put('never', Readable.from(brokenHalfway()))).rejects.toThrow('The connection was lost')
      expect(String(await readBytes(files, 'kept'))).toBe('kept')
      expect(await listKeys(files, '')).toEqual(['kept'])
    })

    test('after concurrent puts of one key the file is one of them, complete', async () => {
      const bodies = Array.from({ length: 8 }, (_, n) => Buffer.alloc(100_000, n))
      await Promise.all(bodies.map((body) => files.put('contended/key', body)))
      expect(bodies).toContainEqual(await readBytes(files, 'contended/key'))
    })

    test('a file can be removed twice', async () => {
      await files.put('a/b', Buffer.from('1'))
      await files.remove('a/b')
      await files.remove('a/b')
      await files.remove('never/was')
      expect(await files.read('a/b')).toEqual({ outcome: 'missing' })
    })

    test('list returns the files of a folder and no others', async () => {
      for (const key of ['s/1/a', 's/1/b/c', 's/10/d', 't']) await files.put(key, Buffer.from(key))
      expect(await listKeys(files, 's/1/')).toEqual(['s/1/a', 's/1/b/c'])
      expect(await listKeys(files, '')).toEqual(['s/1/a', 's/1/b/c', 's/10/d', 't'])
      expect(await listKeys(files, 'nothing/here/')).toEqual([])
      expect(await listFiles(files, 's/10/')).toEqual([{ key: 's/10/d', size: 6 }])
    })

    test.each(wrongKeys)('the key %j is refused', async (key) => {
      await expect(files.put(key, Buffer.from('x'))).rejects.toThrow('Not a file key')
      await expect(files.read(key)).rejects.toThrow('Not a file key')
      await expect(files.remove(key)).rejects.toThrow('Not a file key')
    })

    test('listing anything but a folder of the store is refused', () => {
      for (const folder of ['..', '../', '/', 's', 's/../', './']) expect(() => files.list(folder)).toThrow()
    })
  })
}
