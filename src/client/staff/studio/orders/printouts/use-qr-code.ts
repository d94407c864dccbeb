import { useEffect, useState } from 'react'

type Draw = (text: string) => string

/**
 * Draws text as a QR code to scan, as the address of a picture with the edge that readers need. What draws comes only with a screen that
 * needs it; null until then.
 */
export const useQrCode = (): Draw | null => {
  const [draw, setDraw] = useState<Draw | null>(null)
  useEffect(() => {
    let isGone = false
    void import('qr').then(({ encodeQR }) => {
      if (isGone) return
      setDraw(() => (text: string) => {
        const svg = encodeQR(text, 'svg', { ecc: 'medium', border: 4 })
        return `data:image/svg+xml,${encodeURIComponent(svg.replace('<svg ', '<svg shape-rendering="crispEdges" '))}`
      })
    })
    return () => {
      isGone = true
    }
  }, [])
  return draw
}
