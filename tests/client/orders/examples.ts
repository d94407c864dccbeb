import type { Order } from '../../../src/contract/checkout.ts'

export const order: Order = {
  orderNumber: 'FP-ABCD1234',
  jobId: 1,
  jobName: 'Spring Portraits 2027',
  studioName: 'Riverside Portraits',
  studioSlug: 'riverside',
  studioPhone: '(937) 555-0142',
  studioEmail: 'hello@riverside.test',
  orderMethod: 'gallery',
  state: 'placed',
  placedAt: '2027-04-01T10:00:00.000Z',
  customer: { firstName: 'Annabella', lastName: 'Byron', email: 'annabella@example.com', phone: '402-555-0142' },
  shippingAddress: {
    firstName: 'Annabella',
    lastName: 'Byron',
    address1: '12 Analytical Way',
    address2: '',
    city: 'Lincoln',
    state: 'NE',
    zip: '68501',
  },
  shippingName: 'Standard Shipping',
  lines: [
    {
      packageName: 'Keepsake',
      personName: 'Ada Lovelace',
      imageThumbnailUrl: '/photos/1/501/thumbnail-a',
      quantity: 2,
      totalCents: 4800,
      items: [{ name: '8×10 Print', texts: ['Ada Lovelace', '2027'] }],
    },
  ],
  totals: {
    packagesCents: 4800,
    servicesCents: 0,
    discountCents: 0,
    shippingCents: 695,
    taxCents: 100,
    totalCents: 5595,
  },
  cardEnding: '4242',
}
