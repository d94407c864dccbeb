import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'minor' }) => void

/** The flag is the whole process's, and stays: taken back here, another thread would look for its collector in vain. */
const findCollector = (): Collect => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

const collect = findCollector()

/** So much may lie about. */
const mostBytes = 8 * 1024 * 1024

/**
 * Frees chunks of files that have been sent: give it the bytes of each. The engine sees little of a chunk (its bytes lie outside of its
 * heap) and lets 64 MB of them gather before it looks; for the youngest alone it takes about a millisecond.
 */
export const freeSent = (): ((bytes: number) => void) => {
  let sent = 0
  return (bytes) => {
    sent += bytes
    if (sent < mostBytes) return
    sent = 0
    collect({ type: 'minor' })
  }
}
