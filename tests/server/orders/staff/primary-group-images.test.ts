import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { imageNode } from '#tests/domain/cart/cart-fixtures.ts'
import { onePrint } from '#tests/server/carts/cart-fixtures.ts'
import { createStaffOrderFixtures } from './staff-order-fixtures.ts'

/** A memory mate: a package with the subject's own image and the team's image. */
const portraitAndTeam = () => {
  const offeredPackage = onePrint(30)
  const items = offeredPackage.items.map((item) => ({
    ...item,
    imageNodes: [...item.imageNodes, imageNode({ id: item.id + 5, name: 'Group 2' })],
  }))
  return { ...offeredPackage, items }
}

describe.each(enginesFor(import.meta.filename))('group nodes on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const staffOrders = await createStaffOrderFixtures(database())
    const { deps, fixtures, staffRequest, order } = staffOrders
    const memoryMate = await fixtures.offer(portraitAndTeam())
    const number = await order({ method: 'prepay', soldPackage: memoryMate })
    const addGroup = async (): Promise<number> => {
      return await given(deps).group(fixtures, `Team ${deps.newId()}`, [fixtures.adaId])
    }
    const placeImages = async () =>
      (await staffRequest('POST', 'orders/place-images', { which: { orderNumbers: [number] } })).data
    const readNodes = async () => {
      const { data } = await staffRequest('GET', `orders/${number}`)
      const [{ sold, needsImages }] = data.lines
      const images = sold.cartPackageItems[0].imageNodes.map(
        ({ subjectImageId, groupImageId }: Record<string, number | null>) => [subjectImageId, groupImageId],
      )
      return { images, needsImages }
    }
    return { ...staffOrders, number, addGroup, placeImages, readNodes }
  }

  it("group nodes get the team's image, never a portrait", async () => {
    const { fixtures, addGroup, placeImages, readNodes } = await setUp()
    const teamImageId = await fixtures.addImage({ groupId: await addGroup() })
    expect(await placeImages()).toMatchObject({ placed: 1, refused: [] })
    expect(await readNodes()).toEqual({
      images: [
        [fixtures.adaImageId, null],
        [null, teamImageId],
      ],
      needsImages: false,
    })
  })

  it("nodes get the current images after replacements of the team's and the subject's", async () => {
    const { deps, fixtures, addGroup, placeImages, readNodes } = await setUp()
    const groupId = await addGroup()
    const formerTeamId = await fixtures.addImage({ groupId })
    const supersede = (imageId: number) =>
      deps.db.updateTable('image_lookups').set({ superseded_at: deps.clock() }).where('id', '=', imageId).execute()
    const [ownId, teamImageId] = [
      await fixtures.addImage({ subjectId: fixtures.adaId }),
      await fixtures.addImage({ groupId }),
    ]
    await supersede(formerTeamId)
    await supersede(fixtures.adaImageId)
    expect(await placeImages()).toMatchObject({ placed: 1, refused: [] })
    expect((await readNodes()).images).toEqual([
      [ownId, null],
      [null, teamImageId],
    ])
  })

  it.each([
    { images: 'no', published: [], why: 'Ada Lovelace: no group image yet' },
    { images: 'an unpublished', published: [false], why: 'Ada Lovelace: no group image yet' },
    { images: 'more than one', published: [true, true], why: 'Ada Lovelace: several group images to choose from' },
  ])(
    'group nodes wait while there is $images team image, and the portrait is placed once',
    async ({ published, why }) => {
      const { deps, number, fixtures, addGroup, placeImages, readNodes } = await setUp()
      for (const isPublished of published) await fixtures.addImage({ groupId: await addGroup(), isPublished })
      for (const _ of ['first', 'again'])
        expect(await placeImages()).toMatchObject({ placed: 0, refused: [{ orderNumber: number, why }] })
      expect(await readNodes()).toEqual({
        images: [
          [fixtures.adaImageId, null],
          [null, null],
        ],
        needsImages: true,
      })
      const auditQuery = deps.db.selectFrom('audit_log').select('id').where('action', '=', 'order.content-edited')
      expect(await auditQuery.execute()).toHaveLength(1)
    },
  )
})
