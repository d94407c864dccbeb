import { lazy, Suspense } from 'react'
import { useConnected } from './use-connected.ts'

const PricesAge = lazy(async () => ({ default: (await import('./prices-age.tsx')).PricesAge }))

/** Without a network: how old the prices on the screen are. */
export const PricesChecked = ({ className }: { className: string | undefined }) =>
  useConnected() ? null : (
    <Suspense fallback={null}>
      <PricesAge className={className} />
    </Suspense>
  )
