import { Suspense, useDeferredValue } from 'react'
import { ConfirmHost } from '../ui/confirm-host.tsx'
import { Loader } from '../ui/loader.tsx'
import { ToastHost } from '../ui/toast-host.tsx'
import { Arrived } from './arrived.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Framed } from './framed.tsx'
import { matchAddress } from './match.ts'
import { NotFound } from './not-found.tsx'
import { PreloadOnIntent } from './preload-on-intent.tsx'
import type { Route } from './route.tsx'
import { UpdateHost } from './update-host.tsx'
import { useAddress } from './use-address.ts'

/**
 * The screen of the address. It follows the address only once the next screen's code has come: until then the last one stays,
 * instead of an empty page.
 */
const Screens = ({ routes }: { routes: readonly Route[] }) => {
  const address = useDeferredValue(useAddress())
  const matched = matchAddress(routes, address)
  return (
    <ErrorBoundary address={address}>
      <Suspense fallback={<Loader />}>
        {matched ? <Framed {...matched} /> : <NotFound />}
        <Arrived address={address} title={matched ? matched.route.title : 'Not found'} />
      </Suspense>
    </ErrorBoundary>
  )
}

/** The whole page: the screen of the address, and the hosts of what floats above it. */
export const App = ({ routes }: { routes: readonly Route[] }) => (
  <>
    <Screens routes={routes} />
    <PreloadOnIntent routes={routes} />
    <UpdateHost />
    <ToastHost />
    <ConfirmHost />
  </>
)
