import type { PageToWorkerMessage } from '#local/transport/worker-messages.ts'

let lastState: string | undefined

/**
 * Passes the session's images version to the worker, which deletes withdrawn images. Without a controlling worker only
 * the cart stores images, and the page deletes them when the version changes.
 */
export const broadcastImagesVersion = (state: string): void => {
  const worker = navigator.serviceWorker?.controller
  if (worker) worker.postMessage({ type: 'photos', state } satisfies PageToWorkerMessage)
  else if (lastState !== undefined && lastState !== state)
    void import('./check-cached-images.ts').then(({ checkCachedImages }) => checkCachedImages(state))
  lastState = state
}
