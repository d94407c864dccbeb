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

const keyed = (own: Partial<EntryFormValues> = {}): EntryFormValues => ({
  ...emptyEntryForm(form(), 'key'),
  lines: [{ id: 'a', subject: ada, packageId: 7, quantity: 2, imageId: 5, texts: { 11: ' Ada ', 12: ' ' } }],
  ...own,
})

describe('an empty form', () => {
  it('says already what most forms of the job will', () => {
    expect(emptyEntryForm(form(), 'key')).toMatchObject({
      entryKey: 'key',
      orderMethod: 'gallery',
      shippingOption: null,
    })
    const early = form({ hasPictures: false, delivery: { batch: false, home: true } })
    expect(emptyEntryForm(early, 'key')).toMatchObject({ orderMethod: 'prepay', shippingOption: 'standard' })
  })

  it('holds the packages that are sold in its way', () => {
    expect(packagesForMethod(form(), 'gallery').map(({ number }) => number)).toEqual([1, 2])
    expect(packagesForMethod(form(), 'prepay').map(({ number }) => number)).toEqual([1])
  })
})

describe('the pictures of a line', () => {
  const offered = (...names: string[]) => {
    const imageNodes = names.map((name, at) => imageNode({ id: at + 1, name }))
    const made = packageOf({ id: 7, items: [packageItem({ id: 1, imageNodes, textNodes: [] })] })
    return { number: 1, prepay: true, gallery: true, package: made }
  }
  const picture = (imageId: number, isGroup: boolean) => ({
    ...{ imageId, isGroup, number: imageId, fileName: 'a.jpg', width: 2400, height: 3000 },
  })
  const withPictures = (...pictures: EntrySubject['pictures']) => ({ ...ada, pictures })
  const team = offered('image 1', 'Group image 2')

  it('are chosen already where there is one of a kind, and of the kinds that the package wants', () => {
    const one = withPictures(picture(5, false), picture(9, true))
    expect(defaultImages(one, team)).toEqual({ imageId: 5, groupImageId: 9 })
    expect(defaultImages(one, offered('image 1'))).toEqual({ imageId: 5, groupImageId: null })
    expect(defaultImages(one, offered('Group image 1'))).toEqual({ imageId: null, groupImageId: 9 })
    const several = withPictures(picture(5, false), picture(6, false), picture(9, true), picture(10, true))
    expect(defaultImages(several, team)).toEqual({ imageId: null, groupImageId: null })
  })

  it('are lacking where one that the package wants is not chosen', () => {
    const line = (own: object) => ({ id: 'a', subject: ada, packageId: 7, quantity: 1, imageId: 5, texts: {}, ...own })
    expect(isMissingImage(line({}), team)).toBe(true)
    expect(isMissingImage(line({ groupImageId: 9 }), team)).toBe(false)
    expect(isMissingImage(line({ imageId: null, groupImageId: 9 }), team)).toBe(true)
    expect(isMissingImage(line({}), offered('image 1'))).toBe(false)
  })
})

describe('what the server is told of a form', () => {
  it('are its lines with the texts that were typed, and no picture where they come later', () => {
    const line = { subjectId: 1, packageId: 7, quantity: 2, texts: [{ nodeId: 11, value: 'Ada' }] }
    expect(entryDraftOf(keyed()).lines).toEqual([{ ...line, imageId: 5, groupImageId: null, crops: [] }])
    expect(entryDraftOf(keyed({ orderMethod: 'prepay' })).lines).toEqual([{ ...line, imageId: null }])
  })

  it('are the crops of its pictures, and none where pictures come later', () => {
    const crops = [{ nodeId: 9, cropDimensions: null, frontendCropDimensions: null, rotation: 90 }]
    const [line] = keyed().lines
    const lines = line ? [{ ...line, crops }] : []
    expect(entryDraftOf(keyed({ lines })).lines[0]?.crops).toEqual(crops)
    expect(entryDraftOf(keyed({ lines, orderMethod: 'prepay' })).lines[0]?.crops).toBeUndefined()
  })

  it('are the services of people who are on it', () => {
    const service = (subjectId: number) => ({ subjectId, orderServiceId: 3, imageId: null, personalization: null })
    expect(entryDraftOf(keyed({ services: [service(1), service(2)] })).services).toEqual([service(1)])
  })

  it('is an address only where one was typed, in the customer’s name', () => {
    const customer = { firstName: 'Grace', lastName: 'Hopper', email: '', phone: '' }
    expect(entryDraftOf(keyed({ customer })).address).toBeNull()
    const { address } = keyed()
    expect(entryDraftOf(keyed({ customer, address: { ...address, zip: '45402' } })).address).toMatchObject({
      firstName: 'Grace',
      zip: '45402',
    })
  })
})

describe('money as it is typed', () => {
  it.each([
    ['50', 5000],
    ['$50.05', 5005],
    ['1,234.5', 123_450],
    ['0.29', 29],
    ['20.', 2000],
  ])('%j are %i cents', (typed, cents) => {
    expect(parseCents(typed)).toBe(cents)
  })

  it.each(['', 'fifty', '5.005', '-5', '12345678'])('%j is none', (typed) => {
    expect(parseCents(typed)).toBeNull()
  })
})
