const step = 1000
const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Formats a size in bytes: `950 B`, `4.2 MB`, `84 MB`. Decimal units, as in file managers of phones. */
export const formatFileSize = (bytes: number): string => {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / step ** power
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power]}`
}

/** Maximum size of an image file in bytes, 100 MiB: twice what the largest cameras write. */
export const maxUploadBytes = 100 * 1024 * 1024

/** Why a file of this size is rejected, as a message; null if it is accepted. */
export const uploadSizeError = (byteSize: number): string | null => {
  if (byteSize === 0) return 'This file is empty. Copy it again and upload the new file.'
  if (byteSize <= maxUploadBytes) return null
  return `This file is too large: ${Math.ceil(byteSize / 1024 / 1024)} MB. The maximum is ${maxUploadBytes / 1024 / 1024} MB. Export a smaller file.`
}
