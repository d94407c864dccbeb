import { act, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AddressSuggestion } from '#client/customer/checkout/form/address-suggestion.tsx'
import type { CheckoutFormValues } from '#client/customer/checkout/form/checkout-form-values.ts'
import { click, getButton, render } from '#support/rendering/render.tsx'
import { filledForm } from '../checkout-examples.ts'

const suggested = { address1: '12 Analytical Way', address2: '', city: 'APO', state: 'AE', zip: '09001' }
const military = { ...filledForm.billingAddress, city: 'apo', state: 'AP', zip: '09001' }

let requestBodies: unknown[]
let response: object | null

beforeEach(() => {
  vi.useFakeTimers()
  requestBodies = []
  response = { faults: {}, suggestion: suggested }
  vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) => {
    requestBodies.push(JSON.parse(String(init?.body)))
    if (!response) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify({ data: response }))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

let form: CheckoutFormValues
let change: (next: (before: CheckoutFormValues) => CheckoutFormValues) => void
const AddressForm = ({ start }: { start: CheckoutFormValues }) => {
  const [values, setValues] = useState(start)
  form = values
  change = (next) => setValues(next)
  return <AddressSuggestion jobId={1} part="billingAddress" fields={{ form: values, errors: {}, change }} />
}
const advance = (milliseconds = 1000) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const renderForm = async (address: CheckoutFormValues['billingAddress']) => {
  render(<AddressForm start={{ ...filledForm, billingAddress: address }} />)
  await advance()
}
const pageText = () => document.body.textContent

test('an address suggestion is requested once the address is complete and unchanged for a moment, and accepted with one tap', async () => {
  await renderForm({ ...military, zip: '0900' })
  expect(requestBodies).toEqual([])
  act(() => change((before) => ({ ...before, billingAddress: military })))
  await advance(700)
  expect(requestBodies).toEqual([])
  await advance(200)
  expect(requestBodies).toEqual([
    { address1: '12 Analytical Way', address2: '', city: 'apo', state: 'AP', zip: '09001' },
  ])
  expect(pageText()).toContain('12 Analytical Way, APO, AE 09001')
  response = { faults: {}, suggestion: null }
  click(getButton('Use this address'))
  expect(form.billingAddress).toEqual({ ...military, ...suggested })
  await advance()
  expect(pageText()).toBe('')
})

test('a dismissed suggestion is not shown again for the same address', async () => {
  await renderForm(military)
  click(getButton('Keep mine'))
  expect(pageText()).toBe('')
  expect(form.billingAddress).toEqual(military)
  act(() => change((before) => ({ ...before, billingAddress: { ...military, city: 'FPO' } })))
  await advance()
  expect(pageText()).toContain('Suggested address')
  act(() => change((before) => ({ ...before, billingAddress: military })))
  await advance()
  expect(pageText()).toBe('')
  expect(requestBodies).toHaveLength(2)
})

test('an invalid address is reported until it is corrected, and cannot be dismissed', async () => {
  response = { faults: { zip: 'This ZIP code is not in AP' }, suggestion: suggested }
  await renderForm(military)
  expect(pageText()).toContain('This ZIP code is not in AP')
  expect(document.querySelectorAll('button')).toHaveLength(1)
  response = { faults: { zip: 'This ZIP code is not in OH' }, suggestion: null }
  act(() => change((before) => ({ ...before, billingAddress: { ...military, city: 'Dayton', state: 'OH' } })))
  await advance()
  expect(pageText()).toBe('This ZIP code is not in OH')
  response = { faults: {}, suggestion: null }
  act(() => change((before) => ({ ...before, billingAddress: { ...military, city: 'Dayton', zip: '45402' } })))
  await advance()
  expect(pageText()).toBe('')
})

test('address validation blocks nothing if it is unavailable', async () => {
  response = null
  await renderForm(military)
  expect(requestBodies).toHaveLength(1)
  expect(pageText()).toBe('')
})
