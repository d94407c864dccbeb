import type { Deps } from '#server/deps.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { seedJobs } from '../discovery/job-fixtures.ts'

/** The seeded jobs, one of them with an organization, and a client for the studio's staff; queued jobs are recorded. */
export const createSubjectFixtures = async (database: Parameters<typeof testDeps>[0]) => {
  const time = manualClock()
  const { jobs, enqueue } = recordingQueue()
  const deps: Deps = { ...testDeps(database, time), jobs: { enqueue } }
  const app = await testApp(deps)
  const seeded = await seedJobs(deps)
  const { studioId, spring } = seeded
  const organizationId = await given(deps).organization(studioId)
  await deps.db.updateTable('jobs').set({ organization_id: organizationId }).where('id', '=', spring.jobId).execute()
  const user = { email: 'staff@riverside.test', name: 'Sam' }
  const { id: userId, staffRequest } = await staffClient(deps, app, studioId, { jobId: spring.jobId, user })

  /** The names of the subjects that a query returns, in its order. */
  const listNames = async (query: string): Promise<string[]> => {
    const { data } = await staffRequest('GET', `subjects?${query}`)
    const subjects: { firstName: string; lastName: string }[] = data.resultItems ?? data
    return subjects.map(({ firstName, lastName }) => `${firstName} ${lastName}`.trim())
  }
  const readSubject = async (id: number) => (await staffRequest('GET', `subjects/${id}`)).data
  const subjectsUrl = `/api/v3/studioadmin/studios/${studioId}/organizations/${organizationId}/jobs/${spring.jobId}/subjects`
  return { ...seeded, deps, app, time, jobs, organizationId, userId, staffRequest, listNames, readSubject, subjectsUrl }
}

export type SubjectFixtures = Awaited<ReturnType<typeof createSubjectFixtures>>
