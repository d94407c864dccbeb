/** When the prints of an order are expected, as days of the studio (`2027-04-15`). */
export type Arrival = {
  from: string
  /** The same day as `from` if the order is handed out. */
  to: string
  /** Where it is handed out: a school, a club or the studio. Null if it is mailed. */
  place: string | null
}

/** The longest time, in days, that a studio can state for mailed orders. */
const longestDelivery = 120

export const deliveryDaysMessages = {
  range: `Enter a whole number of days from 0 to ${longestDelivery}`,
  both: 'Enter both numbers of days, or neither',
  reversed: 'This must not be less than the first number',
} as const

/** The days that a mailed order takes, from the order or the picture day; null if the studio does not say so. */
export type DeliveryDays = { deliveryDaysFrom: number | null; deliveryDaysTo: number | null }

const isOutOfRange = (days: number | null): boolean =>
  days !== null && (!Number.isInteger(days) || days < 0 || days > longestDelivery)

/** The errors of the days by field; none if both are valid or both are missing. */
export const deliveryDaysErrors = ({
  deliveryDaysFrom: from,
  deliveryDaysTo: to,
}: DeliveryDays): Partial<Record<keyof DeliveryDays, string[]>> => {
  if (isOutOfRange(from)) return { deliveryDaysFrom: [deliveryDaysMessages.range] }
  if (isOutOfRange(to)) return { deliveryDaysTo: [deliveryDaysMessages.range] }
  if (from === null && to !== null) return { deliveryDaysFrom: [deliveryDaysMessages.both] }
  if (from !== null && to === null) return { deliveryDaysTo: [deliveryDaysMessages.both] }
  return from !== null && to !== null && from > to ? { deliveryDaysTo: [deliveryDaysMessages.reversed] } : {}
}

const shortDay = (day: string): string => `${day.slice(5, 7)}/${day.slice(8)}`

/** What a customer reads about the arrival: “Arrives about 12/08–12/12”, or “Handed out at Lincoln Elementary about 12/15”. */
export const arrivalText = ({ from, to, place }: Arrival): string => {
  if (place !== null) return `Handed out at ${place} about ${shortDay(from)}`
  return `Arrives about ${shortDay(from)}${from === to ? '' : `–${shortDay(to)}`}`
}
