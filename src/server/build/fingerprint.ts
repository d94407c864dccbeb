import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The inputs of a build. The lock file represents the installed packages. */
const sources = [
  'package-lock.json',
  'vite.config.ts',
  'src/index.html',
  'src/{client,local,domain,contract}/**/*',
  'src/server/build/*',
  'sw/**/*',
  'public/**/*',
]

/** A hash of the sources: equal sources give equal builds. */
export const fingerprint = (): string => {
  const hash = createHash('sha256')
  for (const path of globSync(sources, { cwd: root }).sort()) {
    const file = join(root, path)
    if (statSync(file).isFile()) hash.update(path).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

/** The repository root, with a trailing slash. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The folder of the built client. */
export const dist = `${root}dist`

/** The file that is written last. A build without it was interrupted. */
export const buildMark = `${dist}/build.json`
