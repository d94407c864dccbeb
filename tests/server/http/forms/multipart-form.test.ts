import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { object, type } from 'superstruct'
import { describe, expect, it } from 'vitest'
import type { AnyCall } from '#contract/shapes/call.ts'
import { Count, Nothing } from '#contract/shapes/primitives.ts'
import { mountFormCalls } from '#server/http/forms/mount-form-calls.ts'
import { removeOldForms } from '#server/http/forms/multipart-form.ts'
import type { FormHandler } from '#server/http/mount.ts'
import { problem } from '#server/http/problem.ts'
import { purgeExpiredData } from '#server/workers.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createTestSession, testApp, testDeps } from '#support/server/test-app.ts'
import { multipartPayload } from '#tests/server/images/lookups/form-data.ts'

const sendFiles = {
  method: 'POST',
  path: '/api/test/files',
  who: 'session',
  params: Nothing,
  query: object({}),
  body: Nothing,
  answer: type({ bytes: Count }),
  problems: ['session-unknown', 'refused', 'too-large', 'unsupported-media'],
} satisfies AnyCall

const kilobytes = (count: number, content = 'a') => Buffer.alloc(count * 1024, content)
const asFiles = (...files: Buffer[]) => files.map((bytes, index) => ({ fileName: `${index + 1}.jpg`, bytes }))

const megabyte = 1024 * 1024
const limits = { files: 3, fileBytes: megabyte, allBytes: 2 * megabyte }

describe.each(enginesFor(import.meta.filename))('a form with files on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (handle?: FormHandler<typeof sendFiles>) => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const filesDuringForm: string[][] = []
    const listFormFiles = () => readdir(join(deps.settings.dataDir, 'forms')).catch(() => [])
    await mountFormCalls({ app, deps, limits }, (mountForm) =>
      mountForm(sendFiles, async (input) => {
        filesDuringForm.push(await listFormFiles())
        if (handle) return await handle(input)
        const sizes = input.form.files.map(async ({ read }) => (await read()).length)
        return { bytes: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) }
      }),
    )
    const { headers } = await createTestSession(deps)
    const post = async (
      files: readonly Buffer[],
      { key, fields }: { key?: string; fields?: Record<string, string> } = {},
    ) => {
      const form = await multipartPayload(asFiles(...files), fields)
      const answer = await app.inject({
        method: 'POST',
        url: sendFiles.path,
        payload: form.payload,
        headers: { ...headers, ...form.headers, ...(key && { 'idempotency-key': key }) },
      })
      return { status: answer.statusCode, ...answer.json() }
    }
    return { deps, app, headers, filesDuringForm, listFormFiles, post }
  }

  it('files are on disk while the form is processed, and removed afterwards', async () => {
    const { post, filesDuringForm, listFormFiles } = await setUp()
    expect(await post([kilobytes(80), kilobytes(90)])).toEqual({ status: 200, data: { bytes: 170 * 1024 } })
    expect(filesDuringForm.map(({ length }) => length)).toEqual([2])
    expect(await listFormFiles()).toEqual([])
  })

  it.each<[string, FormHandler<typeof sendFiles>, number]>([
    ['refuses it', async () => problem('refused'), 422],
    ['fails', () => Promise.reject(new Error('a disk that is full')), 500],
  ])('no file of a form stays on disk after its handler %s', async (_, handle, status) => {
    const { post, filesDuringForm, listFormFiles } = await setUp(handle)
    expect(await post([kilobytes(1)])).toMatchObject({ status })
    expect(filesDuringForm.map(({ length }) => length)).toEqual([1])
    expect(await listFormFiles()).toEqual([])
  })

  it.each<[string, Buffer[], object]>([
    ['one file that is too large', [kilobytes(1_025)], { status: 413, errors: ['This is larger than we can take'] }],
    ['too many files', [1, 1, 1, 1].map((count) => kilobytes(count)), { status: 413 }],
    [
      'files that are too large together',
      [900, 900, 900].map((count) => kilobytes(count)),
      { status: 413, errors: ['These files have more than 2 MB together. Send fewer at a time'] },
    ],
    ['a file far above the limit', [kilobytes(4_000)], { status: 413 }],
  ])('a form with %s is refused, and none of its files stays on disk', async (_, files, refused) => {
    const { post, filesDuringForm, listFormFiles } = await setUp()
    expect(await post(files)).toMatchObject(refused)
    expect([filesDuringForm, await listFormFiles()]).toEqual([[], []])
  })

  it('an interrupted form leaves nothing behind', async () => {
    const { app, headers, filesDuringForm, listFormFiles } = await setUp()
    const answered = new Promise<void>((resolve) => app.addHook('onSend', async () => resolve()))
    await app.listen({ port: 0, host: '127.0.0.1' })
    const [bound] = app.addresses()
    const socket = connect(typeof bound === 'object' ? bound.port : 0, '127.0.0.1')
    const form = await multipartPayload(asFiles(kilobytes(90)))
    const head = { host: 'x', 'content-length': String(form.payload.length), ...headers, ...form.headers }
    socket.write(
      `POST ${sendFiles.path} HTTP/1.1\r\n${Object.entries(head)
        .map((pair) => `${pair.join(': ')}\r\n`)
        .join('')}\r\n`,
    )
    socket.write(form.payload.subarray(0, 40_000))
    await expect.poll(listFormFiles).toHaveLength(1)
    socket.destroy()
    await once(socket, 'close')
    await answered
    expect([filesDuringForm, await listFormFiles()]).toEqual([[], []])
  })

  const rawPart = (disposition: string, body: string) =>
    `--edge\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${body}\r\n`
  const postRaw = async (parts: readonly string[], handle?: FormHandler<typeof sendFiles>) => {
    const { app, headers, listFormFiles } = await setUp(handle)
    const answer = await app.inject({
      method: 'POST',
      url: sendFiles.path,
      payload: Buffer.from(`${parts.join('')}--edge--\r\n`),
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=edge' },
    })
    expect(await listFormFiles()).toEqual([])
    return { status: answer.statusCode, ...answer.json() }
  }

  it('stored file names have no control characters, no folders, and at most 255 characters', async () => {
    const names: string[] = []
    const handle: FormHandler<typeof sendFiles> = async ({ form }) => {
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

  it('form fields may have any name', async () => {
    const parts = ['__proto__', 'constructor', 'toString'].map((name) => rawPart(`name="${name}"`, 'x'))
    expect((await postRaw(parts)).status).toBeLessThan(500)
  })

  it('a form that cannot be written to disk is a server error', async () => {
    const { deps, post, filesDuringForm } = await setUp()
    await writeFile(join(deps.settings.dataDir, 'forms'), 'where the folder should be')
    expect(await post([kilobytes(1)])).toMatchObject({ status: 500, errors: ['An error occurred'] })
    expect(filesDuringForm).toEqual([])
  })

  it('an incomplete form is refused as a client error', async () => {
    const { app, headers, listFormFiles } = await setUp()
    const payload = '--x\r\ncontent-disposition: form-data; name="a"; filename="a"\r\n\r\nhalf'
    const requestHeaders = { ...headers, 'content-type': 'multipart/form-data; boundary=x' }
    const answer = await app.inject({ method: 'POST', url: sendFiles.path, payload, headers: requestHeaders })
    expect([answer.statusCode, answer.json().errors]).toEqual([
      400,
      ['The files arrived incomplete. Please send them again'],
    ])
    expect(await listFormFiles()).toEqual([])
  })

  it('a form is identified by its bytes, so the same key with other bytes is refused', async () => {
    const { post, filesDuringForm } = await setUp()
    const key = randomUUID()
    const firstAnswer = await post([kilobytes(1)], { key })
    expect(await post([kilobytes(1)], { key })).toEqual(firstAnswer)
    expect(filesDuringForm).toHaveLength(1)
    const reused = { status: 422, problem: 'key-reused', errors: ['This was sent before with other content'] }
    expect(await post([kilobytes(1, 'b')], { key })).toMatchObject(reused)
    expect(await post([kilobytes(1), kilobytes(1)], { key })).toMatchObject(reused)
    expect(await post([kilobytes(1)], { key, fields: { MigrateUnplacedReferences: 'true' } })).toMatchObject(reused)
    expect(filesDuringForm).toHaveLength(1)
  })

  it('form files that a crash left behind are removed the next night, and files in use stay', async () => {
    const { deps, listFormFiles } = await setUp()
    const folder = join(deps.settings.dataDir, 'forms')
    await mkdir(folder)
    for (const name of ['old', 'new']) await writeFile(join(folder, name), 'x')
    const [yesterday, today] = [new Date('2027-04-14T10:00:00Z'), new Date('2027-04-15T10:00:00Z')]
    await utimes(join(folder, 'old'), yesterday, yesterday)
    await utimes(join(folder, 'new'), today, today)
    await purgeExpiredData({ ...deps, clock: () => new Date('2027-04-15T18:00:00Z') }, undefined)
    expect(await listFormFiles()).toEqual(['new'])
    await removeOldForms(join(deps.settings.dataDir, 'nowhere'), today)
  })
})
