import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { readyToPay } from '../checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('image URLs in a cart on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const { fixtures, driver } = await readyToPay(deps, app)
    return { deps, fixtures, driver }
  }

  it('a cart keeps its image URLs while the job is unpublished, so that devices show the images that they cached', async () => {
    const { deps, fixtures, driver } = await setUp()
    const before = (await driver.cart()).cartPackages[0]?.snapshot.images
    expect(before).toHaveLength(1)
    const publish = (at: Date | null) =>
      deps.db.updateTable('jobs').set({ published_at: at }).where('id', '=', fixtures.jobId).execute()
    await publish(null)
    expect((await driver.cart()).cartPackages[0]?.snapshot.images).toEqual(before)
    await publish(new Date('2020-01-01'))
    expect((await driver.cart()).cartPackages[0]?.snapshot.images).toEqual(before)
  })
})
