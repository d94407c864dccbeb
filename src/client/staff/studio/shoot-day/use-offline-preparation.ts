import { useEffect } from 'react'
import type { PageToWorkerMessage } from '#local/transport/worker-messages.ts'
import { createQrReader } from '#ui/scanner/qr-reader.ts'

const linkedUrls = () =>
  [...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"], link[rel="stylesheet"]')].map(
    ({ href }) => href,
  )

/** URLs of all files of the build, such as scripts and styles, that this page has loaded. */
const loadedAssets = (): string[] => {
  const requestedUrls = performance.getEntriesByType('resource').map(({ name }) => name)
  return [...new Set([...requestedUrls, ...linkedUrls()])].filter((url) =>
    new URL(url, location.href).pathname.startsWith('/assets/'),
  )
}

const prepareOffline = async (): Promise<void> => {
  // Loads the scanner's code now, because the first scan may happen offline.
  await createQrReader()
  const worker = await navigator.serviceWorker?.ready
  worker?.active?.postMessage({ type: 'warm', urls: loadedAssets(), sparing: true } satisfies PageToWorkerMessage)
  await navigator.storage?.persist?.()
}

/**
 * Makes the shoot day work offline after a restart: the service worker caches its code, and persistent storage is requested.
 */
export const useOfflinePreparation = (): void => {
  useEffect(() => {
    prepareOffline().catch(console.warn)
  }, [])
}
