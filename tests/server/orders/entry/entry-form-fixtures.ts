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

export const entryLine = (made: Package, subjectId: number, own: Partial<Line> = {}): Line => ({
  subjectId,
  packageId: made.id,
  quantity: 1,
  imageId: null,
  texts: made.items.flatMap((item) => item.textNodes.map(({ id }) => ({ nodeId: id, value: 'Ada' }))),
  ...own,
})

type Form = Partial<EntryDraft> & { made: Package; subjectId: number; imageId: number }

/** An order form: one package with an image, shipped home. */
export const entryForm = ({ made, subjectId, imageId, ...own }: Form): EntryDraft => ({
  orderMethod: 'gallery',
  lines: [entryLine(made, subjectId, { imageId })],
  services: [],
  customer: { firstName: 'Grace', lastName: 'Hopper', email: '', phone: '' },
  address,
  shippingOption: 'standard',
  promoCode: '',
  ...own,
})
