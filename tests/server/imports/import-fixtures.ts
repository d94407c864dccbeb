import type { ImportDetails } from '#contract/studio/imports.ts'
import type { Database } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { runImportSteps } from '#server/imports/import-worker.ts'
import { readSubjectPages } from '#server/imports/known-subjects.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'

/** A studio with the import feature, one of its jobs, and a member of its staff. */
export const createImportFixtures = async (database: Database, overrides: Partial<Deps> = {}) => {
  const { jobs: queuedJobs, enqueue } = recordingQueue()
  const deps = testDeps(database, { jobs: { enqueue }, ...overrides })
  const app = await testApp(deps)
  const { studio, feature, job: addJob } = given(deps)
  const studioId = await studio({ name: 'Riverside Portraits' })
  await feature(studioId, 'dataImport')
  const job = await addJob(studioId, { code: 'SPRING' })
  const staff = await staffClient(deps, app, studioId, {
    jobId: job.jobId,
    user: { email: 'staff@riverside.test', name: 'Staff' },
  })
  const { id: userId, headersFor: headers, staffRequest } = staff
  const base = `/api/studioadmin/studios/${studioId}/jobs/${job.jobId}`
  const sendList = async (fileName: string, bytes: Uint8Array) => {
    const form = new FormData()
    form.set('File', new File([new Uint8Array(bytes)], fileName))
    const answer = await app.inject({ method: 'POST', url: `${base}/imports`, headers: await headers(), payload: form })
    return { status: answer.statusCode, ...answer.json() }
  }
  /** Runs the queued import jobs. */
  const runJobs = async (): Promise<void> => {
    for (const { name, payload } of queuedJobs.splice(0)) if (name === 'run-import') await runImportSteps(deps, payload)
  }
  const get = async (id: number): Promise<ImportDetails> => (await staffRequest('GET', `imports/${id}`)).data
  const run = async ({ id, version }: { id: number; version: number }): Promise<ImportDetails> => {
    const { errors } = await staffRequest('POST', `imports/${id}/run`, { version })
    if (errors) throw new Error(errors.join(' '))
    await runJobs()
    return await get(id)
  }
  /** Uploads a list and previews it with the guessed columns. */
  const preview = async (text: string, matchPolicy: 'update' | 'skip' = 'update'): Promise<ImportDetails> => {
    const { data } = await sendList('list.csv', Buffer.from(text))
    const { id, version, uses } = data
    const answer = await staffRequest('POST', `imports/${id}/preview`, { version, uses, matchPolicy })
    if (answer.errors) throw new Error(answer.errors.join(' '))
    return answer.data
  }
  const rows = async (id: number) => (await staffRequest('GET', `imports/${id}/rows`)).data
  /** The subjects of the job, one per line. */
  const listSubjects = async (): Promise<string[]> =>
    (await Array.fromAsync(readSubjectPages(deps, job)))
      .flat()
      .map(({ details: { firstName, lastName, reference, code, groups, fields } }) =>
        [
          `${firstName} ${lastName}`.trim(),
          ...(reference === null ? [] : [`id ${reference}`]),
          ...(code === null ? [] : [`code ${code}`]),
          ...groups.map((name) => `in ${name}`),
          ...fields.map(({ name, value }) => `${name}=${value}`),
        ].join('; '),
      )
      .toSorted()
  return {
    deps,
    app,
    job,
    userId,
    queuedJobs,
    staffRequest,
    sendList,
    runJobs,
    get,
    run,
    preview,
    rows,
    listSubjects,
    base,
    headers,
  }
}
