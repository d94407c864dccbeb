/** Formats the time of day in the studio's time zone: `10:04 AM`. */
export const clockTime = (at: string, timeZone: string): string =>
  new Date(at).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZone })
