import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const aptGet = '/usr/bin/apt-get'

const isDebianRoot = (): boolean => process.getuid?.() === 0 && existsSync(aptGet)

/** Installs a Debian package under a lock, because apt fails if two processes install at the same time. */
const install = (name: string): void => {
  const lock = join(tmpdir(), 'fieldproof-apt.lock')
  const script = `${aptGet} update -q && ${aptGet} install -y -q --no-install-recommends "$0"`
  execFileSync('/usr/bin/flock', [lock, 'sh', '-c', script, name], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 900_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

/**
 * Path of a program of a Debian package: the first of `paths` that exists. If none exists, the package is installed, which needs root on
 * Debian. Throws if the program is still missing.
 */
export const findDebianProgram = (name: string, paths: readonly string[]): string => {
  const findProgram = () => paths.find((path) => existsSync(path))
  if (!findProgram() && isDebianRoot()) install(name)
  const program = findProgram()
  if (!program) throw new Error(`${paths[0]} is missing. Install Debian's package ${name} and run again.`)
  return program
}
