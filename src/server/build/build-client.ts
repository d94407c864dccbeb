import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { build } from 'vite'
import { compressAll } from './compress.ts'
import { buildMark, dist, root } from './fingerprint.ts'
import { startAfterPaint } from './paint-first.ts'
import { makeTemplates } from './templates.ts'

/**
 * Throws if the service worker has a top-level import or export: it would never register, and no browser reports that.
 */
const assertWorkerRuns = (): void => {
  if (/(^|[;}\n])\s*(import|export)[\s{*]/.test(readFileSync(`${dist}/sw.js`, 'utf8'))) {
    throw new Error('The built worker is a module: it would never register')
  }
}

/** Builds client, service worker and templates into `dist`, compresses them, and writes the build mark last. */
export const buildClient = async (sourceFingerprint: string): Promise<void> => {
  // The pages are always a production build, whatever mode the server runs in.
  process.env.NODE_ENV = 'production'
  await build({ configFile: `${root}vite.config.ts`, logLevel: 'warn' })
  renameSync(`${dist}/index.html`, `${dist}/app.html`)
  renameSync(`${dist}/index.js`, `${dist}/sw.js`)
  assertWorkerRuns()
  const shell = startAfterPaint(readFileSync(`${dist}/app.html`, 'utf8'))
  writeFileSync(`${dist}/app.html`, shell)
  await makeTemplates(shell)
  await compressAll(dist)
  writeFileSync(buildMark, JSON.stringify({ build: sourceFingerprint }))
}
