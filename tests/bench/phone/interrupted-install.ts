import type { Browser, BrowserContext, Page } from 'playwright'
import { type FaultPlan, noFaults } from '#support/network/fault-plans.ts'
import type { NetworkProxy } from '#support/network/network-proxy.ts'
import type { LimitedFigure } from './slow-phone-loading.ts'

const isFile = (path: string): boolean => path.startsWith('/assets/')

/** Lets this many files through after the page's own, and refuses all others. */
const refuseAfter = (files: number): FaultPlan => {
  let left = files
  return ({ path }) => {
    if (left > 0 && isFile(path)) left -= 1
    return left > 0 ? 'none' : 'refuse'
  }
}

/** Records the states of the service worker that this page installs. */
const recordWorkerState = (): void => {
  const { serviceWorker } = navigator
  if (!serviceWorker) return
  const register = serviceWorker.register.bind(serviceWorker)
  serviceWorker.register = async (...given) => {
    const registration = await register(...given)
    const worker = registration.installing ?? registration.active
    const note = () => Object.assign(window, { ending: worker?.state })
    worker?.addEventListener('statechange', note)
    note()
    return registration
  }
}

const waitForWorkerState = async (page: Page, ending: 'redundant' | 'activated'): Promise<void> => {
  await page.waitForFunction((ending) => 'ending' in window && window.ending === ending, ending)
}

/** A first visit whose install breaks after half of the files, and a second one that continues it. */
const installTwice = async (context: BrowserContext, line: NetworkProxy): Promise<void> => {
  await context.addInitScript(recordWorkerState)
  const page = await context.newPage()
  const script = line.nextRequest(/^GET \/sw\.js$/)
  await page.goto('/riverside')
  await script
  line.setFaultPlan(refuseAfter(10))
  await waitForWorkerState(page, 'redundant')
  line.setFaultPlan(noFaults)
  await page.goto('/riverside')
  await waitForWorkerState(page, 'activated')
}

/** How many files of the product were fetched twice although the first response had arrived. */
export const measureInterruptedInstall = async (browser: Browser, line: NetworkProxy): Promise<LimitedFigure> => {
  const context = await browser.newContext({ baseURL: line.url })
  const from = line.requests.length
  await installTwice(context, line)
  await context.close()
  const asked = line.requests.slice(from).filter(({ path }) => isFile(path))
  if (!asked.some(({ fault }) => fault === 'refuse')) throw new Error('the install was not interrupted')
  const came = asked.filter(({ fault }) => fault === 'none').map(({ path }) => path)
  return {
    name: 'files fetched twice by an interrupted install',
    value: came.length - new Set(came).size,
    limit: 0,
    unit: '',
  }
}
