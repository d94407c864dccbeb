import 'fake-indexeddb/auto'
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import {
  checkoutDraftKey,
  emptyCheckoutForm,
  formFromDraft,
} from '#client/customer/checkout/form/checkout-form-values.ts'
import { type CheckoutDraft, useCheckoutDraft } from '#client/customer/checkout/form/use-checkout-draft.ts'
import { readDraft } from '#local/store/device-entries.ts'
import { database } from '#platform/database.ts'
import { render, waitForPage } from '#support/rendering/render.tsx'
import { filledForm } from '../checkout-examples.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const

let draft: CheckoutDraft
const DraftForm = () => {
  draft = useCheckoutDraft(key)
  return <p>{draft.form?.customer.name}</p>
}

test('input is stored as it is typed and restored after a reload', async () => {
  const { rerender } = render(<DraftForm />)
  await waitForPage(() => expect(draft.form).toEqual(emptyCheckoutForm))
  act(() => draft.change(() => filledForm))
  await vi.waitFor(async () => expect(await readDraft(database, checkoutDraftKey(key))).toEqual(filledForm))
  rerender(<p />)
  const { box } = render(<DraftForm />)
  await waitForPage(() => expect(draft.form).toEqual(filledForm))
  expect(box.textContent).toBe('Annabella Byron')
})

test('unmounting stores the latest input', async () => {
  const { rerender } = render(<DraftForm />)
  await waitForPage(() => expect(draft.form).toBeDefined())
  const renamed = { ...filledForm, customer: { ...filledForm.customer, name: 'Ada' } }
  act(() => draft.change(() => renamed))
  rerender(<p />)
  await vi.waitFor(async () => expect(await readDraft(database, checkoutDraftKey(key))).toEqual(renamed))
})

test('input is stored without delay', async () => {
  render(<DraftForm />)
  await waitForPage(() => expect(draft.form).toBeDefined())
  const renamed = { ...filledForm, customer: { ...filledForm.customer, name: 'Grace' } }
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  act(() => draft.change(() => renamed))
  vi.advanceTimersByTime(1)
  vi.useRealTimers()
  await vi.waitFor(async () => expect(await readDraft(database, checkoutDraftKey(key))).toEqual(renamed))
})

test.each([
  ['missing', undefined, emptyCheckoutForm],
  ['invalid', 'x', emptyCheckoutForm],
  [
    'incomplete',
    { customer: { firstName: 'Ada', email: 7 } },
    { ...emptyCheckoutForm, customer: { ...emptyCheckoutForm.customer, name: 'Ada' } },
  ],
])('a draft that is %s is read as far as possible', (_, stored, form) => {
  expect(formFromDraft(stored)).toEqual(form)
})
