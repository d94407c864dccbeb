const EXIF_FOLDER = 0x8769
const TAKEN = 0x9003
const ASCII_SIZE = 20

type Reader = { u16: (at: number) => number; u32: (at: number) => number }

const readerOf = (tiff: Buffer): Reader | undefined => {
  const order = tiff.toString('latin1', 0, 2)
  if (order === 'II') return { u16: (at) => tiff.readUInt16LE(at), u32: (at) => tiff.readUInt32LE(at) }
  if (order === 'MM') return { u16: (at) => tiff.readUInt16BE(at), u32: (at) => tiff.readUInt32BE(at) }
  return undefined
}

const offsetOf = ({ u16, u32 }: Reader, folder: number, tag: number): number | undefined => {
  const count = u16(folder)
  for (let n = 0; n < count; n += 1) {
    const entry = folder + 2 + n * 12
    if (u16(entry) === tag) return u32(entry + 8)
  }
  return undefined
}

const readDate = (tiff: Buffer): string | undefined => {
  const reader = readerOf(tiff)
  if (!reader) return undefined
  const folder = offsetOf(reader, reader.u32(4), EXIF_FOLDER)
  const at = folder === undefined ? undefined : offsetOf(reader, folder, TAKEN)
  return at === undefined ? undefined : tiff.toString('latin1', at, at + ASCII_SIZE)
}

/** Whether a date and time exist: cameras with a dead battery write others. */
const isMoment = (said: string): boolean => {
  const read = new Date(`${said}Z`)
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(said)
}

/**
 * The time an image was taken, `2027-04-16T09:41:05`, by the camera's own clock, which has no time zone. Undefined when the EXIF block
 * lacks it or is damaged; damage there never makes an image unusable.
 */
export const exifTakenAt = (exif: Buffer | undefined): string | undefined => {
  if (!exif) return undefined
  const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif
  try {
    const found = /^(\d{4}):([01]\d):([0-3]\d) ([0-2]\d:[0-5]\d:[0-5]\d)/.exec(readDate(tiff) ?? '')
    const said = found && `${found[1]}-${found[2]}-${found[3]}T${found[4]}`
    return said && found[1] !== '0000' && isMoment(said) ? said : undefined
  } catch (error) {
    // An offset that points outside the block.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
