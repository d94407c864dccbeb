/** Asks the worker to fetch and keep what these addresses answer, so that the next screens work without a network. */
export const warm = (urls: readonly string[]): void => {
  navigator.serviceWorker?.controller?.postMessage({ type: 'warm', urls })
}
