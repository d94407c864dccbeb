import { lazy, Suspense, useDeferredValue } from 'react'
import type { Route } from '#platform/define-route.tsx'
import { useCurrentUrl } from '#platform/use-current-url.ts'
import { ConfirmHost } from '#ui/dialog/confirm-host.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { RouteAnnouncer } from '#ui/page/route-announcer.tsx'
import { ToastHost } from '#ui/toast/toast-host.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { matchRoute } from './match-route.ts'
import { PreloadOnIntent } from './preload-on-intent.tsx'
import { UpdateHost } from './update-host.tsx'

const Rest = lazy(async () => ({ default: (await import('./app-screens.tsx')).AppScreens }))

const Screen = ({ routes, address }: { routes: readonly Route[]; address: string }) => {
  const landing = matchRoute(routes, address)
  if (!landing) return <Rest address={address} />
  return (
    <>
      {landing.route.render(landing.found)}
      <RouteAnnouncer address={address} title={landing.route.title} />
    </>
  )
}

/**
 * The screen of the address. It follows the address only once the next screen's code has come: until then the last one stays,
 * instead of an empty page.
 */
const Screens = ({ routes }: { routes: readonly Route[] }) => {
  const address = useDeferredValue(useCurrentUrl())
  return (
    <ErrorBoundary address={address}>
      <Suspense fallback={<Loader />}>
        <Screen routes={routes} address={address} />
      </Suspense>
    </ErrorBoundary>
  )
}

/** The whole page: the screen of the address, and the hosts of what floats above it. `routes` are the landing pages'. */
export const App = ({ routes }: { routes: readonly Route[] }) => (
  <>
    <Screens routes={routes} />
    <PreloadOnIntent routes={routes} />
    <UpdateHost />
    <ToastHost />
    <ConfirmHost />
  </>
)
