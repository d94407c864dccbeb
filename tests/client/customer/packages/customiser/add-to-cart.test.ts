import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { addToCart } from '#client/customer/packages/customiser/add-to-cart.ts'
import { newCustomisedPackage } from '#client/customer/packages/customiser/customised-package.ts'
import { toSnapshotImages } from '#client/customer/packages/images/node-images.ts'
import { readCart } from '#local/cart.ts'
import { database } from '#platform/database.ts'
import { addOn } from '#tests/domain/cart/cart-fixtures.ts'
import { ada, customiseContext, familyPackage, groupImage, landscape, portrait } from '../package-examples.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const images = toSnapshotImages([portrait, landscape, groupImage])
const customise = (chosenPackage: typeof familyPackage) => newCustomisedPackage(chosenPackage, customiseContext())
const frame = addOn(200, { type: 'addon_price', requiredMinPrice: 20 })

beforeEach(async () => {
  await database.delete()
  await database.open()
})

test('a package and its add-on become two lines, the package first, with their snapshots', async () => {
  expect(
    await addToCart(key, { parts: [customise(frame), customise(familyPackage)], subject: ada, images }),
  ).toMatchObject({
    ok: true,
  })
  const { lines, cart } = await readCart(database, key.jobId, key.orderMethod)
  expect(lines.map(({ line }) => line.packageId)).toEqual([familyPackage.id, frame.id])
  expect(lines[0]?.line.snapshot.images.map((image) => image.imageId)).toEqual([501, 601])
  expect(lines[0]?.line.cartPackageItems[0]?.imageNodes[0]?.imageThumbnailUrl).toBe('/photos/g/501/thumbnail-a')
  expect(cart.subjects).toEqual([
    { subjectId: 7, personId: null, firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: ada.imageThumbnailUrl },
  ])
})

const expensiveAddOn = addOn(201, { type: 'addon_price', requiredMinPrice: 2000 })

test.each([
  ['has no standard package', [frame]],
  ['has no package that allows it', [familyPackage, frame, expensiveAddOn]],
])('an add-on that %s is rejected with its reason, and nothing is added', async (_, packages) => {
  const result = await addToCart(key, { parts: packages.map(customise), subject: ada, images })
  expect(result).toMatchObject({ ok: false, message: 'This add-on needs a package in the cart that allows it' })
  expect((await readCart(database, key.jobId, key.orderMethod)).lines).toEqual([])
})
