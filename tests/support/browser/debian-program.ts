import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const aptGet = '/usr/bin/apt-get'

const isDebianRoot = (): boolean => process.getuid?.() === 0 && existsSync(aptGet)

/** One test at a time, since apt refuses a second that runs beside it. */
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
 * A program of a Debian package: the first of `paths` that is there, installed first where we are root on Debian. Throws with what is
 * missing where it is not to be had.
 */
export const findDebianProgram = (name: string, paths: readonly string[]): string => {
  const found = () => paths.find((path) => existsSync(path))
  if (!found() && isDebianRoot()) install(name)
  const program = found()
  if (!program) throw new Error(`${paths[0]} is not there. Install Debian's package ${name} and run again.`)
  return program
}
