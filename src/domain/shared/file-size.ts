const step = 1000
const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Formats a size in bytes: `950 B`, `4.2 MB`, `84 MB`. Decimal units, as in file managers of phones. */
export const formatFileSize = (bytes: number): string => {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / step ** power
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power]}`
}
