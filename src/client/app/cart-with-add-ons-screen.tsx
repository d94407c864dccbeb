import { Suspense } from 'react'
import type { CustomerRoute } from '#platform/urls.ts'
import { lazyWhenIdle } from '#platform/when-idle.ts'
import { CartScreen } from '../customer/cart/cart-screen.tsx'

const CartAddOns = lazyWhenIdle(async () => (await import('../customer/packages/offers/cart-add-ons.tsx')).CartAddOns)

const ReminderButton = lazyWhenIdle(
  async () => (await import('../customer/reminders/reminder-button.tsx')).ReminderButton,
)

/** The cart, where add-ons are offered for each subject, and reminders by email. */
export const CartWithAddOnsScreen = (route: CustomerRoute) => (
  <CartScreen
    {...route}
    reminder={
      <Suspense>
        <ReminderButton />
      </Suspense>
    }
    renderAddOns={(subject) => (
      <Suspense>
        <CartAddOns {...subject} />
      </Suspense>
    )}
  />
)
