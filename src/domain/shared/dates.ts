/** Formats a day or instant (ISO 8601) as MM/DD/YYYY in UTC (section 9). Throws if it is not a date. */
export const formatDate = (date: string | Date): string => {
  const [year, month, day] = new Date(date).toISOString().slice(0, 10).split('-')
  return `${month}/${day}/${year}`
}

/** Whether a day in the right format (`2027-04-15`) exists in the calendar. */
export const isCalendarDay = (day: string): boolean => {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

/** The day `2027-04-15` of a date in the format of reports, `04/15/2027`. */
export const isoDayOf = (reportDate: string): string => {
  const [month, day, year] = reportDate.split('/')
  return `${year}-${month}-${day}`
}
