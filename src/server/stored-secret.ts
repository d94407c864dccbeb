import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const readSecret = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

const writeSynced = (path: string, content: string): void => {
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    writeSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Returns the secret of a server that has none configured. It is random, and stored in the data folder so that sign-ins
 * survive a restart. If two processes start at the same time, both get the secret of the first.
 */
export const storedSecret = (dataDir: string): string => {
  const path = join(dataDir, 'secret')
  const stored = readSecret(path)
  if (stored) return stored
  mkdirSync(dataDir, { recursive: true })
  const secret = randomBytes(32).toString('hex')
  const temporaryPath = `${path}.${process.pid}`
  rmSync(temporaryPath, { force: true })
  writeSynced(temporaryPath, secret)
  try {
    // Linking is atomic and never replaces a secret that another process has written meanwhile.
    linkSync(temporaryPath, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(temporaryPath, { force: true })
  }
  return readSecret(path) ?? secret
}
