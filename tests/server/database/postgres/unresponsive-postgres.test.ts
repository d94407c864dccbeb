import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createPostgresDatabase } from '#support/database/create-postgres-database.ts'
import { startProduct } from '#support/product/start-product.ts'
import { isFullRun } from '#support/seed.ts'
import { startStallableTcpProxy } from '#support/server/stallable-tcp-proxy.ts'

const server = process.env.TEST_DATABASE_URL

/** The full run uses the server's own limits, other runs a shorter query timeout. */
const { search, withinSeconds } = isFullRun
  ? { search: '', withinSeconds: 35 }
  : { search: '?query_timeout=2000', withinSeconds: 17 }

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

describe.runIf(server)(
  'a PostgreSQL that stops responding without closing its connections',
  { timeout: 120_000 },
  () => {
    it(`each request fails within ${withinSeconds} seconds, and the server can stop`, async () => {
      const { url, drop } = await createPostgresDatabase(server ?? '', 'silent')
      onTestFinished(drop)
      const dataDir = mkdtempSync(join(tmpdir(), 'fieldproof-silent-'))
      onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
      const { hostname, port } = new URL(url)
      const proxy = await startStallableTcpProxy({ host: hostname, port: Number(port) || 5432 })
      onTestFinished(() => proxy.close())
      const address = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port), search }).href
      const production = { NODE_ENV: 'production', SECRET: 's'.repeat(40), PAYMENT: 'test' }
      const env = { ...production, PUBLIC_URL: 'http://localhost:4600', DATABASE_URL: address }
      const product = await startProduct({ dataDir, env })
      onTestFinished(() => product.kill())
      const health = () => fetch(`${product.url}/api/health`)
      expect((await health()).status).toBe(200)
      proxy.stall()
      const seconds = await secondsOf(async () => {
        const answers = await Promise.all([health(), health(), health()])
        expect(answers.map(({ status }) => status)).toEqual([500, 500, 500])
      })
      expect(seconds).toBeLessThan(withinSeconds)
      const pending = health().catch(() => undefined)
      expect(await secondsOf(() => product.stop())).toBeLessThan(10)
      await pending
    })
  },
)
