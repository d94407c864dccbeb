import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/base.css'
import { watchOnline } from './device/online.ts'
import { watchPreloads } from './device/preload-failure.ts'
import { App } from './shell/app.tsx'
import { LandingContext, noLanding, readLanding } from './shell/landing.ts'
import { routes } from './shell/routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

const landing = readLanding(document.getElementById('landing')?.textContent)
const page = (
  <StrictMode>
    <LandingContext value={landing ?? noLanding}>
      <App routes={routes} />
    </LandingContext>
  </StrictMode>
)

history.scrollRestoration = 'manual'
watchOnline(window)
watchPreloads(window)

// A page the server made is taken over as it stands; the worker's empty one is filled here.
if (landing && root.firstElementChild) hydrateRoot(root, page)
else createRoot(root).render(page)

const startLater = async () => {
  const { startWorker } = await import('./device/worker.ts')
  await startWorker()
}

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const start = () => setTimeout(() => void startLater().catch(console.warn), 0)
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
}
