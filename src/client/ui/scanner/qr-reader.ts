// The DOM types do not include BarcodeDetector yet.
type Detector = { detect: (source: CanvasImageSource) => Promise<{ rawValue: string }[]> }
type DetectorClass = {
  new (options: { formats: string[] }): Detector
  getSupportedFormats: () => Promise<string[]>
}

/** Reads the QR code in the current video frame; null if there is none. */
export type ReadQr = (video: HTMLVideoElement) => Promise<string | null>

const createBrowserReader = async (): Promise<ReadQr | undefined> => {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  if (!BarcodeDetector || !(await BarcodeDetector.getSupportedFormats()).includes('qr_code')) return undefined
  const detector = new BarcodeDetector({ formats: ['qr_code'] })
  return async (video) => (await detector.detect(video))[0]?.rawValue ?? null
}

/** Timeout in milliseconds for decoding one frame. */
const decodeTimeoutMs = 120
/** Maximum width of a decoded frame in pixels: enough for a card at arm's length, small enough for an old tablet. */
const maxFrameWidth = 640

const createLibraryReader = async (): Promise<ReadQr> => {
  const { default: decodeQR } = await import('qr/decode.js')
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return async (video) => {
    if (!context || video.videoWidth === 0) return null
    const scale = Math.min(1, maxFrameWidth / video.videoWidth)
    canvas.width = Math.round(video.videoWidth * scale)
    canvas.height = Math.round(video.videoHeight * scale)
    context.drawImage(video, 0, 0, canvas.width, canvas.height)
    try {
      return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height), { timeLimit: decodeTimeoutMs })
    } catch {
      // The library throws if there is no code.
      return null
    }
  }
}

/** Uses the browser's BarcodeDetector if there is one, otherwise a library that is loaded on demand. */
export const createQrReader = async (): Promise<ReadQr> =>
  (await createBrowserReader()) ?? (await createLibraryReader())
