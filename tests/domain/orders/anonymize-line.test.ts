import { expect, it } from 'vitest'
import { anonymizeLine, type StoredOrderLine } from '#domain/orders/anonymize-line.ts'
import { imageNode, packageItem, packageOf, textNode } from '../cart/cart-fixtures.ts'

const packageVersion = packageOf({ items: [packageItem({ imageNodes: [imageNode()], textNodes: [textNode()] })] })

const line: StoredOrderLine = {
  snapshot: {
    package: packageVersion,
    subject: { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: '/photos/g/7/thumb-a' },
    images: [{ imageId: 7, width: 10, height: 10, thumbnailUrl: '/photos/g/7/thumb-a' }],
  },
  content: [
    {
      id: null,
      packageItemId: 1,
      name: '8x10',
      productCode: '8x10',
      textNodes: [{ id: null, packageItemTextNodeId: 2, value: 'Ada', autoFilled: true }],
      imageNodes: [
        {
          id: null,
          packageItemImageNodeId: 3,
          subjectImageId: 7,
          groupImageId: null,
          replacementImageId: 8,
          cropDimensions: { width: 1, height: 1, cropX: 1, cropY: 1, xMid: 1, yMid: 1 },
          frontendCropDimensions: { x: 1, y: 1, zoom: 1 },
          rotation: 90,
          imageThumbnailUrl: '/photos/g/7/thumb-a',
        },
      ],
    },
  ],
}

it('anonymizing a line keeps the product, and removes the subject and the images', () => {
  const { snapshot, content } = anonymizeLine(line)
  expect(snapshot.package).toEqual(packageVersion)
  expect(content).toMatchObject([{ name: '8x10', productCode: '8x10', textNodes: [{ packageItemTextNodeId: 2 }] }])
  const remainingJson = JSON.stringify({ subject: snapshot.subject, images: snapshot.images, content })
  for (const trace of ['Ada', 'Lovelace', 'photos', ':7', ':8']) expect(remainingJson).not.toContain(trace)
})

it('anonymizing a service keeps its price and the year, and removes the subject, the name and the image', () => {
  const serviceFields = { id: 1, cartId: 2, subjectId: 5, personId: 'uuid', orderServiceId: 3, price: 10 }
  const { snapshot, content } = anonymizeLine({
    snapshot: { images: [], service: { ...serviceFields, level: 'basic', imageLookupId: 7 } },
    content: null,
  })
  expect(content).toBeNull()
  expect(snapshot.service).toEqual({
    ...serviceFields,
    subjectId: null,
    personId: null,
    level: 'basic',
    imageLookupId: null,
  })
  const productChoice = { nameOnWallets: true, nameOnAllPrints: true, yearOnWallets: false, yearOnAllPrints: false }
  const printed = { ...serviceFields, ...productChoice, nameToPrint: 'Ada', yearToPrint: '2027' }
  const anonymized = anonymizeLine({ snapshot: { service: printed }, content: null })
  expect(anonymized.snapshot.service).toMatchObject({
    ...productChoice,
    nameToPrint: '',
    yearToPrint: '2027',
    price: 10,
  })
})
