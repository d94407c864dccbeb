import type { Permission } from '#contract/shapes/call.ts'
import type { ImportDetails } from '#contract/studio/imports.ts'
import { signAccessToken } from '#server/access/tokens/access-token.ts'
import type { Database } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { workOnImport } from '#server/imports/import-worker.ts'
import { readSubjectPages } from '#server/imports/known-subjects.ts'
import { recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { addFeature, addJob } from '../discovery/job-fixtures.ts'

/** A studio with the import feature, one of its jobs, and a member of its staff. */
export const createImportFixtures = async (database: Database, own: Partial<Deps> = {}) => {
  const { jobs, enqueue } = recordingQueue()
  const deps = testDeps(database, { jobs: { enqueue }, ...own })
  const app = await testApp(deps)
  const { db } = deps
  const studio = { slug: 'riverside', name: 'Riverside Portraits' }
  const { id: studioId } = await db.insertInto('studios').values(studio).returning('id').executeTakeFirstOrThrow()
  await addFeature(deps, studioId, 'dataImport')
  const job = await addJob(deps, { studioId, code: 'SPRING' })
  const email = 'staff@riverside.test'
  const staff = { email, name: 'Staff', role: 'staff' as const, studio_id: studioId, password_hash: 'x' }
  const { id: userId } = await db.insertInto('users').values(staff).returning('id').executeTakeFirstOrThrow()
  const permissions: readonly Permission[] = ['studio.crud']

  const headers = async () => {
    const { token } = await signAccessToken(deps, { id: userId, name: 'Staff', email, permissions, studioId })
    return { authorization: `Bearer ${token}` }
  }
  const base = `/api/studioadmin/studios/${studioId}/jobs/${job.jobId}`
  const tell = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) => {
    const answer = await app.inject({
      method,
      url: `${base}/${path}`,
      headers: await headers(),
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, ...answer.json() }
  }
  const send = async (fileName: string, bytes: Uint8Array) => {
    const form = new FormData()
    form.set('File', new File([new Uint8Array(bytes)], fileName))
    const answer = await app.inject({ method: 'POST', url: `${base}/imports`, headers: await headers(), payload: form })
    return { status: answer.statusCode, ...answer.json() }
  }
  /** Runs the queued jobs, as the background does. */
  const work = async (): Promise<void> => {
    for (const { name, payload } of jobs.splice(0)) if (name === 'run-import') await workOnImport(deps, payload)
  }
  const get = async (id: number): Promise<ImportDetails> => (await tell('GET', `imports/${id}`)).data
  const run = async ({ id, version }: { id: number; version: number }): Promise<ImportDetails> => {
    const { errors } = await tell('POST', `imports/${id}/run`, { version })
    if (errors) throw new Error(errors.join(' '))
    await work()
    return await get(id)
  }
  /** Uploads a list and previews it with the guessed columns. */
  const preview = async (text: string, matches: 'update' | 'skip' = 'update'): Promise<ImportDetails> => {
    const { data } = await send('list.csv', Buffer.from(text))
    const { id, version, uses } = data
    const answer = await tell('POST', `imports/${id}/preview`, { version, uses, matches })
    if (answer.errors) throw new Error(answer.errors.join(' '))
    return answer.data
  }
  const rows = async (id: number) => (await tell('GET', `imports/${id}/rows`)).data
  /** The subjects of the job, one per line. */
  const people = async (): Promise<string[]> =>
    (await Array.fromAsync(readSubjectPages(deps, job)))
      .flat()
      .map(({ facts: { firstName, lastName, reference, code, groups, fields } }) =>
        [
          `${firstName} ${lastName}`.trim(),
          ...(reference === null ? [] : [`id ${reference}`]),
          ...(code === null ? [] : [`code ${code}`]),
          ...groups.map((name) => `in ${name}`),
          ...fields.map(({ name, value }) => `${name}=${value}`),
        ].join('; '),
      )
      .toSorted()
  return { deps, app, job, userId, jobs, tell, send, work, get, run, preview, rows, people, base, headers }
}
