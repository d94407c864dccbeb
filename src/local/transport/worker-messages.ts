/** What a page posts to the worker. */
export type PageToWorkerMessage =
  /** The customer agreed to the new version (the words are workbox's). */
  | { type: 'SKIP_WAITING' }
  /** Fetch and keep what these addresses answer, and the photos those answers speak of, so that all goes on without a network. */
  | {
      type: 'warm'
      urls: string[]
      /** The customer wants little fetched: no picture larger than a thumbnail before it is asked for. */
      sparing: boolean
    }
  | ({ type: 'renew' } & RefreshJobRequest)
  /** An answer of the server named this state of the session's photos. */
  | { type: 'photos'; state: string }
  /** A page that no worker controls though one is there: it was on its way as the worker took its pages over. */
  | { type: 'claim' }

/** An event is in a new visit: what is kept of it is asked for once more, and `urls` besides. */
export type RefreshJobRequest = {
  jobId: number
  urls: string[]
  /** As of `warm`. */
  sparing: boolean
}

/** What the worker posts to every open page: a catalogue answer is no longer the one that page was given; `url` is null for all of them. */
export type WorkerToPageMessage = { type: 'changed'; url: string | null }

/** The channel on which one tab tells the others that this device was finished. */
export const deviceChannel = 'device'
export type DeviceClearedMessage = { type: 'finished' }
