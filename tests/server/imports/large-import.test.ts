import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { enginesFor } from '#support/database/test-database.ts'
import { peakResidentBytes, residentBytes } from '#support/measurement/resident-memory.ts'
import { startEmptyProduct } from '#support/product/empty-product.ts'
import { createImportFixtures } from './import-fixtures.ts'

const isLong = process.env.LONG === '1'
const subjectCount = isLong ? 20_000 : 1_000
const megabyte = 1024 * 1024

const list = [
  'Student ID,First name,Last name,Homeroom,Grade,Teacher,Email,Access code',
  ...Array.from({ length: subjectCount }, (_, index) =>
    [
      index,
      `Child${index % 700}`,
      `Family${index}`,
      `Room ${index % 80}`,
      index % 9,
      'Ms. Lee',
      'a@b.test',
      `C${100_000 + index}`,
    ].join(','),
  ),
].join('\n')

/** Starts a separate server process, so that memory and time can be measured, with a member of a studio's staff. */
const startImportServer = async (server: string | undefined) => {
  let staff: { base: string; headers: { authorization: string } } | undefined
  const product = await startEmptyProduct({
    server,
    starts: 2,
    seed: async (database, settings) => {
      const { base, headers } = await createImportFixtures(database, { settings, clock: () => new Date() })
      staff = { base, headers: await headers() }
    },
  })
  onTestFinished(() => product.remove())
  const request = async (method: 'GET' | 'POST', path: string, body?: FormData | object) => {
    const isForm = body instanceof FormData
    const headers = { ...staff?.headers, ...(body && !isForm && { 'content-type': 'application/json' }) }
    const url = `${product.url}${staff?.base}/${path}`
    const answer = await fetch(url, { method, headers, body: body && (isForm ? body : JSON.stringify(body)) })
    const { data, errors } = await answer.json()
    if (errors) throw new Error(errors.join(' '))
    return data
  }
  return { product, request }
}

describe.each(enginesFor(import.meta.filename))('a large list on $name', { timeout: 600_000 }, ({ name }) => {
  it('a large list is imported and undone within the memory limit while other requests are answered', async () => {
    const { product, request } = await startImportServer(
      name === 'postgres' ? process.env.TEST_DATABASE_URL : undefined,
    )
    /** Sends other requests until the work is done, and returns how many were answered and the longest wait. */
    const requestUntil = async (isFinished: () => boolean | Promise<boolean>) => {
      let answered = 0
      let longestMs = 0
      while (!(await isFinished())) {
        const start = performance.now()
        await request('GET', 'imports?currentPage=1')
        longestMs = Math.max(longestMs, performance.now() - start)
        answered += 1
        await pause(1)
      }
      return { answered, longestMs }
    }
    const sendAndPreview = async () => {
      const form = new FormData()
      form.set('File', new File([list], 'list.csv'))
      const { id, version, uses } = await request('POST', 'imports', form)
      return await request('POST', `imports/${id}/preview`, { version, uses, matchPolicy: 'update' })
    }
    const before = residentBytes(product.pid)
    const peakBytes = await peakResidentBytes(product.pid, async () => {
      let isPreviewed = false
      const previewing = sendAndPreview().finally(() => {
        isPreviewed = true
      })
      const whilePreviewed = await requestUntil(() => isPreviewed)
      const { id, version, counts } = await previewing
      expect(counts.create).toBe(subjectCount)

      const isDone = (working: 'running' | 'undoing', done: 'done' | 'undone') => async () => {
        const { state } = await request('GET', `imports/${id}`)
        expect([working, done]).toContain(state)
        return state === done
      }
      await request('POST', `imports/${id}/run`, { version })
      const whileRun = await requestUntil(isDone('running', 'done'))
      const finished = await request('GET', `imports/${id}`)
      expect(finished.counts).toMatchObject({ created: subjectCount })

      await request('POST', `imports/${id}/undo`, { version: finished.version })
      const whileUndone = await requestUntil(isDone('undoing', 'undone'))
      expect((await request('GET', `imports/${id}`)).counts).toMatchObject({ undone: subjectCount })
      // A step has at most 200 rows, and other requests run between steps.
      for (const { answered } of [whileRun, whileUndone]) expect(answered).toBeGreaterThan(subjectCount / 500)
      const waitsMs = [whilePreviewed, whileRun, whileUndone].map(({ longestMs }) => Math.round(longestMs))
      process.stdout.write(
        `  ${subjectCount} subjects on ${name}: during preview, run and undo others waited ${waitsMs.join(', ')} ms\n`,
      )
      // Times are meaningful only if nothing else runs.
      if (isLong) expect(Math.max(...waitsMs), `waited for ${waitsMs.join(', ')} ms`).toBeLessThan(2000)
    })
    const grownMegabytes = Math.round((peakBytes - before) / megabyte)
    process.stdout.write(`  ${subjectCount} subjects on ${name}: ${grownMegabytes} MB more than idle\n`)
    expect(grownMegabytes).toBeLessThan(400)
    expect(product.errors()).toEqual([])
  })
})
