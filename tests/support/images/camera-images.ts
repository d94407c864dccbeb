import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

/** The image sizes that a camera writes, in pixels, and how many of its images differ in more than their capture time. */
export type CameraSettings = {
  readonly ordinary: ImageSize
  readonly large: ImageSize
  readonly distinctImages: number
}
type ImageSize = { readonly width: number; readonly height: number }

/** The camera of a shoot: one image in ten has more than 20 megapixels. */
export const shootCamera: CameraSettings = {
  ordinary: { width: 3000, height: 2000 },
  large: { width: 5700, height: 3800 },
  distinctImages: 50,
}

/** A camera with small images, for short runs. */
export const smallCamera: CameraSettings = {
  ordinary: { width: 480, height: 320 },
  large: { width: 720, height: 480 },
  distinctImages: 6,
}

const largeImageInterval = 10
const firstCaptureTime = '2027:04:01 09:00:00'

/** The capture time of the nth image in EXIF's format: six images a minute. */
const captureTimeOf = (n: number): string => {
  const seconds = n * 10
  const parts = [9 + Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `2027:04:01 ${parts.map((part) => String(part).padStart(2, '0')).join(':')}`
}

const renderCameraImage = async ({ ordinary, large }: CameraSettings, n: number): Promise<Buffer> => {
  const noise = { type: 'gaussian' as const, mean: 60 + n * 3, sigma: 20 }
  const grain = sharp({ create: { width: 600, height: 400, channels: 3, background: '#888', noise } }).png()
  return await sharp(await grain.toBuffer())
    .resize(n % largeImageInterval === 0 ? large : ordinary)
    .withExif({ IFD0: { Make: 'Fieldproof', Model: 'Test camera' }, IFD2: { DateTimeOriginal: firstCaptureTime } })
    .jpeg({ quality: 92 })
    .toBuffer()
}

/** Returns a function for the nth JPEG of a shoot. No two are equal, and each has its capture time in EXIF. */
export const cameraImageSequence = async (camera: CameraSettings): Promise<(n: number) => Buffer> => {
  const templates: Buffer[] = []
  for (let n = 0; n < camera.distinctImages; n += 1) templates.push(await renderCameraImage(camera, n))
  return (n) => {
    const image = Buffer.from(templates[n % camera.distinctImages] ?? Buffer.alloc(0))
    const offset = image.indexOf(firstCaptureTime, 0, 'latin1')
    if (offset < 0) throw new Error('the image has no capture time')
    image.write(captureTimeOf(n), offset, 'latin1')
    return image
  }
}

/** Writes images with these names into a folder. Returns their paths. */
export const writeCameraImages = async (
  folder: string,
  names: readonly string[],
  camera: CameraSettings,
): Promise<string[]> => {
  const imageAt = await cameraImageSequence(camera)
  const paths = names.map((name) => join(folder, name))
  for (const [n, path] of paths.entries()) await writeFile(path, imageAt(n))
  return paths
}
