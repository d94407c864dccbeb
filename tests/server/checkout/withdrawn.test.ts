import { describe, expect, it } from 'vitest'
import { giveGrant } from '../../../src/server/admission/grants.ts'
import type { Deps } from '../../../src/server/deps.ts'
import { hidePeople, showPeople } from '../../../src/server/subjects/visibility.ts'
import { enginesFor, freshDatabase } from '../../support/database.ts'
import { testApp, testDeps } from '../../support/server.ts'
import { customise, filled } from '../carts/shop.ts'
import { readyToPay } from './counter.ts'

const taken = 'The studio took this photo away'

describe.each(enginesFor(import.meta.filename))('what the studio no longer shows, on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const ready = await readyToPay(deps, app)
    const people = { studioId: ready.shop.studioId, subjectIds: [ready.shop.adaId] }
    const hide = () => deps.db.transaction().execute((tx) => hidePeople(tx, deps, people))
    const show = () => deps.db.transaction().execute((tx) => showPeople(tx, people))
    const publish = (imageId: number, at: Date | null) =>
      deps.db.updateTable('image_lookups').set({ published_at: at }).where('id', '=', imageId).execute()
    return { deps, ...ready, hide, show, publish }
  }
  const orders = async ({ db }: Deps) => (await db.selectFrom('orders').select('id').execute()).length

  it('refuses a hidden child’s line in the cart, at totals and at submit, with the reason at the line', async () => {
    const { deps, till, line, paying, hide } = await begin()
    await hide()
    const [shown] = (await till.cart()).cartPackages
    expect(shown?.snapshot.withdrawn).toMatchObject({ person: 'hidden' })
    expect(JSON.stringify(shown)).not.toContain('/photos/')
    for (const answer of [await till.ask('GET', 'checkout/totals?orderMethod=gallery'), await till.submit(paying())]) {
      expect(answer.status).toBe(422)
      expect(answer.fields[line.lineId]).toEqual([expect.stringContaining(taken)])
    }
    expect(await orders(deps)).toBe(0)
  })

  it('sells the line of a child who is shown again only after the family confirmed the child', async () => {
    const { deps, till, paying, hide, show, shop, parent } = await begin()
    await hide()
    await show()
    expect((await till.cart()).cartPackages[0]?.snapshot.withdrawn).toMatchObject({ person: 'unconfirmed' })
    expect((await till.submit(paying())).status).toBe(422)
    const visit = { session: parent, job: shop.job }
    await deps.db.transaction().execute((tx) => giveGrant(tx, deps, visit, { kind: 'subject', subjectId: shop.adaId }))
    expect((await till.cart()).cartPackages[0]?.snapshot.withdrawn).toBeUndefined()
    expect((await till.submit(paying())).status).toBe(200)
    expect(await orders(deps)).toBe(1)
  })

  it('refuses a withdrawn photo, and sells the package with another photo in its place', async () => {
    const { deps, till, made, line, paying, shop, publish } = await begin()
    await publish(shop.adaImageId, null)
    const answer = await till.submit(paying())
    expect(answer).toMatchObject({ status: 422 })
    expect(answer.fields[line.lineId]).toEqual([expect.stringContaining(taken)])
    expect((await till.ask('GET', 'checkout/totals?orderMethod=gallery')).status).toBe(422)
    const other = await shop.giveImage({ subjectId: shop.adaId })
    await till.sync([customise(line.lineId, filled(made, other))])
    expect((await till.cart()).cartPackages[0]?.snapshot.withdrawn).toBeUndefined()
    expect((await till.submit(paying())).status).toBe(200)
    expect(await orders(deps)).toBe(1)
  })

  it('refuses a photo that was moved to another child', async () => {
    const { deps, till, paying, shop } = await begin()
    const otherId = await shop.giveSubject('Grace')
    await deps.db.updateTable('image_lookups').set({ subject_id: otherId }).where('id', '=', shop.adaImageId).execute()
    expect((await till.submit(paying())).status).toBe(422)
    expect(await orders(deps)).toBe(0)
  })

  it('says that the event is closed, and not that a photo was taken away, while the event shows no photos', async () => {
    const { deps, till, shop } = await begin()
    await deps.db.updateTable('jobs').set({ published_at: null }).where('id', '=', shop.jobId).execute()
    expect((await till.cart()).cartPackages[0]?.snapshot.withdrawn).toBeUndefined()
  })
})
