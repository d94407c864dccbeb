import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startProduct } from './start-product.ts'

/**
 * Creates a folder with the demo data once for a run. Tests work on copies. `FIELDPROOF_DEMO` names a folder to reuse between runs,
 * which is created if it is missing.
 */
// biome-ignore lint/style/noDefaultExport: Playwright takes a global set-up by its default export
export default async (): Promise<() => Promise<void>> => {
  const reusedFolder = process.env.FIELDPROOF_DEMO
  const template = reusedFolder ?? (await mkdtemp(join(tmpdir(), 'fieldproof-demo-')))
  const product = await startProduct({ dataDir: template })
  await product.stop()
  process.env.FIELDPROOF_DEMO = template
  return reusedFolder ? async () => undefined : () => rm(template, { recursive: true, force: true })
}

/** Copies the demo data. Returns the copy and how to delete it. */
export const copyDemoData = async (): Promise<{ dataDir: string; remove: () => Promise<void> }> => {
  const template = process.env.FIELDPROOF_DEMO
  if (!template) throw new Error('there is no demo data; run the journeys with their Playwright configuration')
  const parent = await mkdtemp(join(tmpdir(), 'fieldproof-'))
  const dataDir = join(parent, 'data')
  // For these two thousand files, Node's own copy takes four times as long.
  await promisify(execFile)('cp', ['-R', template, dataDir])
  return { dataDir, remove: () => rm(parent, { recursive: true, force: true }) }
}
