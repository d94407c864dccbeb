import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { object, type } from 'superstruct'
import { describe, expect, it } from 'vitest'
import type { AnyCall } from '#contract/shapes/call.ts'
import { Count, Nothing } from '#contract/shapes/primitives.ts'
import { mountFormCalls } from '#server/http/forms/mount-with-form.ts'
import { removeOldForms } from '#server/http/forms/multipart-form.ts'
import type { FormHandler } from '#server/http/mount.ts'
import { problem } from '#server/http/problem.ts'
import { purgeExpiredData } from '#server/workers.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createTestSession, testApp, testDeps } from '#support/server/test-app.ts'
import { multipartPayload } from '../../images/lookups/form-data.ts'

const send = {
  method: 'POST',
  path: '/api/test/files',
  who: 'session',
  params: Nothing,
  query: object({}),
  body: Nothing,
  answer: type({ bytes: Count }),
  problems: ['session-unknown', 'refused', 'too-large', 'unsupported-media'],
} satisfies AnyCall

const kilobytes = (count: number, filled = 'a') => Buffer.alloc(count * 1024, filled)
const named = (...files: Buffer[]) => files.map((bytes, at) => ({ fileName: `${at + 1}.jpg`, bytes }))

const megabyte = 1024 * 1024
const limits = { files: 3, fileBytes: megabyte, allBytes: 2 * megabyte }

describe.each(enginesFor(import.meta.filename))('a form with files on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async (handle?: FormHandler<typeof send>) => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const seen: string[][] = []
    const onDisk = () => readdir(join(deps.settings.dataDir, 'forms')).catch(() => [])
    await mountFormCalls({ app, deps, limits }, (mountForm) =>
      mountForm(send, async (asked) => {
        seen.push(await onDisk())
        if (handle) return await handle(asked)
        const sizes = asked.form.files.map(async ({ read }) => (await read()).length)
        return { bytes: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) }
      }),
    )
    const { headers } = await createTestSession(deps)
    const post = async (
      files: readonly Buffer[],
      { key, fields }: { key?: string; fields?: Record<string, string> } = {},
    ) => {
      const form = await multipartPayload(named(...files), fields)
      const answer = await app.inject({
        method: 'POST',
        url: send.path,
        payload: form.payload,
        headers: { ...headers, ...form.headers, ...(key && { 'idempotency-key': key }) },
      })
      return { status: answer.statusCode, ...answer.json() }
    }
    return { deps, app, headers, seen, onDisk, post }
  }

  it('files are on disk while the form is processed, and removed afterwards', async () => {
    const { post, seen, onDisk } = await begin()
    expect(await post([kilobytes(80), kilobytes(90)])).toEqual({ status: 200, data: { bytes: 170 * 1024 } })
    expect(seen.map(({ length }) => length)).toEqual([2])
    expect(await onDisk()).toEqual([])
  })

  it.each<[string, FormHandler<typeof send>, number]>([
    ['is refused', async () => problem('refused'), 422],
    ['fails', () => Promise.reject(new Error('a disk that is full')), 500],
  ])('lies nowhere once what is done with it %s', async (_, handle, status) => {
    const { post, seen, onDisk } = await begin(handle)
    expect(await post([kilobytes(1)])).toMatchObject({ status })
    expect(seen.map(({ length }) => length)).toEqual([1])
    expect(await onDisk()).toEqual([])
  })

  it.each<[string, Buffer[], object]>([
    ['one file that is too large', [kilobytes(1_025)], { status: 413, errors: ['This is larger than we can take'] }],
    ['too many files', [1, 1, 1, 1].map((count) => kilobytes(count)), { status: 413 }],
    [
      'files that are too large together',
      [900, 900, 900].map((count) => kilobytes(count)),
      { status: 413, errors: ['These files have more than 2 MB together. Send fewer at a time'] },
    ],
    ['far more than it takes', [kilobytes(4_000)], { status: 413 }],
  ])('is refused with %s, and nothing of it stays', async (_, files, refused) => {
    const { post, seen, onDisk } = await begin()
    expect(await post(files)).toMatchObject(refused)
    expect([seen, await onDisk()]).toEqual([[], []])
  })

  it('an interrupted form leaves nothing behind', async () => {
    const { app, headers, seen, onDisk } = await begin()
    const answered = new Promise<void>((resolve) => app.addHook('onSend', async () => resolve()))
    await app.listen({ port: 0, host: '127.0.0.1' })
    const [bound] = app.addresses()
    const line = connect(typeof bound === 'object' ? bound.port : 0, '127.0.0.1')
    const form = await multipartPayload(named(kilobytes(90)))
    const head = { host: 'x', 'content-length': String(form.payload.length), ...headers, ...form.headers }
    line.write(
      `POST ${send.path} HTTP/1.1\r\n${Object.entries(head)
        .map((pair) => `${pair.join(': ')}\r\n`)
        .join('')}\r\n`,
    )
    line.write(form.payload.subarray(0, 40_000))
    await expect.poll(onDisk).toHaveLength(1)
    line.destroy()
    await once(line, 'close')
    await answered
    expect([seen, await onDisk()]).toEqual([[], []])
  })

  const rawPart = (disposition: string, body: string) =>
    `--edge\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${body}\r\n`
  const postRaw = async (parts: readonly string[], handle?: FormHandler<typeof send>) => {
    const { app, headers, onDisk } = await begin(handle)
    const answer = await app.inject({
      method: 'POST',
      url: send.path,
      payload: Buffer.from(`${parts.join('')}--edge--\r\n`),
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=edge' },
    })
    expect(await onDisk()).toEqual([])
    return { status: answer.statusCode, ...answer.json() }
  }

  it('file names are made storable: no control characters, no folders, at most 255 characters', async () => {
    const names: string[] = []
    const handle: FormHandler<typeof send> = async ({ form }) => {
      names.push(...form.files.map(({ fileName }) => fileName))
      return { bytes: 0 }
    }
    const sent = ['a\0b.jpg', '..\\\\c/d\u0007.jpg', `${'e'.repeat(400)}.jpg`]
    for (const name of sent) {
      const part = rawPart(`name="file"; filename="${name}"`, 'x')
      expect((await postRaw([part], handle)).status).toBeLessThan(500)
    }
    expect(names.every((name) => !/\p{Cc}|[\\/]/u.test(name) && name.length <= 255)).toBe(true)
    expect(names).toContain(`${'e'.repeat(251)}.jpg`)
  })

  it.each([
    ['a value with a NUL', rawPart('name="ImageId"', '1\u00002')],
    ['a name with a NUL', rawPart('name="Image\u0000Id"', '12')],
  ])('a form with %s is refused with one message', async (_, part) => {
    const answer = await postRaw([part])
    expect(answer).toMatchObject({ status: 400, errors: [expect.any(String)] })
  })

  it('fields may have any name', async () => {
    const parts = ['__proto__', 'constructor', 'toString'].map((name) => rawPart(`name="${name}"`, 'x'))
    expect((await postRaw(parts)).status).toBeLessThan(500)
  })

  it('a form that cannot be written to disk is a server error', async () => {
    const { deps, post, seen } = await begin()
    await writeFile(join(deps.settings.dataDir, 'forms'), 'where the folder should be')
    expect(await post([kilobytes(1)])).toMatchObject({ status: 500, errors: ['An error occurred'] })
    expect(seen).toEqual([])
  })

  it('an invalid form is the sender’s error', async () => {
    const { app, headers, onDisk } = await begin()
    const payload = '--x\r\ncontent-disposition: form-data; name="a"; filename="a"\r\n\r\nhalf'
    const own = { ...headers, 'content-type': 'multipart/form-data; boundary=x' }
    const answer = await app.inject({ method: 'POST', url: send.path, payload, headers: own })
    expect([answer.statusCode, answer.json().errors]).toEqual([
      400,
      ['The files did not arrive whole. Please send them again'],
    ])
    expect(await onDisk()).toEqual([])
  })

  it('a form is identified by its bytes: the same key with others is another request', async () => {
    const { post, seen } = await begin()
    const key = randomUUID()
    const first = await post([kilobytes(1)], { key })
    expect(await post([kilobytes(1)], { key })).toEqual(first)
    expect(seen).toHaveLength(1)
    const reused = { status: 422, problem: 'key-reused', errors: ['This was sent before with other content'] }
    expect(await post([kilobytes(1, 'b')], { key })).toMatchObject(reused)
    expect(await post([kilobytes(1), kilobytes(1)], { key })).toMatchObject(reused)
    expect(await post([kilobytes(1)], { key, fields: { MigrateUnplacedReferences: 'true' } })).toMatchObject(reused)
    expect(seen).toHaveLength(1)
  })

  it('files that a crash left behind are removed the next night, and files in use stay', async () => {
    const { deps, onDisk } = await begin()
    const folder = join(deps.settings.dataDir, 'forms')
    await mkdir(folder)
    for (const name of ['old', 'new']) await writeFile(join(folder, name), 'x')
    const [yesterday, today] = [new Date('2027-04-14T10:00:00Z'), new Date('2027-04-15T10:00:00Z')]
    await utimes(join(folder, 'old'), yesterday, yesterday)
    await utimes(join(folder, 'new'), today, today)
    await purgeExpiredData({ ...deps, clock: () => new Date('2027-04-15T18:00:00Z') }, undefined)
    expect(await onDisk()).toEqual(['new'])
    await removeOldForms(join(deps.settings.dataDir, 'nowhere'), today)
  })
})
