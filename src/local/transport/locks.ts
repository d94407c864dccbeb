import { ignoring } from '#domain/shared/ignoring.ts'

/** Runs work under a named lock, which only one tab or worker of this device can hold at a time. */
export type Locks = { request<Value>(name: string, work: () => Promise<Value>): Promise<Value> }

/** Held for one request and for storing its response, never during a back-off. */
export const outboxLock = 'fieldproof-outbox'

/** Held while a session is recovered or access to a job is restored, so that two tabs do not do it twice. */
export const sessionLock = 'fieldproof-session'

const tails = new Map<string, Promise<unknown>>()

/** Locks within one tab, for pages served over plain http, where the platform has no locks. */
export const tabLocks: Locks = {
  request: (name, work) => {
    const turn = (tails.get(name) ?? Promise.resolve()).then(work, work)
    tails.set(
      name,
      ignoring('the caller of this turn gets the failure', () => turn),
    )
    return turn
  },
}

/** The platform's locks, shared by all tabs and the worker. */
export const deviceLocks: Locks = {
  request: async (name, work) => {
    const { locks } = navigator as { locks?: LockManager } // absent outside secure contexts, whatever the types say
    return locks ? await locks.request(name, work) : await tabLocks.request(name, work)
  },
}
