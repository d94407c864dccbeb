import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './folders.ts'

/** Everything a build is made from. The lock file stands for what is installed. */
const sources = [
  'package-lock.json',
  'vite.config.ts',
  'src/index.html',
  'src/{client,local,domain,contract}/**/*',
  'src/server/build/*',
  'sw/**/*',
  'public/**/*',
]

/** A hash of the sources: the same sources are the same build. */
export const fingerprint = (): string => {
  const hash = createHash('sha256')
  for (const path of globSync(sources, { cwd: root }).sort()) {
    const file = join(root, path)
    if (statSync(file).isFile()) hash.update(path).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}
