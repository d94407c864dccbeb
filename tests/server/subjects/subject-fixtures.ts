import type { LightMyRequestResponse } from 'fastify'
import type { Permission } from '#contract/shapes/call.ts'
import type { Deps } from '#server/deps.ts'
import { signToken } from '#support/server/sign-token.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { seedJobs } from '../discovery/job-fixtures.ts'

type Asking = { readonly studioId?: number; readonly permissions?: readonly Permission[]; readonly key?: string }

/** The small job as a school's, and the studio's staff; queued jobs are recorded. */
export const createSubjectFixtures = async (database: Parameters<typeof testDeps>[0]) => {
  const time = manualClock()
  const { jobs, enqueue } = recordingQueue()
  const deps: Deps = { ...testDeps(database, time), jobs: { enqueue } }
  const app = await testApp(deps)
  const event = await seedJobs(deps)
  const { studioId, spring } = event
  const { db } = deps
  const { id: organizationId } = await db
    .insertInto('organizations')
    .values({ studio_id: studioId, name: 'Lincoln Elementary', type: 'school' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('jobs').set({ organization_id: organizationId }).where('id', '=', spring.jobId).execute()
  const { id: userId } = await db
    .insertInto('users')
    .values({ email: 'staff@riverside.test', name: 'Sam', role: 'staff', studio_id: studioId, password_hash: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow()

  /** Makes a request as staff; the path is below the job, or absolute. */
  const tell = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    payload?: object,
    { studioId: own = studioId, permissions = ['studio.crud'], key }: Asking = {},
  ) => {
    const user = { id: userId, name: 'Sam', email: 'staff@riverside.test', permissions, studioId: own }
    const { token } = await signToken(deps, user)
    const base = `/api/studioadmin/studios/${studioId}/jobs/${spring.jobId}`
    const answer: LightMyRequestResponse = await app.inject({
      method,
      url: path.startsWith('/') ? path : `${base}/${path}`,
      headers: { authorization: `Bearer ${token}`, ...(key && { 'idempotency-key': key }) },
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, ...answer.json() }
  }

  /** The names of the subjects that a query returns, in its order. */
  const names = async (query: string): Promise<string[]> => {
    const { data } = await tell('GET', `subjects?${query}`)
    const people: { firstName: string; lastName: string }[] = data.resultItems ?? data
    return people.map(({ firstName, lastName }) => `${firstName} ${lastName}`.trim())
  }
  const one = async (id: number) => (await tell('GET', `subjects/${id}`)).data
  const v3 = `/api/v3/studioadmin/studios/${studioId}/organizations/${organizationId}/jobs/${spring.jobId}/subjects`
  return { ...event, deps, app, time, jobs, organizationId, userId, tell, names, one, v3 }
}

export type SubjectFixtures = Awaited<ReturnType<typeof createSubjectFixtures>>
