import { waitUntilSubjectCached } from '#support/browser/offline-readiness.ts'
import { savedAtServerPattern, savedOnDevice } from '#support/journeys/customer-steps.ts'
import type { BrowserDriver } from './browser-driver.ts'
import type { JourneyStep } from './customer-order-steps.ts'

/** Takes the browser's network down and up, without `offline` and `online` events. */
export type Network = { go: () => void; comeBack: () => void }

const open = async (parent: BrowserDriver): Promise<void> => {
  await parent.waitFor('Packages')
  const { pathname } = new URL(await parent.address())
  const [, studioSlug = '', jobId, , subjectId] = pathname.split('/')
  await parent.run(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  }, undefined)
  await waitUntilSubjectCached(parent.run, { studioSlug, jobId: Number(jobId), subjectId: Number(subjectId) })
}

const choose = async (parent: BrowserDriver, name: RegExp, text: string): Promise<void> => {
  await parent.click('radio', 'Pose 2')
  await parent.click('button', new RegExp(`^Choose: ${name.source}`))
  await parent.click('button', 'Next')
  await parent.waitFor('Make it yours')
  await parent.type(/^Name/, text)
  await parent.click('button', 'Add to cart')
  await parent.waitFor(savedOnDevice)
}

const reload = async (parent: BrowserDriver): Promise<void> => parent.goTo(await parent.address())

const edit = async (parent: BrowserDriver): Promise<void> => {
  await parent.click('link', /^Edit Package B/)
  await parent.waitFor('Save changes')
  await parent.type(/^Name/, 'Ada King')
  await parent.click('button', 'Save changes')
  await parent.waitFor('Ada King')
  await parent.click('button', /^One more Package E/)
  await parent.waitFor(/2 × \$/)
}

const expectAll = async (parent: BrowserDriver): Promise<void> => {
  for (const words of [/Package B/, /Package E/, 'Ada King', 'Ada E.', /2 × \$/]) await parent.waitFor(words)
}

/** A customer who loses the network: from Ada's packages to a cart that the studio has. */
export const offlineOrderSteps = ({ go, comeBack }: Network): readonly JourneyStep[] => [
  { name: 'open Ada’s pictures, and keep them', do: open },
  { name: 'the network goes', do: async () => go() },
  { name: 'choose', do: (parent) => choose(parent, /Package B/, 'Ada B.') },
  {
    name: 'choose another',
    do: async (parent) => {
      await parent.click('link', 'Add another package for Ada')
      await choose(parent, /Package E/, 'Ada E.')
    },
  },
  { name: 'edit what was chosen', do: edit },
  {
    name: 'open the page again, with no network',
    do: async (parent) => {
      await reload(parent)
      await expectAll(parent)
      await parent.waitFor(savedOnDevice)
    },
  },
  {
    name: 'the network is back',
    do: async (parent) => {
      comeBack()
      await reload(parent)
      await parent.waitFor(savedAtServerPattern)
      await expectAll(parent)
    },
  },
]
