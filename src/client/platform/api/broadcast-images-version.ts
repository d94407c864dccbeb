import type { PageToWorkerMessage } from '#local/transport/worker-messages.ts'

let before: string | undefined

/**
 * Passes the state of the session's photos on to the worker, which deletes withdrawn ones. Where no worker controls this page there is
 * nothing stored but the cart, and the page does it, once the state changes under its eyes.
 */
export const passOnPhotosState = (state: string): void => {
  const worker = navigator.serviceWorker?.controller
  if (worker) worker.postMessage({ type: 'photos', state } satisfies PageToWorkerMessage)
  else if (before !== undefined && before !== state)
    void import('./check-cached-images.ts').then(({ checkPhotosHere }) => checkPhotosHere(state))
  before = state
}
