import { waitUntilSubjectCached } from '#support/browser/offline-readiness.ts'
import { savedAtServerPattern, savedOnDevice } from '#support/journeys/customer-steps.ts'
import type { BrowserDriver } from './browser-driver.ts'
import type { JourneyStep } from './customer-order-steps.ts'

/** Disconnects and reconnects the browser without `offline` and `online` events. */
export type Network = { disconnect: () => void; reconnect: () => void }

const waitUntilCached = async (driver: BrowserDriver): Promise<void> => {
  await driver.waitFor('Packages')
  const { pathname } = new URL(await driver.address())
  const [, studioSlug = '', jobId, , subjectId] = pathname.split('/')
  await driver.run(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  }, undefined)
  await waitUntilSubjectCached(driver.run, { studioSlug, jobId: Number(jobId), subjectId: Number(subjectId) })
}

const largePrint = /^Change: 8×10/

/** `print`: the print to open for its text, if the package has several. */
const addPackage = async (driver: BrowserDriver, name: RegExp, text: string, print?: RegExp): Promise<void> => {
  await driver.click('radio', 'Photo 2')
  await driver.click('button', new RegExp(`^Choose: ${name.source}`))
  await driver.waitFor('Make it yours')
  if (print) await driver.click('button', print)
  await driver.type(/^Name/, text)
  await driver.click('button', 'Add to cart')
  await driver.waitFor(savedOnDevice)
}

const reload = async (driver: BrowserDriver): Promise<void> => driver.goTo(await driver.address())

const changeCart = async (driver: BrowserDriver): Promise<void> => {
  await driver.click('link', /^Edit Package B/)
  await driver.waitFor('Save changes')
  await driver.click('button', largePrint)
  await driver.type(/^Name/, 'Ada King')
  await driver.click('button', 'Save changes')
  await driver.waitFor('Ada King')
  await driver.click('button', /^One more Package E/)
  await driver.waitFor(/2 × \$/)
}

const expectCompleteCart = async (driver: BrowserDriver): Promise<void> => {
  for (const text of [/Package B/, /Package E/, 'Ada King', 'Ada E.', /2 × \$/]) await driver.waitFor(text)
}

/** The steps of a customer who goes offline, from Ada's packages to a cart that the server stores. */
export const offlineOrderSteps = ({ disconnect, reconnect }: Network): readonly JourneyStep[] => [
  { name: 'Ada’s images are opened and cached', do: waitUntilCached },
  { name: 'The network is lost', do: async () => disconnect() },
  { name: 'A package is added offline', do: (driver) => addPackage(driver, /Package B/, 'Ada B.', largePrint) },
  {
    name: 'Another package is added offline',
    do: async (driver) => {
      await driver.click('link', 'Add another package for Ada')
      await addPackage(driver, /Package E/, 'Ada E.')
    },
  },
  { name: 'The packages are changed offline', do: changeCart },
  {
    name: 'After an offline reload the cart is complete',
    do: async (driver) => {
      await reload(driver)
      await expectCompleteCart(driver)
      await driver.waitFor(savedOnDevice)
    },
  },
  {
    name: 'After a reload online the cart is synced',
    do: async (driver) => {
      reconnect()
      await reload(driver)
      await driver.waitFor(savedAtServerPattern)
      await expectCompleteCart(driver)
    },
  },
]
