import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { build } from 'vite'
import { compressAll } from './compress.ts'
import { buildMark, dist, root } from './folders.ts'
import { makeTemplates, readShell } from './templates.ts'

/** A worker with an import or export left at its top never registers, and no browser says so. */
const assertWorkerRuns = (): void => {
  if (/(^|[;}\n])\s*(import|export)[\s{*]/.test(readFileSync(`${dist}/sw.js`, 'utf8'))) {
    throw new Error('The built worker is a module: it would never register')
  }
}

/** Builds client, worker and templates into `dist`, compresses them, and says so last. */
export const buildClient = async (print: string): Promise<void> => {
  // What is served is always the production build, whatever mode the server then runs in.
  process.env.NODE_ENV = 'production'
  await build({ configFile: `${root}vite.config.ts`, logLevel: 'warn' })
  renameSync(`${dist}/index.html`, `${dist}/app.html`)
  renameSync(`${dist}/index.js`, `${dist}/sw.js`)
  assertWorkerRuns()
  await makeTemplates(readShell())
  await compressAll(dist)
  writeFileSync(buildMark, JSON.stringify({ build: print }))
}
