import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { imageNode } from '../../../domain/cart/cart-fixtures.ts'
import { onePrint } from '../../carts/cart-fixtures.ts'
import { createStaffOrderFixtures } from './staff-order-fixtures.ts'

/** A memory mate: the subject's own image and the team's. */
const portraitAndTeam = () => {
  const made = onePrint(30)
  const items = made.items.map((item) => ({
    ...item,
    imageNodes: [...item.imageNodes, imageNode({ id: item.id + 5, name: 'Group 2' })],
  }))
  return { ...made, items }
}

describe.each(enginesFor(import.meta.filename))('group nodes on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const desk = await createStaffOrderFixtures(database())
    const { deps, shop, tell, order } = desk
    const of = await shop.offer(portraitAndTeam())
    const number = await order({ method: 'prepay', of })
    const giveGroup = async (): Promise<number> => {
      const { studioId, jobId, adaId } = shop
      const { id } = await deps.db
        .insertInto('groups')
        .values({ studio_id: studioId, job_id: jobId, name: `Team ${deps.newId()}` })
        .returning('id')
        .executeTakeFirstOrThrow()
      await deps.db
        .insertInto('subject_groups')
        .values({ studio_id: studioId, subject_id: adaId, group_id: id })
        .execute()
      return id
    }
    const place = async () => (await tell('POST', 'orders/place-pictures', { which: { orderNumbers: [number] } })).data
    const nodes = async () => {
      const { data } = await tell('GET', `orders/${number}`)
      const [{ sold, needsPoses }] = data.lines
      const pictures = sold.cartPackageItems[0].imageNodes.map(
        ({ subjectImageId, groupImageId }: Record<string, number | null>) => [subjectImageId, groupImageId],
      )
      return { pictures, needsPoses }
    }
    return { ...desk, number, giveGroup, place, nodes }
  }

  it("group nodes get the team's image, never a portrait", async () => {
    const { shop, giveGroup, place, nodes } = await begin()
    const teamImageId = await shop.giveImage({ groupId: await giveGroup() })
    expect(await place()).toMatchObject({ placed: 1, refused: [] })
    expect(await nodes()).toEqual({
      pictures: [
        [shop.adaImageId, null],
        [null, teamImageId],
      ],
      needsPoses: false,
    })
  })

  it("nodes get the current images after replacements of the team's and the subject's", async () => {
    const { deps, shop, giveGroup, place, nodes } = await begin()
    const groupId = await giveGroup()
    const formerTeamId = await shop.giveImage({ groupId })
    const supersede = (imageId: number) =>
      deps.db.updateTable('image_lookups').set({ superseded_at: deps.clock() }).where('id', '=', imageId).execute()
    const [ownId, teamImageId] = [await shop.giveImage({ subjectId: shop.adaId }), await shop.giveImage({ groupId })]
    await supersede(formerTeamId)
    await supersede(shop.adaImageId)
    expect(await place()).toMatchObject({ placed: 1, refused: [] })
    expect((await nodes()).pictures).toEqual([
      [ownId, null],
      [null, teamImageId],
    ])
  })

  it.each([
    { pictures: 'no', published: [], why: 'Ada Lovelace: no group picture yet' },
    { pictures: 'an unpublished', published: [false], why: 'Ada Lovelace: no group picture yet' },
    { pictures: 'more than one', published: [true, true], why: 'Ada Lovelace: several group pictures to choose from' },
  ])(
    'group nodes wait while there is $pictures team image, and the portrait is placed once',
    async ({ published, why }) => {
      const { deps, number, shop, giveGroup, place, nodes } = await begin()
      for (const isOut of published) await shop.giveImage({ groupId: await giveGroup(), published: isOut })
      for (const _ of ['first', 'again'])
        expect(await place()).toMatchObject({ placed: 0, refused: [{ orderNumber: number, why }] })
      expect(await nodes()).toEqual({
        pictures: [
          [shop.adaImageId, null],
          [null, null],
        ],
        needsPoses: true,
      })
      const trail = deps.db.selectFrom('audit_log').select('id').where('action', '=', 'order.put-right')
      expect(await trail.execute()).toHaveLength(1)
    },
  )
})
