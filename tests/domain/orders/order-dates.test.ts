import { expect, test } from 'vitest'
import { type OrderDateInput, orderDates } from '#domain/orders/order-dates.ts'

const nothing: OrderDateInput = {
  orderMethod: 'gallery',
  placedOn: '2027-04-15',
  pictureDay: null,
  batchClosesOn: null,
  orderBy: null,
  galleryExpiresOn: null,
  downloadsUntil: null,
}
const said = (facts: Partial<OrderDateInput>) =>
  orderDates({ ...nothing, ...facts }).map(({ name, on }) => `${on} ${name}`)

test('dates that were not set are left out', () => expect(said({})).toEqual([]))

test('all known dates are sorted', () => {
  const facts = {
    batchClosesOn: '2027-04-20',
    orderBy: '2027-04-18',
    galleryExpiresOn: '2027-06-01',
    downloadsUntil: '2027-07-14',
  }
  expect(said(facts)).toEqual([
    '2027-04-18 Last day to order more',
    '2027-04-20 Orders for the studio are gathered until',
    '2027-06-01 Pictures are online until',
    '2027-07-14 Downloads are good until',
  ])
})

test('dates in the past are left out, but the day of the order is not', () => {
  expect(said({ orderBy: '2027-04-14', galleryExpiresOn: '2027-04-15' })).toEqual([
    '2027-04-15 Pictures are online until',
  ])
})

test('the picture day is only listed for prepaid orders', () => {
  const pictureDay = '2027-05-01'
  expect(said({ pictureDay, orderMethod: 'prepay' })).toEqual(['2027-05-01 Picture day'])
  expect(said({ pictureDay })).toEqual([])
})

test('dates on the same day keep their order', () => {
  expect(said({ galleryExpiresOn: '2027-05-01', orderBy: '2027-05-01' })).toEqual([
    '2027-05-01 Last day to order more',
    '2027-05-01 Pictures are online until',
  ])
})
