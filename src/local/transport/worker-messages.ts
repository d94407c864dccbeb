/** Messages from a page to the worker. */
export type PageToWorkerMessage =
  /** The customer accepted the new version (workbox's message). */
  | { type: 'SKIP_WAITING' }
  /** Fetches and stores these responses and the images in them, so that everything works offline. */
  | {
      type: 'warm'
      urls: string[]
      /** The customer saves data: no image larger than a thumbnail before it is requested. */
      sparing: boolean
    }
  | ({ type: 'renew' } & RefreshJobRequest)
  /** A response contained this version of the session's images. */
  | { type: 'photos'; state: string }
  /** From a page without a controlling worker: it was loading when the active worker claimed its pages. */
  | { type: 'claim' }

/** A job is in a new session: its cached responses are refreshed, and `urls` are fetched. */
export type RefreshJobRequest = {
  jobId: number
  urls: string[]
  /** As for `warm`. */
  sparing: boolean
}

/**
 * Message from the worker to every open page: a catalogue response changed since that page received it; `url` is null
 * for all of them.
 */
export type WorkerToPageMessage = { type: 'changed'; url: string | null }

/** The channel on which a tab notifies the others that this device was cleared. */
export const deviceChannel = 'device'
export type DeviceClearedMessage = { type: 'finished' }
