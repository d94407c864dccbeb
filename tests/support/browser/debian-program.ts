import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const aptGet = '/usr/bin/apt-get'

const isDebianRoot = (): boolean => process.getuid?.() === 0 && existsSync(aptGet)

/** Installs a Debian package under a lock: apt fails when two processes install at the same time. */
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
 * Path of a program of a Debian package: the first of `paths` that exists. Installs the package first when running as root on Debian.
 * Throws with what is missing otherwise.
 */
export const findDebianProgram = (name: string, paths: readonly string[]): string => {
  const found = () => paths.find((path) => existsSync(path))
  if (!found() && isDebianRoot()) install(name)
  const program = found()
  if (!program) throw new Error(`${paths[0]} is not there. Install Debian's package ${name} and run again.`)
  return program
}
