import { expect, test } from 'vitest'
import { type OrderDateInput, orderDates } from '#domain/orders/order-dates.ts'

const withoutDates: OrderDateInput = {
  orderMethod: 'gallery',
  placedOn: '2027-04-15',
  pictureDay: null,
  arrival: null,
  batchClosesOn: null,
  orderBy: null,
  galleryExpiresOn: null,
  downloadsUntil: null,
}
const formattedDates = (input: Partial<OrderDateInput>) =>
  orderDates({ ...withoutDates, ...input }).map(({ name, on }) => `${on} ${name}`)

test('dates that are not set are omitted', () => expect(formattedDates({})).toEqual([]))

test('the dates are sorted by day', () => {
  const input = {
    batchClosesOn: '2027-04-20',
    orderBy: '2027-04-18',
    galleryExpiresOn: '2027-06-01',
    downloadsUntil: '2027-07-14',
  }
  expect(formattedDates(input)).toEqual([
    '2027-04-18 Last day to order more',
    '2027-04-20 Studio orders are collected until',
    '2027-06-01 Photos are online until',
    '2027-07-14 Download until',
  ])
})

test.each([
  [null, 'Order arrives about'],
  ['Lincoln Elementary', 'Order handed out about'],
])('the arrival at %j is among the dates', (place, name) => {
  const arrival = { from: '2027-04-22', to: '2027-04-25', place }
  expect(formattedDates({ arrival })).toEqual([`2027-04-22 ${name}`])
})

test('dates before the day of the order are omitted, and dates on that day are included', () => {
  expect(formattedDates({ orderBy: '2027-04-14', galleryExpiresOn: '2027-04-15' })).toEqual([
    '2027-04-15 Photos are online until',
  ])
})

test('the picture day is listed only for prepaid orders', () => {
  const pictureDay = '2027-05-01'
  expect(formattedDates({ pictureDay, orderMethod: 'prepay' })).toEqual(['2027-05-01 Picture day'])
  expect(formattedDates({ pictureDay })).toEqual([])
})

test('dates on the same day are listed in a fixed order', () => {
  expect(formattedDates({ galleryExpiresOn: '2027-05-01', orderBy: '2027-05-01' })).toEqual([
    '2027-05-01 Last day to order more',
    '2027-05-01 Photos are online until',
  ])
})
