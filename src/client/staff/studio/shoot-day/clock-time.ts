/** The time of day of an instant where the studio is: `10:04 AM`. */
export const clockTime = (at: string, timeZone: string): string =>
  new Date(at).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZone })
