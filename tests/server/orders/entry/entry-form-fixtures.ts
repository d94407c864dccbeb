import type { EntryDraft } from '#contract/studio/order-entry.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'

export const address = {
  firstName: 'Grace',
  lastName: 'Hopper',
  address1: '1 Mill Street',
  address2: '',
  city: 'Dayton',
  state: 'OH',
  zip: '45402',
}

type Line = EntryDraft['lines'][number]

export const entryLine = (offeredPackage: Package, subjectId: number, overrides: Partial<Line> = {}): Line => ({
  subjectId,
  packageId: offeredPackage.id,
  quantity: 1,
  imageId: null,
  texts: offeredPackage.items.flatMap((item) => item.textNodes.map(({ id }) => ({ nodeId: id, value: 'Ada' }))),
  ...overrides,
})

type Form = Partial<EntryDraft> & { offeredPackage: Package; subjectId: number; imageId: number }

/** An order form: one package with an image, shipped home. */
export const entryForm = ({ offeredPackage, subjectId, imageId, ...overrides }: Form): EntryDraft => ({
  orderMethod: 'gallery',
  lines: [entryLine(offeredPackage, subjectId, { imageId })],
  services: [],
  customer: { firstName: 'Grace', lastName: 'Hopper', email: '', phone: '' },
  address,
  shippingOption: 'standard',
  promoCode: '',
  ...overrides,
})
