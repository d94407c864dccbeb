import { describe, expect, test } from 'vitest'
import { defaultPersonalization, defaultPersonalizationPrice } from '#domain/cart/personalization.ts'
import {
  alwaysEditableProductCodes,
  digitalProductCodes,
  isDigital,
  isFramed,
  neverCroppedProductCodes,
  orderMethods,
  organizationTypes,
  packageAddonTypes,
  printSizes,
  walletProductCodes,
} from '#domain/catalogue/catalogue.ts'
import { digitalLabelOf } from '#domain/catalogue/downloads.ts'
import { priorityShippingCode } from '#domain/pricing/shipping.ts'
import { imageTypes } from '#domain/printing/crop-aspect.ts'
import { fixFieldsMessage, validationMessages } from '#domain/shared/validators.ts'

describe('the constants of the catalogue (sections 3 and 9)', () => {
  test('the order methods, organization types, add-on types and image types are those of the specification', () => {
    expect(orderMethods).toEqual(['prepay', 'gallery'])
    expect(organizationTypes).toEqual(['sport', 'school'])
    expect(packageAddonTypes).toEqual(['standard', 'addon_standard', 'addon_price'])
    expect(imageTypes).toEqual(['hosted-individual', 'hosted-group'])
  })

  test('product codes of downloads have the labels of section 9', () => {
    expect(digitalProductCodes).toEqual(['SingleDigDown', 'WholeDigDown', 'Dj', 'Dk'])
    expect(digitalProductCodes.map(digitalLabelOf)).toEqual([
      'Single Digital Download',
      'Download All Images For Subject',
      'Single Digital Download',
      'Download All Images For Subject',
    ])
    expect(digitalProductCodes.every(isDigital)).toBe(true)
    expect(['8x10', 'BFs', 'dj', ''].some(isDigital)).toBe(false)
  })

  test('wallets and the larger print sizes up to 10x13 are those of section 9', () => {
    expect(walletProductCodes).toEqual(['BFs', 'MiniBFs'])
    expect(printSizes).toEqual(['3.5x5', '4x6', '5x7', '8x10', '10x13'])
  })

  test('product codes that are never cropped, or always editable, are those of the specification', () => {
    expect(neverCroppedProductCodes).toEqual(['Composite', 'ClassGroup'])
    expect(alwaysEditableProductCodes).toEqual(['MemoryMate', 'TraderCards'])
  })
})

test.each([
  ['Framed 5×7', '5x7', true],
  ['framed portrait', '8x10', true],
  ['8×10 (frame not included)', '8x10', false],
  ['Frame-ready 8×10', '8x10', false],
  ['Framed look, as a download', digitalProductCodes[0], false],
])('“%s” of product %s comes in a frame: %s', (name, productCode, expected) => {
  expect(isFramed({ name, productCode })).toBe(expected)
})

test('the shipping option for military addresses has the code priority (section 9)', () =>
  expect(priorityShippingCode).toBe('priority'))

test('a personalization costs 10 dollars and prints name and current year on all but wallets (section 9)', () => {
  expect(defaultPersonalizationPrice).toBe(10)
  expect(defaultPersonalization('2027-01-01T00:00:00.000Z')).toEqual({
    nameOnWallets: false,
    nameOnAllPrints: true,
    yearOnWallets: false,
    yearOnAllPrints: true,
    yearToPrint: '2027',
  })
})

test('the messages of the validators are exact (section 5)', () => {
  expect(validationMessages).toEqual({
    required: 'This field is required',
    requiredList: 'Requires at least 1 item',
    email: 'This value is not a valid email address',
    phone: 'This value is not a valid phone number',
    matches: "This value doesn't match",
  })
  expect(fixFieldsMessage).toBe('Please fix the fields marked below')
})
