import { lazy, Suspense, useDeferredValue } from 'react'
import { useCurrentUrl } from '#client/app/match-route.ts'
import type { Route } from '#platform/define-route.tsx'
import { ConfirmHost } from '#ui/dialog/confirm-host.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { RouteAnnouncer } from '#ui/page/route-announcer.tsx'
import { ToastHost } from '#ui/toast/toast-host.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { matchRoute } from './match-route.ts'
import { PreloadOnIntent } from './preload-on-intent.tsx'
import { UpdateHost } from './update-host.tsx'

const AppScreens = lazy(async () => ({ default: (await import('./app-screens.tsx')).AppScreens }))

const Screen = ({ routes, address }: { routes: readonly Route[]; address: string }) => {
  const landing = matchRoute(routes, address)
  if (!landing) return <AppScreens address={address} />
  return (
    <>
      {landing.route.render(landing.input)}
      <RouteAnnouncer address={address} title={landing.route.title} />
    </>
  )
}

/**
 * Renders the screen of the current URL. Keeps the previous screen until the next one's code has loaded, instead of
 * showing an empty page.
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

/** The whole page: the current screen, and the hosts for dialogs and toasts. `routes` are the landing routes. */
export const App = ({ routes }: { routes: readonly Route[] }) => (
  <>
    <Screens routes={routes} />
    <PreloadOnIntent routes={routes} />
    <UpdateHost />
    <ToastHost />
    <ConfirmHost />
  </>
)
