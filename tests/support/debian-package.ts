import { execFileSync, type StdioOptions } from 'node:child_process'
import { existsSync } from 'node:fs'

const aptGet = '/usr/bin/apt-get'

const isDebianRoot = (): boolean => process.getuid?.() === 0 && existsSync(aptGet)

const install = (name: string): void => {
  const stdio = ['ignore', 'ignore', 'inherit'] satisfies StdioOptions
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync(aptGet, ['update', '-q'], { stdio, timeout: 300_000 })
  execFileSync(aptGet, ['install', '-y', '-q', '--no-install-recommends', name], {
    stdio,
    timeout: 600_000,
    env,
  })
}

/**
 * A program of a Debian package: the first of `paths` that is there, installed first where we are root on Debian. Throws with what is
 * missing where it is not to be had.
 */
export const fromDebian = (name: string, paths: readonly string[]): string => {
  const found = () => paths.find((path) => existsSync(path))
  if (!found() && isDebianRoot()) install(name)
  const program = found()
  if (!program) throw new Error(`${paths[0]} is not there. Install Debian's package ${name} and run again.`)
  return program
}
