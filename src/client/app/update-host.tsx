import { lazy, Suspense } from 'react'
import { update } from '#platform/service-worker/app-update.ts'
import { useSignal } from '#platform/signal.ts'
import { useAddress } from '#platform/use-current-url.ts'

const UpdateBanner = lazy(async () => ({ default: (await import('./update-banner.tsx')).UpdateBanner }))

const paying = /^\/[^/]+\/\d+\/checkout\b/

/** Shows that a new version waits, once one does; not to somebody who is paying. */
export const UpdateHost = () => {
  const waiting = useSignal(update)
  const address = useAddress()
  if (!waiting || paying.test(address)) return null
  return (
    <Suspense>
      <UpdateBanner accept={waiting.accept} />
    </Suspense>
  )
}
