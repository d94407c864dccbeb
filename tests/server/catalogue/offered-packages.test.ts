import { describe, expect, it } from 'vitest'
import { listPackages } from '#contract/customer/discovery-calls.ts'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { schoolSet } from '#server/demo/seed-package-sets.ts'
import { insertPackageSet } from '#server/demo/seed-packages.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from '../discovery/customer-client.ts'
import { addFeature, seedJobs } from '../discovery/job-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('offered packages on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const event = await seedJobs(deps)
    const { studioId, jobId } = event.spring
    const setId = await deps.db.transaction().execute((tx) => insertPackageSet(tx, studioId, schoolSet))
    await deps.db.updateTable('jobs').set({ package_set_id: setId }).where('id', '=', jobId).execute()
    const parent = customerClient(app)
    await parent.ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
    const list = async (query = {}) => await parent.ask(listPackages, { params: { jobId }, query })
    const names = async (query = {}): Promise<string[]> =>
      (await list(query)).data.map(({ name }: { name: string }) => name)
    return { deps, app, event, parent, jobId, list, names }
  }

  it('the packages of the job’s set are listed in the studio’s order, with number and version', async () => {
    const { deps, event, list, names } = await begin()
    await addFeature(deps, event.studioId, 'digitalDownloads')
    expect(await names()).toEqual(schoolSet.packages.map(({ name }) => name))
    const [first] = (await list()).data
    const row = await deps.db.selectFrom('packages').select('id').orderBy('position').executeTakeFirstOrThrow()
    expect(first).toMatchObject({ id: row.id, version: 1, retailCost: 54, packageAddon: { type: 'standard' } })
    await deps.db.updateTable('packages').set({ position: 99 }).where('id', '=', row.id).execute()
    expect((await names()).at(-1)).toBe(first.name)
  })

  it('packages are listed in their current version', async () => {
    const { deps, list } = await begin()
    const [old] = (await list()).data
    await deps.db.transaction().execute(async (tx) => {
      const version = await tx
        .selectFrom('package_versions')
        .selectAll()
        .where('package_id', '=', old.id)
        .executeTakeFirstOrThrow()
      const content = JSON.stringify({ ...version.content, retailCost: 60, version: 2 })
      await tx
        .insertInto('package_versions')
        .values({ ...version, version: 2, content })
        .execute()
      await tx.updateTable('packages').set({ current_version: 2 }).where('id', '=', old.id).execute()
    })
    expect((await list()).data[0]).toMatchObject({ id: old.id, version: 2, retailCost: 60, items: old.items })
  })

  it('packages are listed by order method, without archived ones', async () => {
    const { deps, event, names } = await begin()
    await addFeature(deps, event.studioId, 'digitalDownloads')
    expect(await names({ orderMethod: 'gallery' })).toContain('Single Digital Download')
    expect(await names({ orderMethod: 'prepay' })).not.toContain('Single Digital Download')
    await deps.db.updateTable('packages').set({ offered_gallery: false }).where('position', '=', 1).execute()
    expect(await names({ orderMethod: 'gallery' })).not.toContain(schoolSet.packages[0]?.name)
    await deps.db.updateTable('packages').set({ archived_at: deps.clock() }).execute()
    expect(await names()).toEqual([])
  })

  it('packages with files are left out where the studio may not sell them', async () => {
    const { names } = await begin()
    const sold = await names()
    expect(sold).toContain('Package B · Classic')
    for (const digital of ['Package A · The Whole Family', 'Single Digital Download'])
      expect(sold).not.toContain(digital)
  })

  it('a job without a set has no packages, and a withdrawn job is not found', async () => {
    const { deps, jobId, list } = await begin()
    await deps.db.updateTable('jobs').set({ package_set_id: null }).where('id', '=', jobId).execute()
    expect((await list()).data).toEqual([])
    await deps.db.updateTable('jobs').set({ published_at: null }).where('id', '=', jobId).execute()
    expect(await list()).toMatchObject({ status: 404, problem: 'not-found' })
  })

  it('the packages of a disabled studio are not found', async () => {
    const { deps, list } = await begin()
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).execute()
    expect(await list()).toMatchObject({ status: 404, problem: 'not-found' })
  })

  it('packages are refused without the code, and for invalid ids', async () => {
    const { app, jobId, parent, event, list } = await begin()
    const asked = { params: { jobId } }
    const nobody = customerClient(app)
    expect(await nobody.ask(listPackages, asked)).toMatchObject({ status: 401, problem: 'session-unknown' })
    await nobody.ask(openSession, { body: {} })
    expect(await nobody.ask(listPackages, asked)).toMatchObject({ status: 403, problem: 'code-needed' })
    const others = { params: { jobId: event.other.jobId } }
    expect(await parent.ask(listPackages, others)).toMatchObject({ status: 403, problem: 'code-needed' })
    expect(await parent.ask(listPackages, { params: { jobId: 999 } })).toMatchObject({ status: 404 })
    expect((await list({ orderMethod: 'barter' })).status).toBe(400)
    expect((await list({ unknown: 1 })).status).toBe(400)
  })
})
