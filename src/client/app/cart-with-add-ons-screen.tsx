import { Suspense } from 'react'
import type { CustomerRoute } from '#platform/urls.ts'
import { lazyWhenIdle } from '#platform/when-idle.ts'
import { CartScreen } from '../customer/cart/cart-screen.tsx'

const CartAddOns = lazyWhenIdle(async () => (await import('../customer/packages/offers/cart-add-ons.tsx')).CartAddOns)

/** The cart, where add-ons are offered for each subject. */
export const CartWithAddOnsScreen = (route: CustomerRoute) => (
  <CartScreen
    {...route}
    renderAddOns={(subject) => (
      <Suspense>
        <CartAddOns {...subject} />
      </Suspense>
    )}
  />
)
