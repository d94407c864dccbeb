import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'minor' }) => void

/** The flag belongs to the whole process and stays set: another thread would miss its collector if it were reset here. */
const findCollector = (): Collect => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

const collect = findCollector()

/** Bytes that may accumulate before a collection. */
const mostBytes = 8 * 1024 * 1024

/**
 * Frees chunks of files that have been sent: call it with the bytes of each. The engine sees little of a chunk (its bytes are outside of
 * its heap) and lets 64 MB of them accumulate before it collects; a minor collection takes about a millisecond.
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
