import { lazy, Suspense } from 'react'
import { useSignal } from '../device/signal.ts'
import { update } from '../device/updates.ts'

const UpdateBanner = lazy(async () => ({ default: (await import('./update-banner.tsx')).UpdateBanner }))

/** Shows that a new version waits, once one does. */
export const UpdateHost = () => {
  const waiting = useSignal(update)
  if (!waiting) return null
  return (
    <Suspense>
      <UpdateBanner accept={waiting.accept} />
    </Suspense>
  )
}
