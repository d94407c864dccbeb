import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { quantile } from './quantile.ts'

/** The resident memory of a process, in bytes. */
export const residentBytes = (pid: number): number => {
  const status = `/proc/${pid}/status`
  const kilobytes = existsSync(status)
    ? /VmRSS:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(kilobytes) * 1024
}

/** Samples a process's resident memory every fifty milliseconds during `work`. Returns maximum and median. */
export const residentBytesDuring = async (
  pid: number,
  work: () => Promise<unknown>,
): Promise<{ max: number; median: number }> => {
  const samples = [residentBytes(pid)]
  const stop = new AbortController()
  const takeSamples = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      samples.push(residentBytes(pid))
      await wait(50, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }
  const sampling = takeSamples()
  await work().finally(() => stop.abort())
  await sampling
  return { max: Math.max(...samples), median: quantile(samples, 0.5) }
}

/** The highest resident memory of a process during `work`, sampled every fifty milliseconds. */
export const peakResidentBytes = async (pid: number, work: () => Promise<unknown>): Promise<number> =>
  (await residentBytesDuring(pid, work)).max

/** A server's memory before the work, and its peak during the work, in bytes. */
export type MemoryUse = { readonly idle: number; readonly peak: number }

const megabyte = 1024 * 1024

export const formatMemoryUse = ({ idle, peak }: MemoryUse): string =>
  `${Math.round(idle / megabyte)} MB idle, ${Math.round(peak / megabyte)} MB at most`

/**
 * Whether a server stays within the memory of the smallest machine during the upload of six hundred files. With an embedded database only
 * the growth counts.
 */
export const isWithinUploadMemory = (engine: 'embedded' | 'postgres', { idle, peak }: MemoryUse): boolean =>
  engine === 'postgres' ? peak < 600 * megabyte : peak - idle < 400 * megabyte
