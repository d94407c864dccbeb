import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { enginesFor } from '#support/database/test-database.ts'
import { peakResidentBytes, residentBytes } from '#support/measurement/resident-memory.ts'
import { startEmptyProduct } from '#support/product/empty-product.ts'
import { createImportFixtures } from './import-fixtures.ts'

const isLong = process.env.LONG === '1'
const people = isLong ? 20_000 : 1_000
const megabyte = 1024 * 1024

const list = [
  'Student ID,First name,Last name,Homeroom,Grade,Teacher,Email,Access code',
  ...Array.from({ length: people }, (_, at) =>
    [at, `Child${at % 700}`, `Family${at}`, `Room ${at % 80}`, at % 9, 'Ms. Lee', 'a@b.test', `C${100_000 + at}`].join(
      ',',
    ),
  ),
].join('\n')

/** A server process of its own, so that memory and time belong to the import, and a member of a studio's staff. */
const startOffice = async (server: string | undefined) => {
  let staff: Pick<Awaited<ReturnType<typeof createImportFixtures>>, 'base' | 'headers'> | undefined
  const product = await startEmptyProduct({
    server,
    starts: 2,
    seed: async (database, settings) => {
      staff = await createImportFixtures(database, { settings, clock: () => new Date() })
    },
  })
  onTestFinished(() => product.remove())
  const ask = async (method: 'GET' | 'POST', path: string, body?: FormData | object) => {
    const isForm = body instanceof FormData
    const headers = { ...(await staff?.headers()), ...(body && !isForm && { 'content-type': 'application/json' }) }
    const url = `${product.url}${staff?.base}/${path}`
    const answer = await fetch(url, { method, headers, body: body && (isForm ? body : JSON.stringify(body)) })
    const { data, errors } = await answer.json()
    if (errors) throw new Error(errors.join(' '))
    return data
  }
  return { product, ask }
}

describe.each(enginesFor(import.meta.filename))('a large list on $name', { timeout: 600_000 }, ({ name }) => {
  it('a large list is imported and undone within the memory limit while other requests are answered', async () => {
    const { product, ask } = await startOffice(name === 'postgres' ? process.env.TEST_DATABASE_URL : undefined)
    /** Makes other requests until the work is done; returns how many were answered, and the longest wait. */
    const requestUntil = async (isOver: () => boolean | Promise<boolean>) => {
      let answered = 0
      let longestMs = 0
      while (!(await isOver())) {
        const start = performance.now()
        await ask('GET', 'imports?currentPage=1')
        longestMs = Math.max(longestMs, performance.now() - start)
        answered += 1
        await pause(1)
      }
      return { answered, longestMs }
    }
    const previewed = async () => {
      const form = new FormData()
      form.set('File', new File([list], 'list.csv'))
      const { id, version, uses } = await ask('POST', 'imports', form)
      return await ask('POST', `imports/${id}/preview`, { version, uses, matches: 'update' })
    }
    const before = residentBytes(product.pid)
    const most = await peakResidentBytes(product.pid, async () => {
      let isPreviewed = false
      const previewing = previewed().finally(() => {
        isPreviewed = true
      })
      const whilePreviewed = await requestUntil(() => isPreviewed)
      const { id, version, counts } = await previewing
      expect(counts.create).toBe(people)

      const isDone = (working: 'running' | 'undoing', done: 'done' | 'undone') => async () => {
        const { state } = await ask('GET', `imports/${id}`)
        expect([working, done]).toContain(state)
        return state === done
      }
      await ask('POST', `imports/${id}/run`, { version })
      const whileRun = await requestUntil(isDone('running', 'done'))
      const done = await ask('GET', `imports/${id}`)
      expect(done.counts).toMatchObject({ created: people })

      await ask('POST', `imports/${id}/undo`, { version: done.version })
      const whileUndone = await requestUntil(isDone('undoing', 'undone'))
      expect((await ask('GET', `imports/${id}`)).counts).toMatchObject({ undone: people })
      // A list of a thousand takes five steps, and other requests run between them.
      for (const { answered } of [whileRun, whileUndone]) expect(answered).toBeGreaterThan(people / 500)
      const waits = [whilePreviewed, whileRun, whileUndone].map(({ longestMs }) => Math.round(longestMs))
      process.stdout.write(
        `  ${people} people on ${name}: previewed, run and undone others waited ${waits.join(', ')} ms\n`,
      )
      // Times are meaningful only if nothing else runs.
      if (isLong) expect(Math.max(...waits), `waited for ${waits.join(', ')} ms`).toBeLessThan(2000)
    })
    const grown = Math.round((most - before) / megabyte)
    process.stdout.write(`  ${people} people on ${name}: ${grown} MB more than idle\n`)
    expect(grown).toBeLessThan(400)
    expect(product.errors()).toEqual([])
  })
})
