import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/base.css'
import { watchOnline } from './device/online.ts'
import { watchPreloads } from './device/preload-failure.ts'
import { App } from './shell/app.tsx'
import { preloadAddress } from './shell/framed.tsx'
import { LandingContext, noLanding, readLanding } from './shell/landing.ts'
import { routesFor } from './shell/routes.tsx'

const landing = readLanding(document.getElementById('landing')?.textContent)
const routes = routesFor(landing ?? noLanding)

const page = (
  <StrictMode>
    <LandingContext value={landing ?? noLanding}>
      <App routes={routes} />
    </LandingContext>
  </StrictMode>
)

// A page the server made is taken over as it stands, once the screen's code is there; the worker's empty one is filled at once.
const show = async (root: HTMLElement) => {
  const coming = preloadAddress(routes, window.location.pathname + window.location.search)
  if (!landing || !root.firstElementChild) return createRoot(root).render(page)
  await coming
  hydrateRoot(root, page)
}

const startWorker = async () => {
  const worker = await import('./device/worker.ts')
  await worker.startWorker()
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
history.scrollRestoration = 'manual'
watchOnline(window)
watchPreloads(window)
void show(root)

// After the first paint: what the worker fetches must not stand in its way.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const start = () => setTimeout(() => void startWorker().catch(console.warn), 0)
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
}
