import type { Permission } from '#contract/shapes/call.ts'
import type { Deps } from '#server/deps.ts'
import type { TestDatabase } from '#support/database/test-database.ts'
import { signToken } from '#support/server/sign-token.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { addFeature } from '../discovery/job-fixtures.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Studio = { studioId: number; organizationId: number }

const addStudio = async (deps: Deps, slug: string): Promise<Studio> => {
  const { db } = deps
  const { id: studioId } = await db
    .insertInto('studios')
    .values({ slug, name: slug, time_zone: 'America/New_York', is_millers_verified: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('studio_slugs').values({ slug, studio_id: studioId }).execute()
  for (const feature of ['rspoJob', 'orderServices', 'workflows']) await addFeature(deps, studioId, feature)
  const { id: organizationId } = await db
    .insertInto('organizations')
    .values({ studio_id: studioId, name: `${slug} school`, type: 'school' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { studioId, organizationId }
}

/** A studio with an organization and a member of its staff, who makes calls below the studio's path. */
export const createStudioJobFixtures = async (
  database: TestDatabase,
  own: (deps: Deps) => Partial<Deps> = () => ({}),
) => {
  const time = manualClock()
  const { jobs, enqueue } = recordingQueue()
  const plain: Deps = { ...testDeps(database, time), jobs: { enqueue } }
  const deps: Deps = { ...plain, ...own(plain) }
  const app = await testApp(deps)
  const riverside = await addStudio(deps, 'riverside')
  const summit = await addStudio(deps, 'summit')
  const { id: userId } = await deps.db
    .insertInto('users')
    .values({
      email: 'staff@riverside.test',
      name: 'Rosa Staff',
      role: 'staff',
      studio_id: riverside.studioId,
      password_hash: 'x',
    })
    .returning('id')
    .executeTakeFirstOrThrow()

  const tell = async (method: Method, path: string, payload?: object, own: { studioId?: number } = {}) => {
    const { studioId = riverside.studioId } = own
    const permissions: readonly Permission[] = ['studio.crud']
    const user = { id: userId, name: 'Rosa Staff', email: 'staff@riverside.test', permissions, studioId }
    const { token } = await signToken(deps, user)
    const answer = await app.inject({
      method,
      url: path.startsWith('/api') ? path : `/api/studioadmin/studios/${studioId}/${path}`,
      headers: { authorization: `Bearer ${token}` },
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, ...answer.json() }
  }

  /** Creates a job by its route and returns the response. */
  const make = async (own: object = {}) => {
    const draft = { organizationId: riverside.organizationId, name: 'Spring', prepay: false, gallery: true, ...own }
    return (await tell('POST', 'jobs', draft)).data
  }

  /** A package set with a package offered by both order methods. */
  const addPackageSet = async () => {
    const studio_id = riverside.studioId
    const { id } = await deps.db
      .insertInto('package_sets')
      .values({ studio_id, name: 'School' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await deps.db.transaction().execute(async (tx) => {
      const { id: package_id } = await tx
        .insertInto('packages')
        .values({ studio_id, package_set_id: id })
        .returning('id')
        .executeTakeFirstOrThrow()
      const content = JSON.stringify({ id: package_id, items: [] })
      const made = { studio_id, package_id, version: 1, name: 'A', retail_cost_cents: 2500 }
      await tx
        .insertInto('package_versions')
        .values({ ...made, addon_type: 'standard', content })
        .execute()
    })
    return id
  }

  /** Gives a job everything that publishing requires. */
  const complete = async (jobId: number) => {
    const setId = await addPackageSet()
    await deps.db.updateTable('jobs').set({ package_set_id: setId }).where('id', '=', jobId).execute()
    await deps.db
      .insertInto('subjects')
      .values({
        studio_id: riverside.studioId,
        job_id: jobId,
        first_name: 'Ada',
        last_name: 'Lovelace',
        first_key: 'ada',
        last_key: 'lovelace',
      })
      .execute()
    return setId
  }

  const trail = async () =>
    (await deps.db.selectFrom('audit_log').select(['action', 'user_id']).orderBy('id').execute()).map(
      ({ action, user_id }) => `${action} by ${user_id === userId ? 'Rosa' : user_id}`,
    )
  return { deps, app, ...riverside, summit, userId, tell, make, complete, trail, jobs, advance: time.advance }
}
