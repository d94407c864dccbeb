/** A calendar day (`2027-04-15`) in words of the customer's own language; it has no time zone and must not be moved by one. */
export const dayWords = (day: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
