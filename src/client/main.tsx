import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/base.css'
import { App } from './app/app.tsx'
import { landingRoutes } from './app/landing-routes.tsx'
import { matchAddress } from './app/match-route.ts'
import { preloadAddress } from './app/preload-screen.ts'
import { resumeSending } from './app/resume-sync.ts'
import { announceChange } from './platform/api/cache-updates.ts'
import { askAhead } from './platform/api/preload-studio.ts'
import { watchInstall } from './platform/install-prompt.ts'
import { LandingContext, noLanding, readLanding } from './platform/landing.ts'
import { watchOnline } from './platform/online.ts'
import { watchPreloads } from './platform/reload-on-preload-error.ts'
import { startWorker } from './platform/service-worker/register-service-worker.ts'

const landing = readLanding(document.getElementById('landing')?.textContent, window.location.pathname)
const routes = landingRoutes(landing ?? noLanding)

const page = (
  <StrictMode>
    <LandingContext value={landing ?? noLanding}>
      <App routes={routes} />
    </LandingContext>
  </StrictMode>
)

// A page the server made is taken over as it stands, once the screen's code is there; the worker's empty one is filled at once.
const show = async (root: HTMLElement) => {
  const address = window.location.pathname + window.location.search
  const coming = preloadAddress(routes, address)
  const { studioSlug } = matchAddress(routes, address)?.found.params ?? {}
  if (!landing && studioSlug) askAhead(studioSlug)
  if (!landing || !root.firstElementChild) return createRoot(root).render(page)
  await coming
  hydrateRoot(root, page)
}

// What the first paint does not need: sending what a visit before this one left on the device, and the worker, which waits for nothing of it.
const startLater = () => {
  resumeSending().catch(console.warn)
  if (import.meta.env.PROD && 'serviceWorker' in navigator) startWorker(announceChange).catch(console.warn)
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
history.scrollRestoration = 'manual'
watchOnline(window)
watchPreloads(window)
watchInstall(window)
void show(root)

const soon = () => setTimeout(startLater, 0)
if (document.readyState === 'complete') soon()
else window.addEventListener('load', soon, { once: true })
