import { describe, expect, it } from 'vitest'
import { grantsHeader } from '../../../src/contract/answers.ts'
import { hidePeople } from '../../../src/server/subjects/visibility.ts'
import { enginesFor, freshDatabase } from '../../support/database.ts'
import { testApp, testDeps } from '../../support/server.ts'
import { readyToPay } from './counter.ts'

describe.each(enginesFor(import.meta.filename))('what a cart says of photos, on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const { shop, parent, till } = await readyToPay(deps, app)
    const grants = async () => {
      const url = `/api/customer/jobs/${shop.jobId}/cart?orderMethod=gallery`
      return (await app.inject({ url, headers: parent.headers })).headers[grantsHeader]
    }
    return { deps, shop, till, grants }
  }

  it('keeps the addresses of its photos while the event is closed, so that a phone that holds them shows them', async () => {
    const { deps, shop, till } = await begin()
    const before = (await till.cart()).cartPackages[0]?.snapshot.images
    expect(before).toHaveLength(1)
    const publish = (at: Date | null) =>
      deps.db.updateTable('jobs').set({ published_at: at }).where('id', '=', shop.jobId).execute()
    await publish(null)
    expect((await till.cart()).cartPackages[0]?.snapshot.images).toEqual(before)
    await publish(new Date('2020-01-01'))
    expect((await till.cart()).cartPackages[0]?.snapshot.images).toEqual(before)
  })

  it('every answer names the live grants by a word that changes when a child is hidden', async () => {
    const { deps, shop, grants } = await begin()
    const before = await grants()
    expect(before).toMatch(/^[0-9a-f]{32}$/)
    expect(await grants()).toBe(before)
    const people = { studioId: shop.studioId, subjectIds: [shop.adaId] }
    await deps.db.transaction().execute((tx) => hidePeople(tx, deps, people))
    expect(await grants()).not.toBe(before)
  })
})
