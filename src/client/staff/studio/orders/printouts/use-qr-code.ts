import { useEffect, useState } from 'react'

type DrawQrCode = (text: string) => string

/** A function that draws text as a QR code with its quiet zone, and returns a data URL. Null until the library is loaded. */
export const useQrCode = (): DrawQrCode | null => {
  const [drawQrCode, setDrawQrCode] = useState<DrawQrCode | null>(null)
  useEffect(() => {
    let isUnmounted = false
    void import('qr').then(({ encodeQR }) => {
      if (isUnmounted) return
      setDrawQrCode(() => (text: string) => {
        const svg = encodeQR(text, 'svg', { ecc: 'medium', border: 4 })
        return `data:image/svg+xml,${encodeURIComponent(svg.replace('<svg ', '<svg shape-rendering="crispEdges" '))}`
      })
    })
    return () => {
      isUnmounted = true
    }
  }, [])
  return drawQrCode
}
