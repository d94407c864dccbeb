import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/base.css'
import { App } from './app/app.tsx'
import { replaceFirstView } from './app/first-view.ts'
import { landingRoutes } from './app/landing-routes.tsx'
import { matchRoute } from './app/match-route.ts'
import { preloadScreen } from './app/preload-on-intent.tsx'
import { resumeSync } from './app/resume-sync.ts'
import { startCodePage } from './app/start-code-page.ts'
import { notifyCacheUpdate } from './platform/api/cache-updates.ts'
import { preloadStudio } from './platform/api/preload-studio.ts'
import { watchInstallPrompt } from './platform/install-prompt.ts'
import { LandingContext, noLanding, readLanding } from './platform/landing.ts'
import { watchOnline } from './platform/online.ts'
import { watchPreloadErrors } from './platform/reload-on-preload-error.ts'
import { startServiceWorker } from './platform/service-worker/register-service-worker.ts'

const landing = readLanding(document.getElementById('landing')?.textContent, window.location.pathname)
const routes = landingRoutes(landing ?? noLanding)

const page = (
  <StrictMode>
    <LandingContext value={landing ?? noLanding}>
      <App routes={routes} />
    </LandingContext>
  </StrictMode>
)

/**
 * Shows the screen: a prerendered page is hydrated once the screen's code is loaded; the worker's empty page is rendered
 * at once. Resolves when the screen's code is loaded.
 */
const show = async (root: HTMLElement) => {
  replaceFirstView()
  const code = document.getElementById('code-page')
  if (code) await startCodePage(code)
  const address = window.location.pathname + window.location.search
  const preload = preloadScreen(routes, address)
  const { studioSlug } = matchRoute(routes, address)?.input.params ?? {}
  if (!landing && studioSlug) preloadStudio(studioSlug)
  const isPrerendered = landing && root.firstElementChild
  if (!isPrerendered) createRoot(root).render(page)
  await preload
  if (!isPrerendered) return
  // A transition hydrates in slices, between which the page can react to taps. The click below, if there is one, hydrates the rest at once.
  startTransition(() => void hydrateRoot(root, page))
  window.earlyButton?.click()
}

// Not needed for the first paint: sending changes left on the device, and registering the worker.
const startBackgroundWork = () => {
  resumeSync().catch(console.warn)
  if (import.meta.env.PROD && 'serviceWorker' in navigator) startServiceWorker(notifyCacheUpdate).catch(console.warn)
}

const root = document.getElementById('root')
if (!root) throw new Error('no #root')
history.scrollRestoration = 'manual'
watchOnline(window)
watchPreloadErrors(window)
watchInstallPrompt(window)

// Only then, so that the files which the worker stores do not delay those of the screen.
const scheduleBackgroundWork = () => setTimeout(startBackgroundWork, 0)
void show(root).then(() => {
  if (document.readyState === 'complete') scheduleBackgroundWork()
  else window.addEventListener('load', scheduleBackgroundWork, { once: true })
})
