import type { Browser, BrowserContext, Page } from 'playwright'
import { type FaultPlan, noFaults } from '#support/network/fault-plans.ts'
import type { NetworkProxy } from '#support/network/network-proxy.ts'
import type { LimitedFigure } from './slow-phone-loading.ts'

const isFile = (path: string): boolean => path.startsWith('/assets/')

/** Lets requests through until the file with this number, and refuses that file and every later request. */
const refuseFromFile = (number: number): FaultPlan => {
  let remaining = number
  return ({ path }) => {
    if (remaining > 0 && isFile(path)) remaining -= 1
    return remaining > 0 ? 'none' : 'refuse'
  }
}

/** Records the states of the service worker that this page installs. */
const recordWorkerState = (): void => {
  const { serviceWorker } = navigator
  if (!serviceWorker) return
  const register = serviceWorker.register.bind(serviceWorker)
  serviceWorker.register = async (...args) => {
    const registration = await register(...args)
    const worker = registration.installing ?? registration.active
    const recordState = () => Object.assign(window, { workerState: worker?.state })
    worker?.addEventListener('statechange', recordState)
    recordState()
    return registration
  }
}

const waitForWorkerState = async (page: Page, state: 'redundant' | 'activated'): Promise<void> => {
  await page.waitForFunction((expected) => 'workerState' in window && window.workerState === expected, state)
}

/** A first visit whose install stops at the tenth file, and a second visit that completes it. */
const installTwice = async (context: BrowserContext, proxy: NetworkProxy): Promise<void> => {
  await context.addInitScript(recordWorkerState)
  const page = await context.newPage()
  const script = proxy.nextRequest(/^GET \/sw\.js$/)
  await page.goto('/riverside')
  await script
  proxy.setFaultPlan(refuseFromFile(10))
  await waitForWorkerState(page, 'redundant')
  proxy.setFaultPlan(noFaults)
  await page.goto('/riverside')
  await waitForWorkerState(page, 'activated')
}

/** Counts the files of the product that were fetched again although their first response had arrived. */
export const measureInterruptedInstall = async (browser: Browser, proxy: NetworkProxy): Promise<LimitedFigure> => {
  const context = await browser.newContext({ baseURL: proxy.url })
  const requestsBefore = proxy.requests.length
  await installTwice(context, proxy)
  await context.close()
  const fileRequests = proxy.requests.slice(requestsBefore).filter(({ path }) => isFile(path))
  if (!fileRequests.some(({ fault }) => fault === 'refuse')) throw new Error('the install was not interrupted')
  const fetchedPaths = fileRequests.filter(({ fault }) => fault === 'none').map(({ path }) => path)
  return {
    name: 'files fetched twice by an interrupted install',
    value: fetchedPaths.length - new Set(fetchedPaths).size,
    limit: 0,
    unit: '',
  }
}
