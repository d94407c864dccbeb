export const formatOrderCount = (count: number): string =>
  count === 1 ? '1 order' : `${count.toLocaleString('en-US')} orders`

/** Formats an instant in the studio's time zone. */
export const formatMoment = (at: string, timeZone: string): string =>
  new Date(at).toLocaleString('en-US', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZone })

const units = ['bytes', 'KB', 'MB', 'GB'] as const

/** Formats a file size: "3.4 MB". */
export const formatFileSize = (bytes: number): string => {
  const step = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)), units.length - 1)
  return `${(bytes / 1024 ** step).toLocaleString('en-US', { maximumFractionDigits: step > 1 ? 1 : 0 })} ${units[step]}`
}
