import { copyOfDemo } from './demo-product.ts'
import { expect, test as journeys } from './journey.ts'
import { freePort, type Product, startProduct } from './product.ts'
import { type Line, startLine } from './proxy.ts'

/** A product of a test's own, behind a line that may fail: it may be stopped, killed, changed and started again, always at the same address. */
export type Site = {
  line: Line
  dataDir: string
  /** Ends the product as an operator would, or as a power cut would. */
  stop: () => Promise<void>
  kill: () => Promise<void>
  /** Starts it again: over its own data, or over another folder's. */
  start: (given?: { env?: Record<string, string>; dataDir?: string }) => Promise<void>
}

/** Journeys that take the product itself down; the browser's address is the line's. None of the products may log an error. */
export const test = journeys.extend<{ site: Site }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from this pattern
  site: async ({}, use) => {
    const { dataDir, remove } = await copyOfDemo()
    const port = await freePort()
    const line = await startLine(port)
    const started: Product[] = []
    const start: Site['start'] = async (given = {}) => {
      started.push(await startProduct({ dataDir, port, ...given }))
    }
    const last = (): Product => started.at(-1) as Product // one is started before anybody asks
    await start()
    await use({
      line,
      dataDir,
      start,
      stop: () => last().stop(),
      kill: () => last().kill(),
    })
    await last().stop()
    await line.close()
    await remove()
    expect(started.flatMap((product) => product.errors())).toEqual([])
  },
  baseURL: async ({ site }, use) => use(site.line.url),
})
