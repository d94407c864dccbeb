import { act } from 'react'
import { expect, test, vi } from 'vitest'
import type { WalletAmounts } from '#client/customer/checkout/card/card-provider.ts'
import { useWalletPricing } from '#client/customer/checkout/card/use-wallet-pricing.ts'
import type { CheckoutFormValues } from '#client/customer/checkout/form/checkout-form-values.ts'
import type { CheckoutState } from '#client/customer/checkout/use-checkout.ts'
import { render } from '#support/rendering/render.tsx'
import { checkoutStateWith, filledForm, totals } from '../checkout-examples.ts'

const dayton = { city: 'Dayton', state: 'OH', zip: '45402' }

type Pricing = ReturnType<typeof useWalletPricing>

const renderPricing = () => {
  let pricing: Pricing | undefined
  let form: CheckoutFormValues = { ...filledForm, sameAsBilling: false }
  const Probe = ({ state }: { state: CheckoutState }) => {
    pricing = useWalletPricing(state)
    return null
  }
  const stateWith = (overrides: Partial<CheckoutState['pricing']>): CheckoutState => {
    const state = checkoutStateWith(form)
    return {
      ...{ ...state, pricing: { ...state.pricing, ...overrides } },
      draft: {
        ...state.draft,
        change: (next) => {
          form = next(form)
        },
      },
    }
  }
  const { rerender } = render(<Probe state={stateWith({ totals })} />)
  return {
    priceAt: (place: typeof dayton): Promise<WalletAmounts | null> => {
      let priced: Promise<WalletAmounts | null> = Promise.resolve(null)
      act(() => {
        priced = (pricing as Pricing).priceAt(place)
      })
      return priced
    },
    form: () => form,
    restore: () => act(() => (pricing as Pricing).restore()),
    show: (overrides: Partial<CheckoutState['pricing']>) => rerender(<Probe state={stateWith(overrides)} />),
  }
}

test('a place is filled in, and answered with the totals of the form that has it', async () => {
  const { priceAt, form, show } = renderPricing()
  const priced = priceAt(dayton)
  expect(form()).toMatchObject({ billingAddress: { ...filledForm.billingAddress, ...dayton }, sameAsBilling: true })
  show({ totals: undefined })
  show({ totals: { ...totals, taxCents: 188, totalCents: 3183 } })
  expect(await priced).toEqual({
    ...{ shippingCents: 495, taxCents: 188, totalCents: 3183 },
    deliveryName: 'Standard Shipping',
  })
})

test('a place that cannot be priced is answered with null, and so is one that another replaces', async () => {
  const { priceAt, show } = renderPricing()
  const [replaced, failed] = [priceAt({ ...dayton, zip: '45403' }), priceAt(dayton)]
  expect(await replaced).toBeNull()
  const settled = vi.fn()
  void failed.then(settled)
  show({ totals: undefined })
  await Promise.resolve()
  expect(settled).not.toHaveBeenCalled()
  show({ totals: undefined, problem: { ok: false, status: 0, errors: [], problem: null } as never })
  expect(await failed).toBeNull()
})

test('what was typed is restored if the owner does not approve', async () => {
  const { priceAt, form, restore } = renderPricing()
  const typed = form()
  const priced = priceAt(dayton)
  restore()
  expect(await priced).toBeNull()
  expect(form()).toEqual(typed)
})

test('a place whose totals never come is answered after fifteen seconds', async () => {
  vi.useFakeTimers()
  try {
    const { priceAt, show } = renderPricing()
    const priced = priceAt(dayton)
    show({ totals: undefined })
    act(() => void vi.advanceTimersByTime(15_000))
    expect(await priced).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})
