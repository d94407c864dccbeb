import { useEffect } from 'react'
import type { ToWorker } from '#local/transport/worker-messages.ts'
import { qrReader } from './qr-reader.ts'

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
  await qrReader()
  const worker = await navigator.serviceWorker?.ready
  worker?.active?.postMessage({ type: 'warm', urls: loadedAssets(), sparing: true } satisfies ToWorker)
  await navigator.storage?.persist?.()
}

/** Makes the shoot day open without a network after a restart: its code is cached by the worker, its data is asked to be persistent. */
export const useReadyOffline = (): void => {
  useEffect(() => {
    storeCode().catch(console.warn)
  }, [])
}
