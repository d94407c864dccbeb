import { describe, expect, it } from 'vitest'
import { listPackages } from '#contract/customer/discovery-calls.ts'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { schoolSet } from '#server/demo/seed-package-sets.ts'
import { insertPackageSet } from '#server/demo/seed-packages.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from '../discovery/customer-client.ts'
import { seedJobs } from '../discovery/job-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('offered packages on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const jobs = await seedJobs(deps)
    const { studioId, jobId } = jobs.spring
    const setId = await deps.db.transaction().execute((tx) => insertPackageSet(tx, studioId, schoolSet))
    await deps.db.updateTable('jobs').set({ package_set_id: setId }).where('id', '=', jobId).execute()
    const customer = customerClient(app)
    await customer.request(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
    const list = async (query = {}) => await customer.request(listPackages, { params: { jobId }, query })
    const listNames = async (query = {}): Promise<string[]> =>
      (await list(query)).data.map(({ name }: { name: string }) => name)
    return { deps, app, jobs, customer, jobId, list, listNames }
  }

  it('the packages of the job’s set are listed in the studio’s order, with id, version, price and type', async () => {
    const { deps, jobs, list, listNames } = await setUp()
    await given(deps).feature(jobs.studioId, 'digitalDownloads')
    expect(await listNames()).toEqual(schoolSet.packages.map(({ name }) => name))
    const [first] = (await list()).data
    const row = await deps.db.selectFrom('packages').select('id').orderBy('position').executeTakeFirstOrThrow()
    expect(first).toMatchObject({ id: row.id, version: 1, retailCost: 54, packageAddon: { type: 'standard' } })
    await deps.db.updateTable('packages').set({ position: 99 }).where('id', '=', row.id).execute()
    expect((await listNames()).at(-1)).toBe(first.name)
  })

  it('packages are listed in their current version', async () => {
    const { deps, list } = await setUp()
    const [firstPackage] = (await list()).data
    await deps.db.transaction().execute(async (tx) => {
      const version = await tx
        .selectFrom('package_versions')
        .selectAll()
        .where('package_id', '=', firstPackage.id)
        .executeTakeFirstOrThrow()
      const content = JSON.stringify({ ...version.content, retailCost: 60, version: 2 })
      await tx
        .insertInto('package_versions')
        .values({ ...version, version: 2, content })
        .execute()
      await tx.updateTable('packages').set({ current_version: 2 }).where('id', '=', firstPackage.id).execute()
    })
    expect((await list()).data[0]).toMatchObject({
      id: firstPackage.id,
      version: 2,
      retailCost: 60,
      items: firstPackage.items,
    })
  })

  it('packages are listed for their order methods, without archived packages', async () => {
    const { deps, jobs, listNames } = await setUp()
    await given(deps).feature(jobs.studioId, 'digitalDownloads')
    expect(await listNames({ orderMethod: 'gallery' })).toContain('Single Digital Download')
    expect(await listNames({ orderMethod: 'prepay' })).not.toContain('Single Digital Download')
    await deps.db.updateTable('packages').set({ offered_gallery: false }).where('position', '=', 1).execute()
    expect(await listNames({ orderMethod: 'gallery' })).not.toContain(schoolSet.packages[0]?.name)
    await deps.db.updateTable('packages').set({ archived_at: deps.clock() }).execute()
    expect(await listNames()).toEqual([])
  })

  it('packages with digital files are omitted if the studio may not sell digital downloads', async () => {
    const { listNames } = await setUp()
    const soldNames = await listNames()
    expect(soldNames).toContain('Package B · Classic')
    for (const digital of ['Package A · The Whole Family', 'Single Digital Download'])
      expect(soldNames).not.toContain(digital)
  })

  it('a job without a package set has no packages, and an unpublished job is not found', async () => {
    const { deps, jobId, list } = await setUp()
    await deps.db.updateTable('jobs').set({ package_set_id: null }).where('id', '=', jobId).execute()
    expect((await list()).data).toEqual([])
    await deps.db.updateTable('jobs').set({ published_at: null }).where('id', '=', jobId).execute()
    expect(await list()).toMatchObject({ status: 404, problem: 'not-found' })
  })

  it('the packages of a disabled studio are not found', async () => {
    const { deps, list } = await setUp()
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).execute()
    expect(await list()).toMatchObject({ status: 404, problem: 'not-found' })
  })

  it('packages are refused without a session, without the job’s code, for an unknown job and for an invalid query', async () => {
    const { app, jobId, customer, jobs, list } = await setUp()
    const input = { params: { jobId } }
    const stranger = customerClient(app)
    expect(await stranger.request(listPackages, input)).toMatchObject({ status: 401, problem: 'session-unknown' })
    await stranger.request(openSession, { body: {} })
    expect(await stranger.request(listPackages, input)).toMatchObject({ status: 403, problem: 'code-needed' })
    const otherJobInput = { params: { jobId: jobs.other.jobId } }
    expect(await customer.request(listPackages, otherJobInput)).toMatchObject({ status: 403, problem: 'code-needed' })
    expect(await customer.request(listPackages, { params: { jobId: 999 } })).toMatchObject({ status: 404 })
    expect((await list({ orderMethod: 'barter' })).status).toBe(400)
    expect((await list({ unknown: 1 })).status).toBe(400)
  })
})
