import sharp from 'sharp'

/** An image whose four corners show its orientation: red, green, blue, white, clockwise from the top left. */
export const cornersSvg = (width: number, height: number): Buffer => {
  const [w, h] = [width / 2, height / 2]
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${w}" height="${h}" fill="#f00"/><rect x="${w}" width="${w}" height="${h}" fill="#0f0"/>
    <rect x="${w}" y="${h}" width="${w}" height="${h}" fill="#00f"/><rect y="${h}" width="${w}" height="${h}" fill="#fff"/></svg>`)
}

type Edge = 'top' | 'bottom' | 'left' | 'right'

/** By EXIF orientation: the edge of the scene that is stored in the first row, and the edge in the first column. */
const firstRowAndColumn: Readonly<Record<number, readonly [Edge, Edge]>> = {
  1: ['top', 'left'],
  2: ['top', 'right'],
  3: ['bottom', 'right'],
  4: ['bottom', 'left'],
  5: ['left', 'top'],
  6: ['right', 'top'],
  7: ['right', 'bottom'],
  8: ['left', 'bottom'],
}

/** Stores an upright image as a camera in that orientation does: with rotated or mirrored pixels and the EXIF tag. */
export const storedWithOrientation = async (upright: Buffer, orientation: number): Promise<Buffer> => {
  const [row, column] = firstRowAndColumn[orientation] ?? ['top', 'left']
  const { data, info } = await sharp(upright).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const isSideways = row === 'left' || row === 'right'
  const [width, height] = isSideways ? [info.height, info.width] : [info.width, info.height]
  const position = (edge: Edge, n: number, length: number) => (edge === 'top' || edge === 'left' ? n : length - 1 - n)
  // Copies complete pixels, because copying single bytes would take seconds.
  const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height)
  const rotatedPixels = new Uint32Array(width * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [fromRow, fromColumn] = [position(row, y, height), position(column, x, width)]
      rotatedPixels[y * width + x] =
        pixels[isSideways ? fromColumn * info.width + fromRow : fromRow * info.width + fromColumn] ?? 0
    }
  }
  return sharp(new Uint8Array(rotatedPixels.buffer), { raw: { width, height, channels: 4 } })
    .withMetadata({ orientation })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

/** Raw RGB pixels on white, at a given size. */
const rgb = (image: Uint8Array, width: number, height: number): Promise<Buffer> =>
  sharp(image)
    .flatten({ background: '#fff' })
    .resize(width, height, { fit: 'fill' })
    .toColourspace('srgb')
    .raw()
    .toBuffer()

/** The mean difference of two images' channels, 0–255. */
export const meanDifference = async (first: Uint8Array, second: Uint8Array, size = 64): Promise<number> => {
  const [a, b] = await Promise.all([rgb(first, size, size), rgb(second, size, size)])
  return a.reduce((sum, value, n) => sum + Math.abs(value - (b[n] ?? 0)), 0) / a.length
}

/** A plain image with the metadata that cameras and phones write, including the location. */
export const jpegWithMetadata = (): Promise<Buffer> =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: '#a86' } })
    .withExif({
      IFD0: { Make: 'Canon', Model: 'EOS R6', Copyright: 'Somebody' },
      IFD2: { DateTimeOriginal: '2027:04:16 09:41:05' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '51/1 30/1 3230/100',
        GPSLongitudeRef: 'W',
        GPSLongitude: '0/1 7/1 4366/100',
      },
    })
    .withIccProfile('p3')
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
    .jpeg()
    .toBuffer()

/** A disc on a transparent background. */
export const cutOutPng = (side: number): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><circle cx="50%" cy="50%" r="35%" fill="#237"/></svg>`,
    ),
  )
    .png()
    .toBuffer()
