import { lazy, Suspense, useDeferredValue } from 'react'
import { useRouter } from 'wouter'
import { ConfirmHost } from '../ui/confirm-host.tsx'
import { Loader } from '../ui/loader.tsx'
import { ToastHost } from '../ui/toast-host.tsx'
import { Arrived } from './arrived.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { type Matched, matchAddress } from './match.ts'
import { NotFoundScreen } from './not-found-screen.tsx'
import { PreloadOnIntent } from './preload-on-intent.tsx'
import { readCustomer } from './readers.ts'
import type { Route } from './route.tsx'
import { UpdateHost } from './update-host.tsx'
import { useAddress } from './use-address.ts'

const CustomerLayout = lazy(async () => ({ default: (await import('../customer/layout.tsx')).CustomerLayout }))

// The layout stays mounted from screen to screen of one event; another event starts it anew.
const Framed = ({ route, found }: Matched) => {
  const screen = route.render(found)
  if (route.frame === 'plain') return screen
  const place = readCustomer(found)
  return (
    <CustomerLayout key={`${place.studioSlug}/${place.jobId}`} {...place} frame={route.frame}>
      {screen}
    </CustomerLayout>
  )
}

/**
 * The screen of the address. It follows the address only once the next screen's code has come: until then the last one stays,
 * instead of an empty page.
 */
const Screens = ({ routes }: { routes: readonly Route[] }) => {
  const address = useDeferredValue(useAddress())
  const { parser } = useRouter()
  const matched = matchAddress(routes, parser, address)
  return (
    <ErrorBoundary address={address}>
      <Suspense fallback={<Loader />}>
        {matched ? <Framed {...matched} /> : <NotFoundScreen />}
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
