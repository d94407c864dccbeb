import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { quantile } from './quantile.ts'

/** The memory that a process has of its machine now, in bytes. */
export const residentBytes = (pid: number): number => {
  const status = `/proc/${pid}/status`
  const kilobytes = existsSync(status)
    ? /VmRSS:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(kilobytes) * 1024
}

/** What a process has while something is done, looked at every fifty milliseconds: at the most, and in the middle of all looks. */
export const residentBytesDuring = async (
  pid: number,
  work: () => Promise<unknown>,
): Promise<{ most: number; median: number }> => {
  const seen = [residentBytes(pid)]
  const done = new AbortController()
  const look = async (): Promise<void> => {
    while (!done.signal.aborted) {
      seen.push(residentBytes(pid))
      await wait(50, undefined, { signal: done.signal }).catch(() => undefined)
    }
  }
  const looking = look()
  await work().finally(() => done.abort())
  await looking
  return { most: Math.max(...seen), median: quantile(seen, 0.5) }
}

/** The most that a process has while something is done, looked at every fifty milliseconds. */
export const peakResidentBytes = async (pid: number, work: () => Promise<unknown>): Promise<number> =>
  (await residentBytesDuring(pid, work)).most

/** What a server had before something began, and the most it had while it was done, in bytes. */
export type MemoryUse = { readonly idle: number; readonly peak: number }

const megabyte = 1024 * 1024

export const formatMemoryUse = ({ idle, peak }: MemoryUse): string =>
  `${Math.round(idle / megabyte)} MB idle, ${Math.round(peak / megabyte)} MB at the most`

/** Whether a server stays within what the smallest machine has while a shoot of six hundred files arrives; an embedded database is in it from the start. */
export const isWithinUploadMemory = (engine: 'embedded' | 'postgres', { idle, peak }: MemoryUse): boolean =>
  engine === 'postgres' ? peak < 600 * megabyte : peak - idle < 400 * megabyte
