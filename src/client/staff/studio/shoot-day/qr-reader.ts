// What browsers have of their own is in no library of types yet.
type Detector = { detect: (source: CanvasImageSource) => Promise<{ rawValue: string }[]> }
type DetectorClass = {
  new (options: { formats: string[] }): Detector
  getSupportedFormats: () => Promise<string[]>
}

/** Reads the QR code on a picture of the camera; null where there is none. */
export type ReadQr = (video: HTMLVideoElement) => Promise<string | null>

const byBrowser = async (): Promise<ReadQr | undefined> => {
  const Found = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector
  if (!Found || !(await Found.getSupportedFormats()).includes('qr_code')) return undefined
  const detector = new Found({ formats: ['qr_code'] })
  return async (video) => (await detector.detect(video))[0]?.rawValue ?? null
}

/** Milliseconds that one picture may take: an old tablet has fewer looks, and reads as well. */
const decodeTimeoutMs = 120
/** Pixels across of what is looked through: enough for a card at arm's length, and few enough for an old tablet. */
const across = 640

const byLibrary = async (): Promise<ReadQr> => {
  const { default: decodeQR } = await import('qr/decode.js')
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return async (video) => {
    if (!context || video.videoWidth === 0) return null
    const scale = Math.min(1, across / video.videoWidth)
    canvas.width = Math.round(video.videoWidth * scale)
    canvas.height = Math.round(video.videoHeight * scale)
    context.drawImage(video, 0, 0, canvas.width, canvas.height)
    try {
      return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height), { timeLimit: decodeTimeoutMs })
    } catch {
      // That is how it says that there is none.
      return null
    }
  }
}

/** The browser's own eyes where it has some, else ours, which come only then. */
export const createQrReader = async (): Promise<ReadQr> => (await byBrowser()) ?? (await byLibrary())
