import { useEffect } from 'react'
import type { GlyphTable } from '#domain/printing/print-text.ts'
import address from '#domain/printing/print-text-font.json?url'
import { online } from '#platform/online.ts'
import { createSignal, useSignal } from '#platform/signal.ts'

const glyphs = createSignal<GlyphTable | null>(null)
let isRequested = false

const fetchGlyphs = async (): Promise<void> => {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`the print font answered ${response.status}`)
  glyphs.set(await response.json())
}

const askAgainOnline = (): void => {
  const stop = online.subscribe(() => {
    if (!online.current()) return
    stop()
    void fetchGlyphs().catch(askAgainOnline)
  })
}

/**
 * The print font's glyph outlines, fetched once; null until loaded. The worker caches them with a subject's data. After
 * a failure they are requested again when the network is back.
 */
export const useGlyphs = (): GlyphTable | null => {
  useEffect(() => {
    if (isRequested) return
    isRequested = true
    void fetchGlyphs().catch(askAgainOnline)
  }, [])
  return useSignal(glyphs)
}
