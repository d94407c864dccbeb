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
import { imageNode, packageItem, packageOf } from '#tests/domain/cart/cart-fixtures.ts'

const createForm = (overrides: Partial<EntryForm> = {}): EntryForm => ({
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
  hasImages: true,
  ...overrides,
})

const ada: EntrySubject = {
  ...{ subjectId: 1, firstName: 'Ada', lastName: 'Lovelace', reference: null, code: null },
  ...{ groups: [], fields: [], images: [] },
}

const createValues = (overrides: Partial<EntryFormValues> = {}): EntryFormValues => ({
  ...emptyEntryForm(createForm(), 'key'),
  lines: [{ id: 'a', subject: ada, packageId: 7, quantity: 2, imageId: 5, texts: { 11: ' Ada ', 12: ' ' } }],
  ...overrides,
})

describe('emptyEntryForm and packagesForMethod', () => {
  it('an empty form has the job’s default order method and delivery', () => {
    expect(emptyEntryForm(createForm(), 'key')).toMatchObject({
      entryKey: 'key',
      orderMethod: 'gallery',
      shippingOption: null,
    })
    const formWithoutImages = createForm({ hasImages: false, delivery: { batch: false, home: true } })
    expect(emptyEntryForm(formWithoutImages, 'key')).toMatchObject({
      orderMethod: 'prepay',
      shippingOption: 'standard',
    })
  })

  it('a form offers only the packages of its order method', () => {
    expect(packagesForMethod(createForm(), 'gallery').map(({ number }) => number)).toEqual([1, 2])
    expect(packagesForMethod(createForm(), 'prepay').map(({ number }) => number)).toEqual([1])
  })
})

describe('images of an order line', () => {
  const createOfferedPackage = (...names: string[]) => {
    const imageNodes = names.map((name, index) => imageNode({ id: index + 1, name }))
    const packageDefinition = packageOf({ id: 7, items: [packageItem({ id: 1, imageNodes, textNodes: [] })] })
    return { number: 1, prepay: true, gallery: true, package: packageDefinition }
  }
  const createImage = (imageId: number, isGroup: boolean) => ({
    ...{ imageId, isGroup, number: imageId, fileName: 'a.jpg', width: 2400, height: 3000 },
  })
  const createSubject = (...images: EntrySubject['images']) => ({ ...ada, images })
  const teamPackage = createOfferedPackage('image 1', 'Group image 2')

  it('an image is preselected if the package needs its kind and the subject has exactly one', () => {
    const subjectWithOneEach = createSubject(createImage(5, false), createImage(9, true))
    expect(defaultImages(subjectWithOneEach, teamPackage)).toEqual({ imageId: 5, groupImageId: 9 })
    expect(defaultImages(subjectWithOneEach, createOfferedPackage('image 1'))).toEqual({
      imageId: 5,
      groupImageId: null,
    })
    expect(defaultImages(subjectWithOneEach, createOfferedPackage('Group image 1'))).toEqual({
      imageId: null,
      groupImageId: 9,
    })
    const subjectWithTwoEach = createSubject(
      createImage(5, false),
      createImage(6, false),
      createImage(9, true),
      createImage(10, true),
    )
    expect(defaultImages(subjectWithTwoEach, teamPackage)).toEqual({ imageId: null, groupImageId: null })
  })

  it('an image is missing if the package needs it and none is chosen', () => {
    const line = (overrides: object) => ({
      id: 'a',
      subject: ada,
      packageId: 7,
      quantity: 1,
      imageId: 5,
      texts: {},
      ...overrides,
    })
    expect(isMissingImage(line({}), teamPackage)).toBe(true)
    expect(isMissingImage(line({ groupImageId: 9 }), teamPackage)).toBe(false)
    expect(isMissingImage(line({ imageId: null, groupImageId: 9 }), teamPackage)).toBe(true)
    expect(isMissingImage(line({}), createOfferedPackage('image 1'))).toBe(false)
  })
})

describe('request body of an entry form', () => {
  it('lines include typed texts, and no image for prepay orders', () => {
    const line = { subjectId: 1, packageId: 7, quantity: 2, texts: [{ nodeId: 11, value: 'Ada' }] }
    expect(entryDraftOf(createValues()).lines).toEqual([{ ...line, imageId: 5, groupImageId: null, crops: [] }])
    expect(entryDraftOf(createValues({ orderMethod: 'prepay' })).lines).toEqual([{ ...line, imageId: null }])
  })

  it('lines include crops, and none for prepay orders', () => {
    const crops = [{ nodeId: 9, cropDimensions: null, frontendCropDimensions: null, rotation: 90 }]
    const [line] = createValues().lines
    const lines = line ? [{ ...line, crops }] : []
    expect(entryDraftOf(createValues({ lines })).lines[0]?.crops).toEqual(crops)
    expect(entryDraftOf(createValues({ lines, orderMethod: 'prepay' })).lines[0]?.crops).toBeUndefined()
  })

  it('services of subjects without a line are left out', () => {
    const service = (subjectId: number) => ({ subjectId, orderServiceId: 3, imageId: null, personalization: null })
    expect(entryDraftOf(createValues({ services: [service(1), service(2)] })).services).toEqual([service(1)])
  })

  it('the address is null until one is typed, and then gets the customer’s name', () => {
    const customer = { firstName: 'Grace', lastName: 'Hopper', email: '', phone: '' }
    expect(entryDraftOf(createValues({ customer })).address).toBeNull()
    const { address } = createValues()
    expect(entryDraftOf(createValues({ customer, address: { ...address, zip: '45402' } })).address).toMatchObject({
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
  ])('parses %j as %i cents', (text, cents) => {
    expect(parseCents(text)).toBe(cents)
  })

  it.each(['', 'fifty', '5.005', '-5', '12345678'])('rejects %j', (text) => {
    expect(parseCents(text)).toBeNull()
  })
})
