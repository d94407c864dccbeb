import { fileURLToPath } from 'node:url'
import type { BrowserContext } from 'playwright/test'
import { build, type Rolldown } from 'vite'

const pathFromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const bundle = async (): Promise<string> => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { dexie: pathFromHere('../../../node_modules/dexie/dist/modern/dexie.min.mjs') } },
    build: {
      write: false,
      rolldownOptions: { input: pathFromHere('./cart-driver-page.ts'), output: { format: 'iife' } },
    },
  })
  const { output } = [built].flat()[0] as Rolldown.RolldownOutput // a build that neither watches nor writes returns this
  // Only on pages of the server: `about:blank` has no IndexedDB.
  return `if (location.protocol === 'http:') { ${output[0].code} }`
}

let bundlePromise: Promise<string> | undefined

/** Adds the cart driver (the global `cartDriver`) to every page of a context, before the product's own scripts run. */
export const installCartDriver = async (context: BrowserContext): Promise<void> => {
  bundlePromise ??= bundle()
  await context.addInitScript({ content: await bundlePromise })
}
