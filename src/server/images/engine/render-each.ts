import pMap, { pMapSkip } from 'p-map'
import { renderThreadCount } from './render-threads.ts'

/** The number of files in progress: while the threads render, one more file is read or stored. Uploads share the threads. */
const maxConcurrentFiles = renderThreadCount + 1

/**
 * Makes a file for each item, and keeps the render threads busy. After a failure or an abort, it starts no further file, and
 * throws once the files in progress have settled, because the caller may remove the folder afterwards.
 */
export const renderEach = async <Item, Result extends object>(
  items: readonly Item[],
  signal: AbortSignal,
  makeFile: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const failures: unknown[] = []
  const makeUnlessFailed = async (item: Item): Promise<Result | typeof pMapSkip> => {
    if (failures.length > 0) return pMapSkip
    try {
      signal.throwIfAborted()
      return await makeFile(item)
    } catch (error) {
      failures.push(error)
      return pMapSkip
    }
  }
  const results = await pMap(items, makeUnlessFailed, { concurrency: maxConcurrentFiles })
  if (failures.length > 0) throw failures[0]
  return results
}
