import { lazy, Suspense } from 'react'
import { useConnected } from '#platform/use-connected.ts'

const PricesAge = lazy(async () => ({ default: (await import('./stale-prices-text.tsx')).StalePricesText }))

/** Without a network: how old the prices on the screen are. */
export const StalePricesNotice = ({ className }: { className: string | undefined }) =>
  useConnected() ? null : (
    <Suspense fallback={null}>
      <PricesAge className={className} />
    </Suspense>
  )
