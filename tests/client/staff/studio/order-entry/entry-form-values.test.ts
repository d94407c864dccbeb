import { describe, expect, it } from 'vitest'
import {
  defaultImages,
  type EntryFormValues,
  emptyEntryForm,
  entryDraftOf,
  isMissingImage,
  packagesForMethod,
  parseCents,
} from '#client/staff/studio/order-entry/entry-form-values.ts'
import type { EntryForm, EntrySubject } from '#contract/studio/order-entry.ts'
import { imageNode, packageItem, packageOf } from '../../../../domain/cart/cart-fixtures.ts'

const form = (own: Partial<EntryForm> = {}): EntryForm => ({
  jobName: 'Spring',
  organizationType: 'school',
  packages: [
    { number: 1, prepay: true, gallery: true, package: packageOf({ id: 7 }) },
    { number: 2, prepay: false, gallery: true, package: packageOf({ id: 8 }) },
  ],
  services: {
    allowRetouch: false,
    allowNameOnAllPrints: false,
    allowNameOnWallets: false,
    imageLevelService: false,
    services: [],
  },
  shippingOptions: [{ code: 'standard', name: 'Standard Shipping', priceCents: 695 }],
  delivery: { batch: true, home: true },
  takesCodes: false,
  hasPictures: true,
  ...own,
})

const ada: EntrySubject = {
  ...{ subjectId: 1, firstName: 'Ada', lastName: 'Lovelace', reference: null, code: null },
  ...{ groups: [], fields: [], pictures: [] },
}

const values = (own: Partial<EntryFormValues> = {}): EntryFormValues => ({
  ...emptyEntryForm(form(), 'key'),
  lines: [{ id: 'a', subject: ada, packageId: 7, quantity: 2, imageId: 5, texts: { 11: ' Ada ', 12: ' ' } }],
  ...own,
})

describe('emptyEntryForm and packagesForMethod', () => {
  it('an empty form has the job’s default order method and delivery', () => {
    expect(emptyEntryForm(form(), 'key')).toMatchObject({
      entryKey: 'key',
      orderMethod: 'gallery',
      shippingOption: null,
    })
    const early = form({ hasPictures: false, delivery: { batch: false, home: true } })
    expect(emptyEntryForm(early, 'key')).toMatchObject({ orderMethod: 'prepay', shippingOption: 'standard' })
  })

  it('a form offers only the packages of its order method', () => {
    expect(packagesForMethod(form(), 'gallery').map(({ number }) => number)).toEqual([1, 2])
    expect(packagesForMethod(form(), 'prepay').map(({ number }) => number)).toEqual([1])
  })
})

describe('images of an order line', () => {
  const offered = (...names: string[]) => {
    const imageNodes = names.map((name, at) => imageNode({ id: at + 1, name }))
    const packageDefinition = packageOf({ id: 7, items: [packageItem({ id: 1, imageNodes, textNodes: [] })] })
    return { number: 1, prepay: true, gallery: true, package: packageDefinition }
  }
  const picture = (imageId: number, isGroup: boolean) => ({
    ...{ imageId, isGroup, number: imageId, fileName: 'a.jpg', width: 2400, height: 3000 },
  })
  const withPictures = (...pictures: EntrySubject['pictures']) => ({ ...ada, pictures })
  const team = offered('image 1', 'Group image 2')

  it('an image is preselected if the package needs its kind and the subject has exactly one', () => {
    const one = withPictures(picture(5, false), picture(9, true))
    expect(defaultImages(one, team)).toEqual({ imageId: 5, groupImageId: 9 })
    expect(defaultImages(one, offered('image 1'))).toEqual({ imageId: 5, groupImageId: null })
    expect(defaultImages(one, offered('Group image 1'))).toEqual({ imageId: null, groupImageId: 9 })
    const several = withPictures(picture(5, false), picture(6, false), picture(9, true), picture(10, true))
    expect(defaultImages(several, team)).toEqual({ imageId: null, groupImageId: null })
  })

  it('an image is missing if the package needs it and none is chosen', () => {
    const line = (own: object) => ({ id: 'a', subject: ada, packageId: 7, quantity: 1, imageId: 5, texts: {}, ...own })
    expect(isMissingImage(line({}), team)).toBe(true)
    expect(isMissingImage(line({ groupImageId: 9 }), team)).toBe(false)
    expect(isMissingImage(line({ imageId: null, groupImageId: 9 }), team)).toBe(true)
    expect(isMissingImage(line({}), offered('image 1'))).toBe(false)
  })
})

describe('request body of an entry form', () => {
  it('lines include typed texts, and no image for prepay orders', () => {
    const line = { subjectId: 1, packageId: 7, quantity: 2, texts: [{ nodeId: 11, value: 'Ada' }] }
    expect(entryDraftOf(values()).lines).toEqual([{ ...line, imageId: 5, groupImageId: null, crops: [] }])
    expect(entryDraftOf(values({ orderMethod: 'prepay' })).lines).toEqual([{ ...line, imageId: null }])
  })

  it('lines include crops, and none for prepay orders', () => {
    const crops = [{ nodeId: 9, cropDimensions: null, frontendCropDimensions: null, rotation: 90 }]
    const [line] = values().lines
    const lines = line ? [{ ...line, crops }] : []
    expect(entryDraftOf(values({ lines })).lines[0]?.crops).toEqual(crops)
    expect(entryDraftOf(values({ lines, orderMethod: 'prepay' })).lines[0]?.crops).toBeUndefined()
  })

  it('services of subjects without a line are left out', () => {
    const service = (subjectId: number) => ({ subjectId, orderServiceId: 3, imageId: null, personalization: null })
    expect(entryDraftOf(values({ services: [service(1), service(2)] })).services).toEqual([service(1)])
  })

  it('the address is null until one is typed and takes the customer’s name', () => {
    const customer = { firstName: 'Grace', lastName: 'Hopper', email: '', phone: '' }
    expect(entryDraftOf(values({ customer })).address).toBeNull()
    const { address } = values()
    expect(entryDraftOf(values({ customer, address: { ...address, zip: '45402' } })).address).toMatchObject({
      firstName: 'Grace',
      zip: '45402',
    })
  })
})

describe('parseCents', () => {
  it.each([
    ['50', 5000],
    ['$50.05', 5005],
    ['1,234.5', 123_450],
    ['0.29', 29],
    ['20.', 2000],
  ])('parses %j as %i cents', (typed, cents) => {
    expect(parseCents(typed)).toBe(cents)
  })

  it.each(['', 'fifty', '5.005', '-5', '12345678'])('rejects %j', (typed) => {
    expect(parseCents(typed)).toBeNull()
  })
})
