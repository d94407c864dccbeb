import { expect, test } from 'vitest'
import { arrivalText, type DeliveryDays, deliveryDaysErrors, deliveryDaysMessages } from '#domain/orders/arrival.ts'

test('the text names the days of a mailed order, and the place and day of one that is handed out', () => {
  expect(arrivalText({ from: '2026-12-08', to: '2026-12-12', place: null })).toBe('Arrives about 12/08–12/12')
  expect(arrivalText({ from: '2026-12-08', to: '2026-12-08', place: null })).toBe('Arrives about 12/08')
  expect(arrivalText({ from: '2026-12-15', to: '2026-12-15', place: 'Lincoln Elementary' })).toBe(
    'Handed out at Lincoln Elementary about 12/15',
  )
})

const days = (deliveryDaysFrom: number | null, deliveryDaysTo: number | null): DeliveryDays => ({
  deliveryDaysFrom,
  deliveryDaysTo,
})

test.each<[DeliveryDays, object]>([
  [days(null, null), {}],
  [days(5, 5), {}],
  [days(0, 120), {}],
  [days(-1, 5), { deliveryDaysFrom: [deliveryDaysMessages.range] }],
  [days(Number.NaN, 5), { deliveryDaysFrom: [deliveryDaysMessages.range] }],
  [days(5, 121), { deliveryDaysTo: [deliveryDaysMessages.range] }],
  [days(1.5, 5), { deliveryDaysFrom: [deliveryDaysMessages.range] }],
  [days(null, 5), { deliveryDaysFrom: [deliveryDaysMessages.both] }],
  [days(5, null), { deliveryDaysTo: [deliveryDaysMessages.both] }],
  [days(6, 5), { deliveryDaysTo: [deliveryDaysMessages.reversed] }],
])('the days %j have the errors %j', (input, errors) => {
  expect(deliveryDaysErrors(input)).toEqual(errors)
})
