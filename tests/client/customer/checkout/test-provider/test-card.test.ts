import { describe, expect, test } from 'vitest'
import {
  cardMessages,
  formatCardNumber,
  formatCvc,
  formatExpiry,
  lastFourDigits,
  testTokenFor,
  validateTestCard,
} from '#client/customer/checkout/test-provider/test-card.ts'

const validCard = { number: '4242 4242 4242 4242', expiry: '04/31', cvc: '123' }
const today = new Date(2027, 3, 15)

test.each([
  ['4242 4242 4242 4242', 'test_visa'],
  ['4000000000000002', 'test_declined'],
  ['4000 0000 0000 9995', 'test_insufficient'],
  ['4000-0025-0000-3155', 'test_authenticate'],
  ['4111 1111 1111 1111', null],
  ['4242 4242 4242 424', null],
  ['', null],
])('the card number %j has the token %j', (number, token) => {
  expect(testTokenFor(number)).toBe(token)
})

describe('formatting of card input', () => {
  test.each([
    ['4242', '4242'],
    ['42424', '4242 4'],
    ['4242424242424242', '4242 4242 4242 4242'],
    ['4242-4242 4242x4242', '4242 4242 4242 4242'],
  ])('groups the number %j as %j', (text, grouped) => {
    expect(formatCardNumber(text)).toBe(grouped)
  })

  test.each([
    ['0', '0'],
    ['04', '04'],
    ['043', '04/3'],
    ['0431', '04/31'],
    ['4', '04'],
    ['4/31', '04/31'],
    ['04 / 31', '04/31'],
    ['04/2031', '04/31'],
    ['04/', '04/'],
  ])('formats the expiry %j as %j', (text, formatted) => {
    expect(formatExpiry(text)).toBe(formatted)
  })

  test('limits the security code to four digits', () => {
    expect(formatCvc('12a345')).toBe('1234')
  })
})

test('lastFourDigits returns the last four digits of a card number', () => {
  expect(lastFourDigits(validCard.number)).toBe('4242')
})

test('a valid card has no errors', () => {
  expect(validateTestCard(validCard, today)).toEqual({})
})

test.each([
  ['no input', { number: '', expiry: '', cvc: ' ' }, ['number', 'expiry', 'cvc'], 'This field is required'],
  ['an unknown number', { ...validCard, number: '4111 1111 1111 1111' }, ['number'], cardMessages.unknown],
  ['a thirteenth month', { ...validCard, expiry: '13/31' }, ['expiry'], cardMessages.expiry],
  ['an incomplete expiry', { ...validCard, expiry: '04/3' }, ['expiry'], cardMessages.expiry],
  ['an expiry of last month', { ...validCard, expiry: '03/27' }, ['expiry'], cardMessages.expired],
  ['a two-digit security code', { ...validCard, cvc: '12' }, ['cvc'], cardMessages.cvc],
])('a card with %s shows that error', (_, card, fields, message) => {
  expect(validateTestCard(card, today)).toEqual(Object.fromEntries(fields.map((field) => [field, [message]])))
})

test('a card is valid to the last day of its month', () => {
  expect(validateTestCard({ ...validCard, expiry: '04/27' }, new Date(2027, 3, 30))).toEqual({})
})
