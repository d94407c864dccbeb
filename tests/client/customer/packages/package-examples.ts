import type { CustomiseContext } from '#client/customer/packages/customiser/customised-package.ts'
import type { PackageSubject } from '#client/customer/packages/package-context.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { imageNode, packageItem, packageOf, textNode } from '#tests/domain/cart/cart-fixtures.ts'

export const ada: PackageSubject = {
  subjectId: 7,
  personId: null,
  firstName: 'Ada',
  lastName: 'Lovelace',
  imageThumbnailUrl: '/photos/g/501/thumbnail-a',
  fields: [
    { name: 'Email', value: 'ada.lovelace@engine.test' },
    { name: 'Phone', value: '555-010-1234' },
  ],
  dataFields: null,
}

export const image = (id: number, overrides: Partial<Image> = {}): Image => ({
  id,
  type: 'hosted-individual',
  groupId: null,
  groupName: null,
  name: `IMG_${id}`,
  width: 2400,
  height: 3000,
  hasAlpha: false,
  thumbnailUrl: `/photos/g/${id}/thumbnail-a`,
  previewUrl: `/photos/g/${id}/preview-a`,
  ...overrides,
})

export const portrait = image(501)
export const landscape = image(502, { width: 3000, height: 2000 })
export const groupImage = image(601, {
  type: 'hosted-group',
  groupId: 3,
  groupName: 'Rapids',
  width: 3000,
  height: 2000,
})
export const replacementImage = image(701, { type: 'replacement' })

export const customiseContext = (overrides: Partial<CustomiseContext> = {}): CustomiseContext => ({
  subject: ada,
  images: [portrait, landscape, groupImage],
  imageId: null,
  orderMethod: 'gallery',
  organizationType: 'school',
  ...overrides,
})

/** A print with three texts, two identical smaller prints with one text each, and a class photo. */
export const familyPackage: Package = packageOf({
  id: 40,
  name: 'Family',
  items: [
    packageItem({
      id: 41,
      name: '8x10 Print',
      imageNodes: [imageNode({ id: 411, name: 'Image 1' })],
      textNodes: [
        textNode({ id: 412, name: 'Name', dataSource: 'name' }),
        textNode({ id: 413, name: 'Contact', dataSource: 'email' }),
        textNode({ id: 414, name: 'Motto', dataSource: null }),
      ],
    }),
    ...[42, 43].map((id) =>
      packageItem({
        id,
        name: '5x7 Print',
        productCode: '5x7',
        widthInches: 5,
        heightInches: 7,
        imageNodes: [imageNode({ id: id * 10 + 1, name: 'Image 1', productCode: '5x7' })],
        textNodes: [textNode({ id: id * 10 + 2, name: 'Motto', dataSource: null })],
      }),
    ),
    packageItem({
      id: 44,
      name: '8x10 Class Picture',
      productCode: 'ClassGroup',
      widthInches: 10,
      heightInches: 8,
      imageNodes: [imageNode({ id: 441, name: 'Group 1', productCode: 'ClassGroup', allowConsumerCrop: false })],
      textNodes: [],
    }),
  ],
})
