import { useEffect, useState } from 'react'

type Draw = (text: string) => string

/** Draws text as a QR code with its quiet zone and returns a data URL. The library is loaded on demand; null until then. */
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
