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

test('what nobody gave is no date', () => expect(said({})).toEqual([]))

test('all that are known come in their order', () => {
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

test('what was over when it was ordered is left out; the day itself is not over', () => {
  expect(said({ orderBy: '2027-04-14', galleryExpiresOn: '2027-04-15' })).toEqual([
    '2027-04-15 Pictures are online until',
  ])
})

test('the picture day is for who ordered before there were pictures', () => {
  const pictureDay = '2027-05-01'
  expect(said({ pictureDay, orderMethod: 'prepay' })).toEqual(['2027-05-01 Picture day'])
  expect(said({ pictureDay })).toEqual([])
})

test('dates on one day keep their order', () => {
  expect(said({ galleryExpiresOn: '2027-05-01', orderBy: '2027-05-01' })).toEqual([
    '2027-05-01 Last day to order more',
    '2027-05-01 Pictures are online until',
  ])
})
