import { useEffect } from 'react'
import type { PageToWorkerMessage } from '#local/transport/worker-messages.ts'
import { createQrReader } from './qr-reader.ts'

const linked = () =>
  [...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"], link[rel="stylesheet"]')].map(
    ({ href }) => href,
  )

/** URLs of all scripts and styles this page has loaded. */
const loadedAssets = (): string[] => {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  return [...new Set([...loaded, ...linked()])].filter((url) =>
    new URL(url, location.href).pathname.startsWith('/assets/'),
  )
}

const storeCode = async (): Promise<void> => {
  // The scanner's code is loaded at the first scan, which may be offline.
  await createQrReader()
  const worker = await navigator.serviceWorker?.ready
  worker?.active?.postMessage({ type: 'warm', urls: loadedAssets(), sparing: true } satisfies PageToWorkerMessage)
  await navigator.storage?.persist?.()
}

/**
 * Makes the shoot day work offline after a restart: the service worker caches its code, and the browser is asked for persistent storage.
 */
export const useOfflinePreparation = (): void => {
  useEffect(() => {
    storeCode().catch(console.warn)
  }, [])
}
