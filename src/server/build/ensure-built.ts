import { existsSync, readFileSync } from 'node:fs'
import { buildMark, fingerprint } from './fingerprint.ts'

/** The fingerprint of the build in `dist`; undefined if there is none or the build was interrupted. */
const readBuiltFingerprint = (): string | undefined => {
  if (!existsSync(buildMark)) return undefined
  return JSON.parse(readFileSync(buildMark, 'utf8')).build
}

const sourceFingerprint = fingerprint()
if (readBuiltFingerprint() !== sourceFingerprint) {
  process.stdout.write('Building the pages…\n')
  const started = process.hrtime.bigint()
  // Vite is loaded only when there is something to build, so that a start without a build stays fast.
  const { buildClient } = await import('./build-client.ts')
  await buildClient(sourceFingerprint)
  process.stdout.write(`Built in ${Number((process.hrtime.bigint() - started) / 100_000_000n) / 10} s.\n`)
}
