/** A day or instant (ISO 8601) as MM/DD/YYYY in UTC (section 9). Throws on what is not a date. */
export const showDate = (when: string | Date): string => {
  const [year, month, day] = new Date(when).toISOString().slice(0, 10).split('-')
  return `${month}/${day}/${year}`
}
