import { useEffect } from 'react'
import type { PageToWorkerMessage } from '#local/transport/worker-messages.ts'
import { createQrReader } from './qr-reader.ts'

const linked = () =>
  [...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"], link[rel="stylesheet"]')].map(
    ({ href }) => href,
  )

/** The addresses of all code and style this page has loaded. */
const loadedAssets = (): string[] => {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  return [...new Set([...loaded, ...linked()])].filter((url) =>
    new URL(url, location.href).pathname.startsWith('/assets/'),
  )
}

const storeCode = async (): Promise<void> => {
  // The scanner's code is loaded at the first scan, which may be without a network.
  await createQrReader()
  const worker = await navigator.serviceWorker?.ready
  worker?.active?.postMessage({ type: 'warm', urls: loadedAssets(), sparing: true } satisfies PageToWorkerMessage)
  await navigator.storage?.persist?.()
}

/** Makes the shoot day open without a network after a restart: its code is cached by the worker, its data is asked to be persistent. */
export const useOfflinePreparation = (): void => {
  useEffect(() => {
    storeCode().catch(console.warn)
  }, [])
}
