import type { Deps } from '#server/deps.ts'
import type { TestDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'

type Studio = { studioId: number; organizationId: number }

const addStudio = async (deps: Deps, slug: string): Promise<Studio> => {
  const { studio, feature, organization } = given(deps)
  const studioId = await studio({ slug, time_zone: 'America/New_York' })
  for (const identifier of ['rspoJob', 'orderServices', 'workflows']) await feature(studioId, identifier)
  return { studioId, organizationId: await organization(studioId, { name: `${slug} school` }) }
}

/** A studio with an organization and a member of its staff, who makes calls below the studio's path. */
export const createStudioJobFixtures = async (
  database: TestDatabase,
  overrideDeps: (deps: Deps) => Partial<Deps> = () => ({}),
) => {
  const time = manualClock()
  const { jobs, enqueue } = recordingQueue()
  const defaultDeps: Deps = { ...testDeps(database, time), jobs: { enqueue } }
  const deps: Deps = { ...defaultDeps, ...overrideDeps(defaultDeps) }
  const app = await testApp(deps)
  const riverside = await addStudio(deps, 'riverside')
  const summit = await addStudio(deps, 'summit')
  const user = { email: 'staff@riverside.test', name: 'Rosa Staff' }
  const { id: userId, staffRequest } = await staffClient(deps, app, riverside.studioId, { user })

  /** Creates a job by its route and returns the response. */
  const createJob = async (overrides: object = {}) => {
    const draft = {
      organizationId: riverside.organizationId,
      name: 'Spring',
      prepay: false,
      gallery: true,
      ...overrides,
    }
    return (await staffRequest('POST', 'jobs', draft)).data
  }

  /** Adds a package set with a package offered by both order methods. */
  const addPackageSet = async () => {
    const studio_id = riverside.studioId
    const id = await given(deps).packageSet(studio_id, 'School')
    await deps.db.transaction().execute(async (tx) => {
      const { id: package_id } = await tx
        .insertInto('packages')
        .values({ studio_id, package_set_id: id })
        .returning('id')
        .executeTakeFirstOrThrow()
      const content = JSON.stringify({ id: package_id, items: [] })
      const version = { studio_id, package_id, version: 1, name: 'A', retail_cost_cents: 2500 }
      await tx
        .insertInto('package_versions')
        .values({ ...version, addon_type: 'standard', content })
        .execute()
    })
    return id
  }

  /** Adds to a job everything that publishing requires. */
  const addRequiredParts = async (jobId: number) => {
    const setId = await addPackageSet()
    await deps.db.updateTable('jobs').set({ package_set_id: setId }).where('id', '=', jobId).execute()
    await given(deps).subject({ studioId: riverside.studioId, jobId }, { name: 'Ada Lovelace' })
    return setId
  }

  const listAuditActions = async () =>
    (await deps.db.selectFrom('audit_log').select(['action', 'user_id']).orderBy('id').execute()).map(
      ({ action, user_id }) => `${action} by ${user_id === userId ? 'Rosa' : user_id}`,
    )
  return {
    deps,
    app,
    ...riverside,
    summit,
    userId,
    staffRequest,
    createJob,
    addRequiredParts,
    listAuditActions,
    jobs,
    advance: time.advance,
  }
}
