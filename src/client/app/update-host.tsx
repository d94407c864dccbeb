import { lazy, Suspense } from 'react'
import { useCurrentUrl } from '#client/app/match-route.ts'
import { pendingUpdate } from '#platform/api/cache-updates.ts'
import { useSignal } from '#platform/signal.ts'

const UpdateBanner = lazy(async () => ({ default: (await import('./update-banner.tsx')).UpdateBanner }))

const checkoutPattern = /^\/[^/]+\/\d+\/checkout\b/

/** Shows that a new version is waiting, but not during checkout. */
export const UpdateHost = () => {
  const update = useSignal(pendingUpdate)
  const address = useCurrentUrl()
  if (!update || checkoutPattern.test(address)) return null
  return (
    <Suspense>
      <UpdateBanner accept={update.accept} />
    </Suspense>
  )
}
