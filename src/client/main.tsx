import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/base.css'
import { announceChange } from './device/changes.ts'
import { watchInstall } from './device/install.ts'
import { watchOnline } from './device/online.ts'
import { watchPreloads } from './device/preload-failure.ts'
import { resumeSending } from './device/resume-sending.ts'
import { startWorker } from './device/worker.ts'
import { App } from './shell/app.tsx'
import { LandingContext, noLanding, readLanding } from './shell/landing.ts'
import { landingRoutes } from './shell/landing-routes.tsx'
import { matchAddress } from './shell/match.ts'
import { preloadAddress } from './shell/preload-address.ts'
import { askAhead } from './shell/studio-ahead.ts'

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
