import { existsSync, readFileSync } from 'node:fs'
import { fingerprint } from './fingerprint.ts'
import { buildMark } from './folders.ts'

/** The build that lies in `dist`; undefined when there is none, or it was cut off. */
const builtPrint = (): string | undefined => {
  if (!existsSync(buildMark)) return undefined
  return JSON.parse(readFileSync(buildMark, 'utf8')).build
}

const print = fingerprint()
if (builtPrint() !== print) {
  process.stdout.write('Building the pages…\n')
  const started = process.hrtime.bigint()
  // Vite is loaded only when there is something to build: a start with nothing to do stays quick.
  const { buildClient } = await import('./build-client.ts')
  await buildClient(print)
  process.stdout.write(`Built in ${Number((process.hrtime.bigint() - started) / 100_000_000n) / 10} s.\n`)
}
