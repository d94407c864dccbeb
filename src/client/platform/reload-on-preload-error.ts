import { flushAll } from './flush-on-unload.ts'

const key = 'reloaded-for-code-at'
/** Milliseconds within which a second failure does not cause a second reload. */
export const reloadPauseMs = 60_000

type ReloadEnvironment = {
  storage: Pick<Storage, 'getItem' | 'setItem'>
  now: () => number
  reload: () => void
  /** Whether the server responds at all. */
  isReachable: () => Promise<boolean>
}

/**
 * Handles a chunk that could not be loaded, usually because a new version replaced it: flushes all input and reloads
 * once. A second failure soon after is left to the error screen. Offline it does not reload, since the chunk would
 * still be missing. Returns whether it reloads.
 */
export const reloadAfterPreloadError = async ({
  storage,
  now,
  reload,
  isReachable,
}: ReloadEnvironment): Promise<boolean> => {
  const lastReloadAt = Number(storage.getItem(key) ?? Number.NaN)
  if (now() - lastReloadAt < reloadPauseMs) return false
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

/** Errors thrown by failed chunk loads. */
const failures = new WeakSet<object>()

/** Whether an error was thrown because a chunk did not load. */
export const isMissingCode = (error: unknown): boolean => failures.has(Object(error))

/** Listens for failed chunk loads; called once at startup. */
export const watchPreloadErrors = (target: Window): void => {
  target.addEventListener('vite:preloadError', ({ payload }) => {
    failures.add(payload)
    const reload = () => target.location.reload()
    void reloadAfterPreloadError({ storage: target.sessionStorage, now: () => Date.now(), reload, isReachable })
  })
}
