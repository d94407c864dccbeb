import { flushAll } from './flush-on-unload.ts'

const key = 'reloaded-for-code-at'
/** Milliseconds in which a second failure is not answered by a second reload. */
export const reloadPauseMs = 60_000

type Around = {
  storage: Pick<Storage, 'getItem' | 'setItem'>
  now: () => number
  reload: () => void
  /** Whether the server answers at all. */
  isReachable: () => Promise<boolean>
}

/**
 * Code of this page could not be fetched: most often a new version took the old one's place. Everything typed is kept and the page is
 * loaded again, once; a second failure soon after is left to the error screen. Without a network nothing is reloaded: the same code would
 * be missing, and what was typed with it. Answers whether it reloads.
 */
export const reloadAfterPreloadError = async ({ storage, now, reload, isReachable }: Around): Promise<boolean> => {
  const last = Number(storage.getItem(key) ?? Number.NaN)
  if (now() - last < reloadPauseMs) return false
  if (!(await isReachable())) return false
  storage.setItem(key, String(now()))
  await flushAll()
  reload()
  return true
}

const isReachable = () =>
  fetch('/api/health').then(
    () => true,
    () => false,
  )

/** What loading code failed with. */
const failures = new WeakSet<object>()

/** Whether this was thrown because code did not arrive. */
export const isMissingCode = (error: unknown): boolean => failures.has(Object(error))

/** Listens for code that did not arrive; once, at start. */
export const watchPreloadErrors = (target: Window): void => {
  target.addEventListener('vite:preloadError', ({ payload }) => {
    failures.add(payload)
    const reload = () => target.location.reload()
    void reloadAfterPreloadError({ storage: target.sessionStorage, now: () => Date.now(), reload, isReachable })
  })
}
