import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from '#support/product/start-product.ts'
import { formatLandingScores, landingPaths, measureLandingScores } from './lighthouse/landing-scores.ts'

/**
 * Runs Lighthouse on the landing pages of the built product. The scores are meaningful only on an idle machine: Lighthouse slows the
 * processor down four times, which simulates a phone if the machine's benchmark index is 1,500 to 2,000. `ONLY` is a list of other paths,
 * separated by commas.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-lighthouse-'))
const product = await startProduct({ dataDir })
try {
  for (const path of process.env.ONLY?.split(',') ?? landingPaths) {
    process.stdout.write(`${formatLandingScores(await measureLandingScores(product.url, path))}\n`)
  }
} finally {
  await product.stop()
  await rm(dataDir, { recursive: true, force: true })
}
