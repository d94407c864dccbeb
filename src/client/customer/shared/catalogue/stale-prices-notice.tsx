import { lazy, Suspense } from 'react'
import { useConnected } from '#platform/use-connected.ts'

const LazyStalePricesText = lazy(async () => ({ default: (await import('./stale-prices-text.tsx')).StalePricesText }))

/** Offline: how old the displayed prices are. */
export const StalePricesNotice = ({ className }: { className: string | undefined }) =>
  useConnected() ? null : (
    <Suspense fallback={null}>
      <LazyStalePricesText className={className} />
    </Suspense>
  )
