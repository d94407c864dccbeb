/** Formats an instant in the browser's time zone, to the second: developers compare it with the logs of their own server. */
export const formatTime = (instant: string): string =>
  new Date(instant).toLocaleString('en-US', {
    ...{ month: 'short', day: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit', second: '2-digit' },
  })

/** An instant as the value of an input of the type `datetime-local`, in the browser's time zone. */
export const toLocalInput = (instant: Date): string => {
  const local = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** The instant of such a value; undefined for an incomplete one. */
export const fromLocalInput = (value: string): string | undefined => {
  const instant = new Date(value)
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString()
}
