import { act, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AddressSuggestion } from '#client/customer/checkout/form/address-suggestion.tsx'
import type { CheckoutFormValues } from '#client/customer/checkout/form/checkout-form-values.ts'
import { click, getButton, render } from '#support/rendering/render.tsx'
import { filledForm } from '../checkout-examples.ts'

const suggested = { address1: '12 Analytical Way', address2: '', city: 'APO', state: 'AE', zip: '09001' }
const military = { ...filledForm.billingAddress, city: 'apo', state: 'AP', zip: '09001' }

let asked: unknown[]
let response: object | null

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  response = { faults: {}, suggestion: suggested }
  vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) => {
    asked.push(JSON.parse(String(init?.body)))
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
const Drawn = ({ start }: { start: CheckoutFormValues }) => {
  const [now, set] = useState(start)
  form = now
  change = (next) => set(next)
  return <AddressSuggestion jobId={1} part="billingAddress" fields={{ form: now, errors: {}, change }} />
}
const rest = (milliseconds = 1000) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const draw = async (address: CheckoutFormValues['billingAddress']) => {
  render(<Drawn start={{ ...filledForm, billingAddress: address }} />)
  await rest()
}
const words = () => document.body.textContent

test('an address suggestion is requested once the address is complete and unchanged for a moment, and accepted with one tap', async () => {
  await draw({ ...military, zip: '0900' })
  expect(asked).toEqual([])
  act(() => change((before) => ({ ...before, billingAddress: military })))
  await rest(700)
  expect(asked).toEqual([])
  await rest(200)
  expect(asked).toEqual([{ address1: '12 Analytical Way', address2: '', city: 'apo', state: 'AP', zip: '09001' }])
  expect(words()).toContain('12 Analytical Way, APO, AE 09001')
  response = { faults: {}, suggestion: null }
  click(getButton('Use this address'))
  expect(form.billingAddress).toEqual({ ...military, ...suggested })
  await rest()
  expect(words()).toBe('')
})

test('a dismissed suggestion is not shown again for the same address', async () => {
  await draw(military)
  click(getButton('Keep mine'))
  expect(words()).toBe('')
  expect(form.billingAddress).toEqual(military)
  act(() => change((before) => ({ ...before, billingAddress: { ...military, city: 'FPO' } })))
  await rest()
  expect(words()).toContain('The post writes this address like this')
  act(() => change((before) => ({ ...before, billingAddress: military })))
  await rest()
  expect(words()).toBe('')
  expect(asked).toHaveLength(2)
})

test('an invalid address is reported until it is corrected, and cannot be dismissed', async () => {
  response = { faults: { zip: 'This ZIP code is not in AP' }, suggestion: suggested }
  await draw(military)
  expect(words()).toContain('This ZIP code is not in AP')
  expect(document.querySelectorAll('button')).toHaveLength(1)
  response = { faults: { zip: 'This ZIP code is not in OH' }, suggestion: null }
  act(() => change((before) => ({ ...before, billingAddress: { ...military, city: 'Dayton', state: 'OH' } })))
  await rest()
  expect(words()).toBe('This ZIP code is not in OH')
  response = { faults: {}, suggestion: null }
  act(() => change((before) => ({ ...before, billingAddress: { ...military, city: 'Dayton', zip: '45402' } })))
  await rest()
  expect(words()).toBe('')
})

test('address validation blocks nothing if it is unavailable', async () => {
  response = null
  await draw(military)
  expect(asked).toHaveLength(1)
  expect(words()).toBe('')
})
