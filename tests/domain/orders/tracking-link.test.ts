import { expect, test } from 'vitest'
import { trackingLink } from '#domain/orders/tracking-link.ts'

test.each([
  ['1Z 999 AA1 01 2345 6784', 'UPS', 'https://www.ups.com/track?tracknum=1Z999AA10123456784'],
  [
    '9400 1000 0000 0000 0000 00',
    'USPS',
    'https://tools.usps.com/go/TrackConfirmAction?tLabels=9400100000000000000000',
  ],
  ['ec123456789us', 'USPS', 'https://tools.usps.com/go/TrackConfirmAction?tLabels=EC123456789US'],
  ['9999-9999-9999', 'FedEx', 'https://www.fedex.com/fedextrack/?trknbr=999999999999'],
])('the number %s belongs to %s', (trackingNumber, carrier, href) => {
  expect(trackingLink(trackingNumber)).toEqual({ carrier, href })
})

test.each(['', '12345', 'ask Grace', 'javascript:alert(1)'])('the number %j has no link', (trackingNumber) => {
  expect(trackingLink(trackingNumber)).toBeUndefined()
})
