import type { OrderMethod } from '../domain/catalogue.ts'

/** What a page posts to the worker. */
export type ToWorker =
  /** The customer agreed to the new version (the words are workbox's). */
  | { type: 'SKIP_WAITING' }
  /** Fetch what ordering for this person needs, so that it goes on without a network. */
  | { type: 'warm'; jobId: number; subjectId: number; orderMethod: OrderMethod }

/** The channel on which the worker tells open pages that a catalogue answer is not what they were given. */
export const catalogueChannel = 'catalogue'
/** `path` with its query, as it was asked. */
export type CatalogueChanged = { type: 'changed'; path: string }

/** The channel on which one tab tells the others that this device was finished. */
export const deviceChannel = 'device'
export type DeviceFinished = { type: 'finished' }
