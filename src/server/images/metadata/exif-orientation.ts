const orientationTag = 0x0112
const shortType = 3

/** The limit on entries that are read of an EXIF directory. */
const maxEntries = 512

/** The orientation (2 to 8) in an EXIF block in TIFF form; null if it is missing, upright or damaged. */
export const orientationIn = (tiff: Buffer): number | null => {
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return null
  const u16 = (at: number): number => {
    if (at + 2 > tiff.length) return 0
    return order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  }
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const count = Math.min(u16(directory), maxEntries)
  for (let entry = directory + 2; entry < directory + 2 + count * 12; entry += 12) {
    if (u16(entry) !== orientationTag) continue
    const value = u16(entry + 8)
    return value >= 2 && value <= 8 ? value : null
  }
  return null
}

/** An EXIF block in TIFF form that contains only the orientation. */
export const orientationBlock = (orientation: number): Buffer => {
  const tiff = Buffer.alloc(26)
  tiff.write('MM', 0, 'latin1')
  tiff.writeUInt16BE(42, 2)
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(orientationTag, 10)
  tiff.writeUInt16BE(shortType, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}
