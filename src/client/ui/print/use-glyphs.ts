import { useEffect } from 'react'
import type { GlyphTable } from '#domain/printing/print-text.ts'
import fontUrl from '#domain/printing/print-text-font.json?url'
import { online } from '#platform/online.ts'
import { createSignal, useSignal } from '#platform/signal.ts'

const glyphs = createSignal<GlyphTable | null>(null)
let isRequested = false

const fetchGlyphs = async (): Promise<void> => {
  const response = await fetch(fontUrl)
  if (!response.ok) throw new Error(`print font: status ${response.status}`)
  glyphs.set(await response.json())
}

const retryOnline = (): void => {
  const unsubscribe = online.subscribe(() => {
    if (!online.current()) return
    unsubscribe()
    void fetchGlyphs().catch(retryOnline)
  })
}

/**
 * The print font's glyph outlines, fetched once; null until loaded. The service worker caches them with a subject's
 * data. After a failure they are requested again when the network is back.
 */
export const useGlyphs = (): GlyphTable | null => {
  useEffect(() => {
    if (isRequested) return
    isRequested = true
    void fetchGlyphs().catch(retryOnline)
  }, [])
  return useSignal(glyphs)
}
